//! Whether betweenness by the number of edges is that of a graph, on the GPU that holds it.
//!
//! One source at a time. Level by level, each vertex sums the paths of its neighbours one level up; then, from the last level
//! back, its shares of the paths to its neighbours one level down. These sums are of 32 bits: results that differ from them
//! are left to the host.

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{device::Buffer, engine::*, input::Input};

use super::super::{Betweenness, BetweennessOptions, Plan, Sums};
use crate::{
    NONE, Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

/// The most levels of a search, each of which takes a pass over all edges.
const MOST_LEVELS: u32 = 64;
/// More paths than this are left to the host.
const MOST_PATHS: f32 = 1e30;
/// Sources whose dependencies are summed in 32 bits.
const SOURCES_AT_ONCE: usize = 64;

impl Betweenness {
    /// Whether the values keep the rules of [`verify`](Self::verify); `None` if only the host can decide that.
    pub(in super::super) fn passes_on(
        &self,
        graph: &GpuGraph,
        options: &BetweennessOptions,
    ) -> Result<Option<bool>> {
        if options.edges || options.weighs(graph.graph) {
            return Ok(None);
        }
        // Levels, paths, dependencies, sums.
        let Some(check) = DeviceCheck::of_simple(graph, 4)? else { return Ok(None) };
        let plan = Plan::new(graph.graph, options)?;
        self.check_shape(graph.graph, &plan, options)?;
        let Some(vertices) = Searches::new(&check, options.endpoints)?.sums(&plan.sources)? else {
            return Ok(None);
        };
        let is_right = check.passed()?
            && vertices.par_iter().all(|sum| sum.is_finite())
            && self.check_values(graph.graph, &plan, &Sums { vertices, edges: None }).is_ok();
        Ok(is_right.then_some(true))
    }
}

/// Searches one after the other.
struct Searches<'c> {
    check: &'c DeviceCheck<'c>,
    endpoints: bool,
    levels: Buffer<u32>,
    paths: Buffer<f32>,
    dependencies: Buffer<f32>,
    sums: Buffer<f32>,
    /// The vertices of the last level.
    found: Buffer<u32>,
}

impl<'c> Searches<'c> {
    fn new(check: &'c DeviceCheck<'c>, endpoints: bool) -> Result<Self> {
        let (gpu, vertices) = (check.gpu(), check.graph.vertices() as usize);
        Ok(Self {
            check,
            endpoints,
            levels: gpu.empty(vertices)?,
            paths: gpu.empty(vertices)?,
            dependencies: gpu.empty(vertices)?,
            sums: gpu.empty(vertices)?,
            found: gpu.empty(1)?,
        })
    }

    /// The dependencies of all sources; `None` if a search has too many levels.
    fn sums(&self, sources: &[u32]) -> Result<Option<Vec<f64>>> {
        let gpu = self.check.gpu();
        let mut sums = vec![0.0; self.sums.len()];
        for sources in sources.chunks(SOURCES_AT_ONCE) {
            gpu.fill(&self.sums, 0.0)?;
            for &source in sources {
                if !self.search(source)? {
                    return Ok(None);
                }
            }
            let part = gpu.download(&self.sums)?;
            sums.par_iter_mut().zip(part).for_each(|(sum, part)| *sum += f64::from(part));
        }
        Ok(Some(sums))
    }

