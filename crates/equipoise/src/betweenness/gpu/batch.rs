//! Concurrent searches: their buffers and launches.

use cubecl::prelude::*;
use equipoise_schedule::{
    Error,
    device::{Buffer, GpuRuntime},
    engine::{LoopMode, WaitingCubes},
};

use super::{
    backward::*, distances::PairDistances, forward::*, lanes, list_buffers::*, lists::*, look::*,
    pairs::*, sums::*,
};
use crate::{
    Result,
    gpu_graph::{GpuGraph, WeightedRows},
    kernels::{UNITS, concurrent_cubes, cubes_for},
};

/// Levels that are enqueued between two readbacks: few at first, then twice as many each time.
const FEWEST_LEVELS: u32 = 4;
const MOST_LEVELS: u32 = 64;

/// The buffers of concurrent searches.
pub(super) struct Batch<'a> {
    graph: &'a GpuGraph<'a>,
    leaving: &'a WeightedRows,
    /// In a directed graph.
    entering: Option<&'a WeightedRows>,
    pairs: PairBuffers,
    lists: ListBuffers,
    sources: u32,
    lanes: u32,
    /// The distances by weights, if paths are shortest by weights.
    distances: Option<PairDistances<'a>>,
    /// The cubes that wait for each other after each level, if each pass is one launch.
    pub waiting: Option<WaitingCubes>,
}

impl<'a> Batch<'a> {
    pub fn new(
        graph: &'a GpuGraph<'a>,
        sources: u32,
        weighs: bool,
        mode: LoopMode,
    ) -> Result<Self> {
        let gpu = &graph.gpu;
        let shape = Shape::new(gpu, graph.graph);
        let is_undirected = graph.graph.is_undirected();
        Ok(Self {
            graph,
            leaving: graph.leaving()?,
            entering: (!is_undirected).then(|| graph.entering()).transpose()?,
            pairs: PairBuffers::new(gpu, sources, graph.vertices())?,
            lists: ListBuffers::new(gpu, shape, sources)?,
            sources,
            lanes: shape.lanes,
            distances: weighs.then(|| PairDistances::new(graph, sources)).transpose()?,
            waiting: WaitingCubes::new(gpu, mode)?,
        })
    }

    /// Runs both passes from each source. Returns the number of pairs reached.
    pub fn search(&mut self, sources: &[u32]) -> Result<u32> {
        self.begin(sources)?;
        let progress = match &self.waiting {
            Some(cubes) => self.forward_at_once(cubes)?,
            None => None,
        };
        let progress = match progress {
            Some(progress) => progress,
            None => {
                self.waiting = None;
                self.forward_by_launches()?
            }
        };
        match &self.waiting {
            Some(cubes) => self.backward_at_once(cubes, progress.level)?,
            None => (0..progress.level).rev().for_each(|level| self.backward(None, level, 1)),
        }
        Ok(progress.reached)
    }

    /// Visits all levels in as few launches as possible; `None` if cubes cannot wait for each other.
    fn forward_at_once(&self, cubes: &WaitingCubes) -> Result<Option<Progress>> {
        let mut level = 0;
        loop {
            // There are up to two barriers per level.
            self.forward(Some(cubes), level, cubes.most_barriers() / 2);
            let progress = self.lists.progress()?;
            if !cubes.have_started()? {
                return if level == 0 { Ok(None) } else { Err(stopped().into()) };
            }
            if progress.left == 0 {
                return Ok(Some(progress));
            }
            level = progress.level;
        }
    }

    fn backward_at_once(&self, cubes: &WaitingCubes, levels: u32) -> Result<()> {
        let (mut left, most) = (levels, cubes.most_barriers());
        while left > 0 {
            self.backward(Some(cubes), left - 1, most);
            left -= left.min(most);
        }
        if cubes.have_started()? { Ok(()) } else { Err(stopped().into()) }
    }

    /// Visits all levels in a launch each.
    fn forward_by_launches(&self) -> Result<Progress> {
        let (mut level, mut levels) = (0, FEWEST_LEVELS);
        // There are at most as many levels as vertices, so the last of these levels is empty.
        let end = self.graph.vertices() + 1;
        loop {
            let next = end.min(level + levels);
            for level in level..next {
                self.forward(None, level, 1);
                self.list_level(level + 1);
            }
            level = next;
            let progress = self.lists.progress()?;
            if progress.left == 0 || level == end {
                return Ok(progress);
            }
            levels = (2 * levels).min(MOST_LEVELS);
        }
    }

