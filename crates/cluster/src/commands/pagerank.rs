//! `equipoise-mpi pagerank`: PageRank.

use equipoise_graph::numbers;
use equipoise_terminal::rows::Cell;
use serde::Serialize;

use super::{
    device::Unit,
    ids::{self, Id},
    load::Loaded,
    screen::Screen,
    steps::StepNames,
    whole_graph::{CellValue, GraphCommand},
};
use crate::{Comm, DistGraph, PageRank, PageRankOptions, Trace, pagerank};

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi pagerank rmat:scale=16
  mpirun -n 64 equipoise-mpi pagerank links.csv -o ranks.csv --tolerance 1e-4";

/// The number of printed vertices.
const SHOWN: usize = 5;

#[derive(Debug, clap::Args)]
pub struct Command {
    /// The share of steps that follow an edge, 0 to 1: the others start anew
    #[arg(long, value_name = "SHARE", default_value_t = 0.85)]
    damping: f64,
    /// Stop once an iteration changes the ranks by no more than this, all of them together
    #[arg(long, value_name = "CHANGE", default_value_t = 1e-6)]
    tolerance: f64,
    /// The most iterations, 1 to 100000: ranks that have not converged by then are an error, unless the tolerance is 0
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_iterations: u32,
    /// Make exactly this many iterations, 1 to 100000, whether or not the ranks converge
    #[arg(long, value_name = "N", conflicts_with_all = ["max_iterations", "tolerance"])]
    iterations: Option<u32>,
    /// Follow all edges of a vertex equally often, whatever their weights
    #[arg(long)]
    unweighted: bool,
}

/// The library's options, for programs.
#[derive(Serialize)]
pub struct Options {
    damping: f64,
    tolerance: f64,
    max_iterations: u32,
    iterations: Option<u32>,
    unweighted: bool,
}

impl Options {
    fn of_library(&self) -> PageRankOptions {
        let &Self { damping, tolerance, max_iterations, iterations, unweighted } = self;
        PageRankOptions { damping, tolerance, max_iterations, iterations, unweighted }
    }
}

#[derive(Serialize)]
pub struct Facts {
    iterations: u32,
    change: f64,
    converged: bool,
    highest: Vec<Ranked>,
}

#[derive(Serialize)]
struct Ranked {
    vertex: Id,
    rank: f64,
}

impl GraphCommand for Command {
    const NAME: &'static str = "pagerank";
    const STEPS: StepNames =
        StepNames { index: "iteration", strategy: "direction", frontier: "vertices" };
    const VERIFIED: &'static str =
        "one more iteration changes the ranks no more than it may, and they add up to 1";
    const COLUMNS: [&'static str; 2] = ["vertex", "rank"];

    type Options = Options;
    type Found = PageRank;
    type Facts = Facts;

    fn options(&self) -> Options {
        let &Self { damping, tolerance, max_iterations, iterations, unweighted } = self;
        Options { damping, tolerance, max_iterations, iterations, unweighted }
    }

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Options,
        unit: &Unit,
    ) -> crate::Result<PageRank> {
        let options = options.of_library();
        match unit {
            Unit::Cpu => pagerank(comm, graph, &options),
            #[cfg(any(feature = "cuda", feature = "wgpu"))]
            Unit::Gpu(gpu) => crate::gpu::pagerank(comm, graph, gpu, &options),
        }
    }

    fn trace(result: &PageRank) -> &Trace {
        &result.trace
    }

    fn verify(
        result: &PageRank,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Options,
    ) -> crate::Result<()> {
        result.verify(comm, graph, &options.of_library())
    }

    fn value(result: &PageRank, vertex: u32) -> CellValue {
        CellValue::Number(Cell::Double(result.ranks[vertex as usize]))
    }

    fn facts(result: &PageRank, comm: &dyn Comm, loaded: &Loaded) -> Facts {
        let &PageRank { iterations, change, converged, .. } = result;
        let called = |vertex| ids::of_one(comm, &loaded.ids, &loaded.graph.partition, vertex);
        let highest = highest(result, comm, loaded).into_iter();
        let highest =
            highest.map(|(vertex, rank)| Ranked { vertex: called(vertex), rank }).collect();
        Facts { iterations, change, converged, highest }
    }

    fn print(facts: &Facts, screen: &mut Screen) {
        let shown = |ranked: &Ranked| format!("{} ({:.3e})", ranked.vertex, ranked.rank);
        if !facts.highest.is_empty() {
            let shown: Vec<String> = facts.highest.iter().map(shown).collect();
            screen.fact("highest", shown.join(", "));
        }
        let iterations = numbers::counted(facts.iterations.into(), "iteration", "iterations");
        let settled = if facts.converged { "settled" } else { "not settled" };
        let change = facts.change;
        screen.fact(
            "ranks",
            format_args!("{settled} after {iterations}, the last changed {change:.1e}"),
        );
    }
}

/// The vertices of the highest PageRank, from those of each rank.
fn highest(result: &PageRank, comm: &dyn Comm, loaded: &Loaded) -> Vec<(u64, f64)> {
    let first = loaded.graph.partition.range(comm.rank()).start;
    let mine = top((first..).zip(result.ranks.iter().copied()).collect());
    let bytes: Vec<u8> = mine
        .iter()
        .flat_map(|(vertex, rank)| [*vertex, rank.to_bits()])
        .flat_map(u64::to_le_bytes)
        .collect();
    let all = comm.all_gather(&bytes).concat();
    let pairs = all.as_chunks::<8>().0.as_chunks::<2>().0;
    let pair = |[vertex, rank]: &[[u8; 8]; 2]| {
        (u64::from_le_bytes(*vertex), f64::from_bits(u64::from_le_bytes(*rank)))
    };
    top(pairs.iter().map(pair).collect())
}

/// The highest values; of equal ones, the smaller vertex first.
fn top(mut ranked: Vec<(u64, f64)>) -> Vec<(u64, f64)> {
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(SHOWN);
    ranked
}
