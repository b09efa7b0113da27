//! `equipoise-mpi bfs`: breadth-first search.

use equipoise_terminal::rows::Cell;
use serde::Serialize;

use super::{
    device::Unit,
    search::{Search, Summary},
    steps::StepNames,
};
use crate::{Bfs, BfsDirection, BfsOptions, BfsResult, Comm, DistGraph, Trace};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi bfs rmat:scale=18
  mpirun -n 64 equipoise-mpi bfs rmat:scale=30 --random-sources 64 --json
  mpirun -n 64 equipoise-mpi bfs roads.mtx --undirected --source 1 --parts levels";

#[derive(Debug, clap::Args)]
pub struct Command {
    /// In which direction levels go: auto looks at fewer edges
    #[arg(long, value_enum, default_value_t)]
    direction: Direction,
}

/// The library's directions, by name.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Whichever looks at fewer edges, level by level
    #[default]
    Auto,
    /// From the frontier, always
    Push,
    /// From the vertices that are not reached, always
    Pull,
}

/// The library's options, for programs.
#[derive(Serialize)]
pub struct Options {
    direction: Direction,
}

impl Options {
    fn of_library(&self) -> BfsOptions {
        let direction = match self.direction {
            Direction::Auto => BfsDirection::Auto,
            Direction::Push => BfsDirection::Push,
            Direction::Pull => BfsDirection::Pull,
        };
        BfsOptions { direction, ..BfsOptions::default() }
    }
}

/// Searches on the device of a rank.
pub enum Ready<'a> {
    Cpu(Bfs<'a>),
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    Gpu(Box<crate::gpu::Bfs<'a>>),
}

impl Search for Command {
    const NAME: &'static str = "bfs";
    const STEPS: StepNames =
        StepNames { index: "level", strategy: "strategy", frontier: "frontier" };
    const VERIFIED: &'static str = "levels and parents keep every rule of a breadth-first search";
    const COLUMNS: [&'static str; 2] = ["level", "parent"];

    type Options = Options;
    type Found = BfsResult;
    type Ready<'a> = Ready<'a>;

    fn options(&self) -> Options {
        Options { direction: self.direction }
    }

    fn ready<'a>(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        options: &Options,
        unit: &Unit,
    ) -> crate::Result<Ready<'a>> {
        let options = options.of_library();
        Ok(match unit {
            Unit::Cpu => Ready::Cpu(Bfs::new(comm, graph, &options)?),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => {
                Ready::Gpu(Box::new(crate::gpu::Bfs::new(comm, graph, gpu, &options)?))
            }
        })
    }

    fn find(ready: &mut Ready<'_>, source: u64) -> crate::Result<BfsResult> {
        match ready {
            Ready::Cpu(searches) => searches.search(source),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Ready::Gpu(searches) => searches.search(source),
        }
    }

    fn trace(result: &BfsResult) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &BfsResult,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph, &options.of_library())
    }

    fn label(result: &BfsResult, vertex: u32) -> Cell<'static> {
        match result.levels[vertex as usize] {
            u32::MAX => Cell::Missing,
            level => Cell::Whole(level.into()),
        }
    }

    fn parents(result: &BfsResult) -> &[u64] {
        &result.parents
    }

    fn summary(result: &BfsResult) -> Summary {
        Summary { reached: result.reached, depth: Some(result.depth.into()), delta: None }
    }
}
