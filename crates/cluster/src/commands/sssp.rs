//! `equipoise-mpi sssp`: shortest paths from one source.

use serde::Serialize;

use super::{
    rows::Cell,
    search::{Search, Summary},
    steps::StepNames,
};
use crate::{Comm, DistGraph, Distances, Sssp, SsspOptions, Trace, sssp};

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

impl Search for Command {
    const NAME: &'static str = "sssp";
    const STEPS: StepNames =
        StepNames { index: "step", strategy: "strategy", frontier: "frontier" };
    const VERIFIED: &'static str = "distances and predecessors keep every rule of shortest paths";
    const COLUMNS: [&'static str; 2] = ["distance", "predecessor"];

    type Options = Options;
    type Found = Sssp;
    type Ready<'a> = (&'a dyn Comm, &'a DistGraph, SsspOptions);

    fn options(&self) -> Options {
        Options { delta: self.delta }
    }

    fn ready<'a>(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        options: &Options,
    ) -> crate::Result<Self::Ready<'a>> {
        Ok((comm, graph, SsspOptions { delta: options.delta }))
    }

    fn find((comm, graph, options): &mut Self::Ready<'_>, source: u64) -> crate::Result<Sssp> {
        sssp(*comm, graph, source, options)
    }

    fn trace(found: &Sssp) -> &Trace {
        &found.trace
    }

    fn verify(
        found: &Sssp,
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
    ) -> crate::Result<()> {
        found.verify(comm, graph)
    }

    fn label(found: &Sssp, vertex: u32) -> Cell<'static> {
        let index = vertex as usize;
        if found.distances.get(index).is_none() {
            return Cell::Missing;
        }
        match &found.distances {
            Distances::U32(all) => Cell::Whole(all[index].into()),
            Distances::U64(all) => Cell::Whole(all[index]),
            Distances::F32(all) => Cell::Single(all[index]),
            Distances::F64(all) => Cell::Double(all[index]),
        }
    }

    fn parents(found: &Sssp) -> &[u64] {
        &found.predecessors
    }

    fn summary(found: &Sssp) -> Summary {
        Summary { reached: found.reached, depth: None, delta: Some(found.delta) }
    }
}