    pub fn begin(&self, sources: &[u32]) -> Result<()> {
        let gpu = &self.graph.gpu;
        self.pairs.clear()?;
        self.lists.clear()?;
        if let Some(distances) = &self.distances {
            distances.search(&self.pairs.dependencies, sources)?;
        }
        let from = gpu.upload(sources)?;
        let count = sources.len() as u32;
        // SAFETY: each source has a row of pairs. The caller checks that sources are vertices.
        unsafe {
            begin::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, count),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.pairs.arg(),
                self.lists(),
                count,
            );
        }
        Ok(())
    }

    /// Visits up to `levels` levels from `level` on; with cubes that wait for each other, or a single level.
    pub fn forward(&self, waiting: Option<&WaitingCubes>, level: u32, levels: u32) {
        let (cubes, units) = self.cubes(waiting);
        // SAFETY: each pair has its words, and is at most once in the list of its class, which has space for all of them;
        // levels are two more than vertices, and edges lead to vertices.
        unsafe {
            forward_levels::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                cubes,
                CubeDim::new_1d(units),
                self.edges(),
                self.pairs.arg(),
                self.lists(),
                self.visit(waiting, level, levels),
                units,
            );
        }
    }

    /// Lists the pairs of a level unless the launch that found them did.
    pub fn list_level(&self, level: u32) {
        // SAFETY: as above.
        unsafe {
            list_level::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                concurrent_cubes(&self.graph.gpu),
                CubeDim::new_1d(UNITS),
                self.pairs.arg(),
                self.lists(),
                level,
                UNITS,
            );
        }
    }

    /// Visits up to `levels` levels from `level` back; with cubes that wait for each other, or a single level.
    pub fn backward(&self, waiting: Option<&WaitingCubes>, level: u32, levels: u32) {
        let (cubes, units) = self.cubes(waiting);
        // SAFETY: as above.
        unsafe {
            backward_levels::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                cubes,
                CubeDim::new_1d(units),
                self.edges(),
                self.pairs.arg(),
                self.lists(),
                self.visit(waiting, level, levels),
            );
        }
    }

    /// Sums the dependencies of each vertex over the sources.
    pub fn add_vertices(&self, sources: u32, endpoints: bool, sums: &Buffer<f32>) {
        // SAFETY: each pair has a level and a dependency, and each vertex a sum.
        unsafe {
            add_vertices::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                cubes_for(&self.graph.gpu, self.graph.vertices()),
                CubeDim::new_1d(UNITS),
                self.pairs.levels.arg(),
                self.pairs.dependencies.arg(),
                sums.arg(),
                self.graph.vertices(),
                sources,
                endpoints,
            );
        }
    }

    /// Sums the dependencies of each edge over the sources.
    pub fn add_edges(&self, sources: u32, sums: &Buffer<f32>) {
        // SAFETY: each pair has its words, and each edge a sum.
        unsafe {
            add_edges::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                concurrent_cubes(&self.graph.gpu),
                CubeDim::new_1d(UNITS),
                self.edges(),
                self.pairs.arg(),
                sums.arg(),
                sources,
                lanes(self.graph),
            );
        }
    }

    /// The cubes of a launch, and their units.
    fn cubes(&self, waiting: Option<&WaitingCubes>) -> (CubeCount, u32) {
        match waiting {
            Some(waiting) => (waiting.cubes(), waiting.units()),
            None => (concurrent_cubes(&self.graph.gpu), UNITS),
        }
    }

    fn visit(
        &self,
        waiting: Option<&WaitingCubes>,
        level: u32,
        levels: u32,
    ) -> VisitLaunch<GpuRuntime> {
        VisitLaunch::new(waiting.map(WaitingCubes::arg).into(), level, levels, self.lanes)
    }

    fn edges(&self) -> EdgesLaunch<GpuRuntime> {
        EdgesLaunch::new(
            self.leaving.arg(),
            self.entering.map(|rows| rows.arg()).into(),
            self.distances.as_ref().map(PairDistances::arg).into(),
        )
    }

    fn lists(&self) -> ListsLaunch<GpuRuntime> {
        self.lists.arg(self.leaving, self.entering.map(|rows| &**rows), self.sources)
    }
}

/// The error for cubes that waited for each other once, and then did not.
fn stopped() -> Error {
    Error::Device("cubes that waited for each other do not any more".into())
}
