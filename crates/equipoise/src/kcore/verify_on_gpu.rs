//! Whether core numbers are those of a graph, on the GPU that holds it.
//!
//! Vertices of the same number are removed wave after wave, as on the host; the number of a vertex's wave is its rank. The
//! last pass does not trust the waves: any ranks in whose order each vertex has at most its number of neighbours that are
//! not before it are a proof that no number is too small.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use super::KCore;
use crate::{
    NONE, Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

impl KCore {
    /// Whether the numbers keep the rules of [`verify`](Self::verify); `None` if only the host can check them.
    pub(super) fn passes_on(&self, graph: &GpuGraph) -> Result<Option<bool>> {
        self.check_numbers(graph.vertices())?;
        // Cores, remaining neighbours and ranks; the frontiers of the waves.
        let Some(check) = DeviceCheck::of_simple(graph, 7)? else { return Ok(None) };
        let gpu = check.gpu();
        let cores = gpu.upload(&self.cores)?;
        let (left, ranks) = (gpu.empty(self.cores.len())?, gpu.empty(self.cores.len())?);
        let count = || InCoreLaunch::new(cores.arg(), left.arg(), check.wrong());
        let first = || FirstLaunch::new(cores.arg(), left.arg(), AtomicArray::bind(gpu, &ranks));
        let remove = || {
            let [left, ranks] = [&left, &ranks].map(|buffer| AtomicArray::bind(gpu, buffer));
            RemoveLaunch::new(cores.arg(), left, ranks)
        };
        let judge = || AfterLaunch::new(cores.arg(), ranks.arg(), check.wrong());
        // SAFETY: each vertex has a core, a number and a rank, and edges lead to vertices.
        unsafe {
            check.gather(&Operation::<InCore>::unchecked(count))?;
            let first = Operation::<First>::unchecked(first);
            let first = filter(&Frontier::all(check.graph)?, &first)?;
            until_empty(&first, Spread::Parts, &Operation::<Remove>::unchecked(remove))?;
            check.gather(&Operation::<After>::unchecked(judge))?;
        }
        check.passed().map(Some)
    }
}

/// Counts the neighbours of each vertex whose numbers are not smaller: no fewer than its number.
#[derive(CubeType, CubeLaunch)]
struct InCore {
    cores: Input<u32>,
    left: Array<u32>,
    wrong: Wrong,
}

impl GatherOpKind for InCore {}

#[cube]
impl GatherOp for InCore {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        u32::cast_from(self.cores[neighbour as usize] >= self.cores[vertex as usize])
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.left[vertex as usize] = total;
        if total < self.cores[vertex as usize] {
            self.wrong[0].fetch_min(vertex);
        }
    }
}

/// Keeps the vertices that no other has to be removed before.
#[derive(CubeType, CubeLaunch)]
struct First {
    cores: Input<u32>,
    left: Input<u32>,
    ranks: AtomicArray,
}

#[cube]
impl VertexOp for First {
    fn apply(&mut self, vertex: u32) -> bool {
        let is_first = self.left[vertex as usize] == self.cores[vertex as usize];
        self.ranks.set(vertex, select(is_first, 0u32.runtime(), NONE.runtime()));
        is_first
    }
}

/// Removes a vertex from what its neighbours have left.
#[derive(CubeType, CubeLaunch)]
struct Remove {
    cores: Input<u32>,
    left: AtomicArray,
    ranks: AtomicArray,
}

impl EdgeOpKind for Remove {
    const JOINS_ONCE: bool = true;
    // A vertex that were followed in the wave in which it joins would have a rank before some that it needs.
    const LABELS_ARE_KEPT: bool = false;
}

#[cube]
impl EdgeOp for Remove {
    fn label(&self, source: u32) -> u32 {
        self.ranks.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label + 1
    }

    fn improves(&self, target: u32, _label: u32) -> bool {
        self.ranks.get(target) == NONE
    }

    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool {
        let core = self.cores[target as usize];
        let mut joins = false;
        if core == self.cores[source as usize] {
            // Adding `u32::MAX` subtracts 1.
            joins = self.left.fetch_add(target, u32::MAX.runtime()) == core + 1;
            if joins {
                self.ranks.set(target, label);
            }
        }
        joins
    }
}

/// Counts the neighbours that are not before each vertex: no more than its number.
#[derive(CubeType, CubeLaunch)]
struct After {
    cores: Input<u32>,
    ranks: Input<u32>,
    wrong: Wrong,
}

impl GatherOpKind for After {}

#[cube]
impl GatherOp for After {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let own = self.cores[vertex as usize];
        let other = self.cores[neighbour as usize];
        let is_later = self.ranks[neighbour as usize] >= self.ranks[vertex as usize];
        u32::cast_from(other > own || (other == own && is_later))
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        let is_removed = self.ranks[vertex as usize] != NONE;
        if !is_removed || total > self.cores[vertex as usize] {
            self.wrong[0].fetch_min(vertex);
        }
    }
}
