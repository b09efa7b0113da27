//! `equipoise-mpi spmv`: a sparse matrix times a vector.

use equipoise_graph::numbers;
use equipoise_terminal::rows::{Cell, json_number};
use serde::Serialize;

use super::{
    device::Unit,
    load::Loaded,
    runs::Runs,
    screen::Screen,
    steps::StepNames,
    whole_graph::{CellValue, GraphCommand},
};
use crate::{Comm, DistGraph, Numbers, Spmv, SpmvOptions, Trace, spmv};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi spmv rmat:scale=16
  mpirun -n 64 equipoise-mpi spmv matrix.mtx --seed 7 --repeat 10 -o y.tsv";

#[derive(Debug, clap::Args)]
pub struct Command {
    /// The seed of the vector
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
    precision: &'static str,
    rows: u64,
    #[serde(serialize_with = "json_number")]
    sum: f64,
}

impl GraphCommand for Command {
    const NAME: &'static str = "spmv";
    const STEPS: StepNames = StepNames { index: "product", strategy: "work", frontier: "rows" };
    const VERIFIED: &'static str = "each number is as near as its precision allows";
    const COLUMNS: [&'static str; 2] = ["row", "value"];

    type Options = Options;
    type Found = Spmv;
    type Facts = Facts;

    fn options(&self) -> Options {
        Options { seed: self.seed }
    }

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Options,
        unit: &Unit,
    ) -> crate::Result<Spmv> {
        let options = SpmvOptions { seed: options.seed, repeats: 1 };
        match unit {
            Unit::Cpu => spmv(comm, graph, &options),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => crate::gpu::spmv(comm, graph, gpu, &options),
        }
    }

    fn trace(result: &Spmv) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &Spmv,
        comm: &dyn Comm,
        graph: &DistGraph,
        _options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph)
    }

    fn value(result: &Spmv, vertex: u32) -> CellValue {
        let index = vertex as usize;
        CellValue::Number(match &result.y {
            Numbers::F32(y) => Cell::Single(y[index]),
            Numbers::F64(y) => Cell::Double(y[index]),
        })
    }

    fn facts(result: &Spmv, comm: &dyn Comm, loaded: &Loaded) -> Facts {
        let (precision, mut sum) = match &result.y {
            Numbers::F32(y) => ("f32", [y.iter().map(|&value| f64::from(value)).sum()]),
            Numbers::F64(y) => ("f64", [y.iter().sum()]),
        };
        comm.all_sum(&mut sum);
        // A sum of no numbers is -0.
        Facts { precision, rows: loaded.graph.vertices_total(), sum: sum[0] + 0.0 }
    }

    fn print(facts: &Facts, screen: &mut Screen) {
        let rows = numbers::count(facts.rows);
        screen.fact("product", format_args!("{rows} numbers, sum {}", facts.sum));
    }

    fn print_rate(loaded: &Loaded, runs: &Runs, screen: &mut Screen) {
        let entries = loaded.graph.edges_total();
        let rate = numbers::rate(entries.saturating_mul(2), runs.time(), "FLOP/s");
        if let Some(rate) = rate.filter(|_| entries > 0) {
            screen.fact("rate", format_args!("{rate} (two for each multiplication)"));
        }
    }
}
