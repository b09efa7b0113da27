//! `equipoise-mpi components`: connected components.

use equipoise_graph::numbers;
use serde::Serialize;

use super::{
    device::Unit,
    load::Loaded,
    screen::Screen,
    steps::StepNames,
    whole_graph::{CellValue, GraphCommand},
};
use crate::{Comm, ComponentsOptions, ComponentsResult, DistGraph, Trace, components};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi components rmat:scale=16
  mpirun -n 64 equipoise-mpi components friends.csv -o components.csv";

#[derive(Debug, clap::Args)]
pub struct Command {}

/// The library has none.
#[derive(Serialize)]
pub struct Options {}

#[derive(Serialize)]
pub struct Facts {
    components: u64,
    largest: u64,
}

impl GraphCommand for Command {
    const NAME: &'static str = "components";
    const STEPS: StepNames = StepNames { index: "step", strategy: "by", frontier: "vertices" };
    const VERIFIED: &'static str = "edges join no two components, and each is called by its smallest vertex, which reaches all of it";
    const COLUMNS: [&'static str; 2] = ["vertex", "component"];

    type Options = Options;
    type Found = ComponentsResult;
    type Facts = Facts;

    fn options(&self) -> Options {
        Options {}
    }

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
        unit: &Unit,
    ) -> crate::Result<ComponentsResult> {
        let options = ComponentsOptions::default();
        match unit {
            Unit::Cpu => components(comm, graph, &options),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => crate::gpu::components(comm, graph, gpu, &options),
        }
    }

    fn trace(result: &ComponentsResult) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &ComponentsResult,
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph)
    }

    /// The name of a component is its first vertex.
    fn value(result: &ComponentsResult, vertex: u32) -> CellValue {
        CellValue::Vertex(result.labels[vertex as usize])
    }

    fn facts(result: &ComponentsResult, _comm: &dyn Comm, _loaded: &Loaded) -> Facts {
        Facts { components: result.count, largest: result.largest }
    }

    fn print(facts: &Facts, screen: &mut Screen) {
        screen.fact("found", numbers::counted(facts.components, "component", "components"));
        screen.fact("largest", numbers::counted(facts.largest, "vertex", "vertices"));
    }
}
