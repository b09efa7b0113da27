//! `equipoise-mpi sssp`: shortest paths from one source.

use equipoise_terminal::rows::Cell;
use serde::Serialize;

use super::{
    device::Unit,
    search::{Search, Summary},
    steps::StepNames,
};
use crate::{Comm, DistGraph, Distances, ShortestPaths, Sssp, SsspOptions, Trace};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi sssp grid:width=500,height=500,weights=1..1000
  mpirun -n 64 equipoise-mpi sssp roads.gr --source 1 -o distances.tsv";

#[derive(Debug, clap::Args)]
pub struct Command {
    /// The width of a bucket; without it, one that suits the graph's weights and degrees
    #[arg(long, value_name = "WIDTH")]
    delta: Option<f64>,
}

/// The library's options, for programs.
#[derive(Serialize)]
pub struct Options {
    delta: Option<f64>,
}

/// Searches on the device of a rank.
pub enum Ready<'a> {
    Cpu(ShortestPaths<'a>),
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    Gpu(Box<crate::gpu::ShortestPaths<'a>>),
}

impl Search for Command {
    const NAME: &'static str = "sssp";
    const STEPS: StepNames =
        StepNames { index: "step", strategy: "strategy", frontier: "frontier" };
    const VERIFIED: &'static str = "distances and predecessors keep every rule of shortest paths";
    const COLUMNS: [&'static str; 2] = ["distance", "predecessor"];

    type Options = Options;
    type Found = Sssp;
    type Ready<'a> = Ready<'a>;

    fn options(&self) -> Options {
        Options { delta: self.delta }
    }

    fn ready<'a>(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        options: &Options,
        unit: &Unit,
    ) -> crate::Result<Ready<'a>> {
        let options = SsspOptions { delta: options.delta };
        Ok(match unit {
            Unit::Cpu => Ready::Cpu(ShortestPaths::new(comm, graph, &options)?),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => {
                Ready::Gpu(Box::new(crate::gpu::ShortestPaths::new(comm, graph, gpu, &options)?))
            }
        })
    }

    fn find(ready: &mut Ready<'_>, source: u64) -> crate::Result<Sssp> {
        match ready {
            Ready::Cpu(paths) => paths.search(source),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Ready::Gpu(paths) => paths.search(source),
        }
    }

    fn trace(result: &Sssp) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &Sssp,
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph)
    }

    fn label(result: &Sssp, vertex: u32) -> Cell<'static> {
        let index = vertex as usize;
        if result.distances.get(index).is_none() {
            return Cell::Missing;
        }
        match &result.distances {
            Distances::U32(all) => Cell::Whole(all[index].into()),
            Distances::U64(all) => Cell::Whole(all[index]),
            Distances::F32(all) => Cell::Single(all[index]),
            Distances::F64(all) => Cell::Double(all[index]),
        }
    }

    fn parents(result: &Sssp) -> &[u64] {
        &result.predecessors
    }

    fn summary(result: &Sssp) -> Summary {
        Summary { reached: result.reached, depth: None, delta: Some(result.delta) }
    }
}
