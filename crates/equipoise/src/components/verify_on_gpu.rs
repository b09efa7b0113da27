//! Whether components are those of an undirected graph, on the GPU that holds it.
//!
//! Levels prove that a label stands for one component: each vertex but the labels themselves has a neighbour on a smaller
//! level, so that a path of the graph leads down to its label. A search from all labels finds them. The last pass does not
//! trust it: any levels that keep the rule are a proof.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use super::Components;
use crate::{
    NONE, Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

/// The value of an edge between two labels. Other values are levels plus one.
const TORN: u32 = 0;

impl Components {
    /// Whether the labels keep the rules of [`verify`](Self::verify); `None` if only the host can check them.
    pub(super) fn pass_on(&self, graph: &GpuGraph) -> Result<Option<bool>> {
        self.check_labels(graph.graph)?;
        self.check_counts()?;
        // Labels and levels; the frontiers of a search.
        let Some(check) = DeviceCheck::of_undirected(graph, 6)? else { return Ok(None) };
        let gpu = check.gpu();
        let labels = gpu.upload(&self.labels)?;
        let levels = gpu.empty(self.labels.len())?;
        let start = || StartLaunch::new(labels.arg(), AtomicArray::bind(gpu, &levels));
        let descend = || DescendLaunch::new(AtomicArray::bind(gpu, &levels));
        let judge = || JudgeLaunch::new(labels.arg(), levels.arg(), check.wrong());
        // SAFETY: each vertex has a label and a level, edges lead to vertices, and labels are no indices.
        unsafe {
            let roots = Operation::<Start>::unchecked(start);
            let roots = filter(&Frontier::all(check.graph)?, &roots)?;
            until_empty(&roots, Spread::Parts, &Operation::<Descend>::unchecked(descend))?;
            check.gather(&Operation::<Judge>::unchecked(judge))?;
        }
        check.passed().map(Some)
    }
}

/// Keeps the vertices that are their own label.
#[derive(CubeType, CubeLaunch)]
struct Start {
    labels: Input<u32>,
    levels: AtomicArray,
}

#[cube]
impl VertexOp for Start {
    fn apply(&mut self, vertex: u32) -> bool {
        let is_root = self.labels[vertex as usize] == vertex;
        self.levels.set(vertex, select(is_root, 0u32.runtime(), NONE.runtime()));
        is_root
    }
}

/// Numbers the levels below the labels.
#[derive(CubeType, CubeLaunch)]
struct Descend {
    levels: AtomicArray,
}

impl EdgeOpKind for Descend {}

#[cube]
impl EdgeOp for Descend {
    fn label(&self, source: u32) -> u32 {
        self.levels.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label + 1
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.levels.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        label < self.levels.fetch_min(target, label)
    }
}

/// Compares each vertex with its neighbours.
#[derive(CubeType, CubeLaunch)]
struct Judge {
    labels: Input<u32>,
    levels: Input<u32>,
    wrong: Wrong,
}

impl GatherOpKind for Judge {}

#[cube]
impl GatherOp for Judge {
    type Value = u32;

    fn identity() -> u32 {
        NONE.runtime()
    }

    /// The least level of a neighbour plus one, or [`TORN`].
    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let mut value = TORN.runtime();
        if self.labels[vertex as usize] == self.labels[neighbour as usize] {
            value = min(self.levels[neighbour as usize], (NONE - 1).runtime()) + 1;
        }
        value
    }

    fn combine(a: u32, b: u32) -> u32 {
        min(a, b)
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        let label = self.labels[vertex as usize];
        let level = self.levels[vertex as usize];
        let mut is_right = total != TORN;
        if label == vertex {
            is_right = is_right && level == 0;
        } else {
            is_right = is_right && level != NONE && total <= level;
        }
        if !is_right {
            self.wrong[0].fetch_min(vertex);
        }
    }
}
