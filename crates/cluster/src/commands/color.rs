//! `equipoise-mpi color`: vertex coloring.

use equipoise_graph::numbers;
use equipoise_terminal::rows::Cell;
use serde::Serialize;

use super::{
    device::Unit,
    load::Loaded,
    screen::Screen,
    steps::StepNames,
    whole_graph::{CellValue, GraphCommand},
};
use crate::{ColorOptions, Coloring, Comm, DistGraph, Trace, color};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi color rmat:scale=16
  mpirun -n 64 equipoise-mpi color roads.gr -o colors.csv";

#[derive(Debug, clap::Args)]
pub struct Command {
    /// The seed of the priorities
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// The library's options, for programs.
#[derive(Serialize)]
pub struct Options {
    seed: u64,
}

#[derive(Serialize)]
pub struct Facts {
    strategy: &'static str,
    colors: u32,
    iterations: usize,
}

impl GraphCommand for Command {
    const NAME: &'static str = "color";
    const STEPS: StepNames =
        StepNames { index: "iteration", strategy: "order", frontier: "colored" };
    const VERIFIED: &'static str = "no edge joins two vertices of one color";
    const COLUMNS: [&'static str; 2] = ["vertex", "color"];

    type Options = Options;
    type Found = Coloring;
    type Facts = Facts;

    fn options(&self) -> Options {
        Options { seed: self.seed }
    }

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Options,
        unit: &Unit,
    ) -> crate::Result<Coloring> {
        let options = ColorOptions { seed: options.seed };
        match unit {
            Unit::Cpu => color(comm, graph, &options),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => crate::gpu::color(comm, graph, gpu, &options),
        }
    }

    fn trace(result: &Coloring) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &Coloring,
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph)
    }

    fn value(result: &Coloring, vertex: u32) -> CellValue {
        CellValue::Number(Cell::Whole(result.colors[vertex as usize].into()))
    }

    fn facts(result: &Coloring, _comm: &dyn Comm, _loaded: &Loaded) -> Facts {
        let iterations = result.trace.steps.len();
        Facts { strategy: "jones-plassmann", colors: result.count, iterations }
    }

    fn print(facts: &Facts, screen: &mut Screen) {
        let Facts { strategy, colors, iterations } = facts;
        let in_all = numbers::counted(*iterations as u64, "iteration", "iterations");
        screen.fact("colors", format_args!("{colors} ({strategy}), in {in_all}"));
    }
}