    /// Adds the dependencies of a source. False if levels are too many.
    fn search(&self, source: u32) -> Result<bool> {
        let gpu = self.check.gpu();
        gpu.fill(&self.levels, NONE)?;
        gpu.fill(&self.dependencies, 0.0)?;
        let begin = || BeginLaunch::new(self.levels.arg(), self.paths.arg());
        // SAFETY: each vertex has a level and paths.
        let begin = unsafe { Operation::<Begin>::unchecked(begin) };
        let source = Frontier::from_vertices(self.check.graph, &[source])?;
        for_each(&source, &begin);
        let mut reached = 0;
        for last in 0..MOST_LEVELS {
            gpu.fill(&self.found, 0)?;
            self.count_paths(last + 1)?;
            let found = gpu.download(&self.found)?[0];
            reached += found;
            if found == 0 {
                (1..=last).rev().try_for_each(|level| self.depend(level))?;
                if self.endpoints {
                    let end = || EndsLaunch::new(self.sums.arg(), reached as f32);
                    // SAFETY: each vertex has a sum.
                    for_each(&source, &unsafe { Operation::<Ends>::unchecked(end) });
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn count_paths(&self, level: u32) -> Result<()> {
        let count = || {
            let (levels, paths) = (self.levels.arg(), self.paths.arg());
            CountPathsLaunch::new(levels, paths, self.found.arg(), self.check.wrong(), level)
        };
        // SAFETY: each vertex has a level and paths, and edges lead to vertices.
        self.check.gather(&unsafe { Operation::<CountPaths>::unchecked(count) })
    }

    fn depend(&self, level: u32) -> Result<()> {
        let depend = || {
            let (levels, paths) = (self.levels.arg(), self.paths.arg());
            let (dependencies, sums) = (self.dependencies.arg(), self.sums.arg());
            DependLaunch::new(levels, paths, dependencies, sums, level, self.endpoints)
        };
        // SAFETY: as above; each vertex has a dependency and a sum.
        self.check.gather(&unsafe { Operation::<Depend>::unchecked(depend) })
    }
}

/// Reaches the source over one path.
#[derive(CubeType, CubeLaunch)]
struct Begin {
    levels: Array<u32>,
    paths: Array<f32>,
}

#[cube]
impl VertexOp for Begin {
    fn apply(&mut self, vertex: u32) -> bool {
        self.levels[vertex as usize] = 0u32;
        self.paths[vertex as usize] = 1.0f32;
        true.runtime()
    }
}

/// Reaches the vertices of a level: unreached ones with neighbours one level up, whose paths it sums.
#[derive(CubeType, CubeLaunch)]
struct CountPaths {
    levels: Array<u32>,
    paths: Array<f32>,
    found: Array<Atomic<u32>>,
    wrong: Wrong,
    level: u32,
}

impl GatherOpKind for CountPaths {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl GatherOp for CountPaths {
    type Value = f32;

    fn identity() -> f32 {
        0.0f32.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> f32 {
        let mut paths = 0.0f32;
        if self.levels[neighbour as usize] == self.level - 1 {
            paths = self.paths[neighbour as usize];
        }
        paths
    }

    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: f32) {
        if total > 0.0 && self.levels[vertex as usize] == NONE {
            self.levels[vertex as usize] = self.level;
            self.paths[vertex as usize] = total;
            self.found[0].fetch_add(1u32);
            if total > MOST_PATHS {
                self.wrong[0].fetch_min(vertex);
            }
        }
    }
}

/// Sums the shares of the paths from the vertices of a level to neighbours one level down.
#[derive(CubeType, CubeLaunch)]
struct Depend {
    levels: Input<u32>,
    paths: Input<f32>,
    dependencies: Array<f32>,
    sums: Array<f32>,
    level: u32,
    #[cube(comptime)]
    endpoints: bool,
}

impl GatherOpKind for Depend {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl GatherOp for Depend {
    type Value = f32;

    fn identity() -> f32 {
        0.0f32.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> f32 {
        let mut share = 0.0f32;
        if self.levels[neighbour as usize] == self.level + 1 {
            share = (1.0 + self.dependencies[neighbour as usize]) / self.paths[neighbour as usize];
        }
        share
    }

    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: f32) {
        if self.levels[vertex as usize] == self.level {
            let dependency = total * self.paths[vertex as usize];
            self.dependencies[vertex as usize] = dependency;
            let mut sum = dependency;
            if comptime!(self.endpoints) {
                sum += 1.0;
            }
            self.sums[vertex as usize] += sum;
        }
    }
}

/// Adds the paths that end at other vertices to the sum of the source.
#[derive(CubeType, CubeLaunch)]
struct Ends {
    sums: Array<f32>,
    others: f32,
}

#[cube]
impl VertexOp for Ends {
    fn apply(&mut self, vertex: u32) -> bool {
        self.sums[vertex as usize] += self.others;
        true.runtime()
    }
}
