//! Whole-graph algorithms on the cpu, compared with the GAP Benchmark Suite if `--gap DIR` names
//! its folder.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::Parser;
use equipoise::{
    betweenness::{BetweennessOptions, betweenness},
    components::{ComponentsOptions, components},
    graph::{
        Graph,
        generate::Spec,
        io::{ReadOptions, read_graph, write_graph},
    },
    pagerank::{PageRankOptions, pagerank},
    triangles::{TrianglesOptions, triangles},
};
use equipoise_benches::{
    Result,
    gap::WholeGraph,
    library::{sources, specs},
    measure::{Timed, alternate, milliseconds, table, timed, times_as_fast, use_threads},
};

/// Algorithms on whole graphs on the cpu, beside GAP's.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench whole_graphs --")]
struct Options {
    /// The graphs have about 2^SCALE vertices.
    #[arg(long, default_value_t = 18)]
    scale: u32,
    /// Compare with the programs of the GAP Benchmark Suite in this folder, on the same files and with as many threads.
    #[arg(long, value_name = "DIR")]
    gap: Option<PathBuf>,
    /// How often to repeat each.
    #[arg(long, default_value = "3")]
    repeats: NonZeroUsize,
    /// Only the algorithms whose names have this in them.
    #[arg(long, value_name = "PART", default_value = "", hide_default_value = true)]
    only: String,
    /// How many threads to use [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Said by `cargo bench`; without it nothing is measured.
    #[arg(long, hide = true)]
    bench: bool,
}

/// An algorithm in Equipoise and in GAP.
struct Algorithm {
    name: &'static str,
    /// Returns the time of our implementation, after verifying its result.
    ours: fn(&Graph) -> Result<Duration>,
    /// GAP's program, and its arguments for timing.
    program: &'static str,
    arguments: &'static [&'static str],
}

const ALGORITHMS: &[Algorithm] = &[
    Algorithm { name: "components", ours: our_components, program: "cc", arguments: &[] },
    Algorithm {
        name: "pagerank, 20 iterations",
        ours: our_pagerank,
        program: "pr",
        arguments: &["-i", "20", "-t", "0"],
    },
    Algorithm { name: "triangles", ours: our_triangles, program: "tc", arguments: &[] },
    Algorithm {
        name: "betweenness, 4 sources",
        ours: our_betweenness,
        program: "bc",
        arguments: &["-i", "4"],
    },
];

/// The result and the time of the second of two successive calls, like GAP's second trial.
fn second<T>(call: impl Fn() -> equipoise::Result<T>) -> Result<(T, Duration)> {
    drop(call()?);
    timed(|| Ok(call()?))
}

fn our_components(graph: &Graph) -> Result<Duration> {
    let options = ComponentsOptions::default();
    let (result, time) = second(|| components(graph, &options))?;
    result.verify(graph)?;
    Ok(time)
}

fn our_pagerank(graph: &Graph) -> Result<Duration> {
    let options =
        PageRankOptions { max_iterations: 20, tolerance: 0.0, ..PageRankOptions::default() };
    let (result, time) = second(|| pagerank(graph, &options))?;
    result.verify(graph, &options)?;
    Ok(time)
}

fn our_triangles(graph: &Graph) -> Result<Duration> {
    let (result, time) = second(|| triangles(graph, &TrianglesOptions::default()))?;
    result.verify(graph)?;
    Ok(time)
}

/// From vertices that reach many others; GAP takes any that have an edge.
fn our_betweenness(graph: &Graph) -> Result<Duration> {
    let sources = Some(sources(graph, 4)?);
    let options = BetweennessOptions { sources, ..BetweennessOptions::default() };
    let (result, time) = second(|| betweenness(graph, &options))?;
    result.verify(graph, &options)?;
    Ok(time)
}

fn main() -> Result<()> {
    let options = Options::parse();
    if !options.bench {
        println!("nothing is measured: run this with `cargo bench`");
        return Ok(());
    }
    let threads = use_threads(options.threads)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("graph.sg");
    println!("{threads} threads");
    let mut table = table(&["graph", "algorithm", "equipoise", "GAP", "times as fast"], 2);
    for spec in specs(options.scale) {
        write_graph(&spec.parse::<Spec>()?.generate()?, &file, None)?;
        let graph = read_graph(&file, &ReadOptions::default())?;
        let selected = ALGORITHMS.iter().filter(|algorithm| algorithm.name.contains(&options.only));
        for Algorithm { name, ours, program, arguments } in selected {
            eprintln!("{spec}, {name}");
            let mut works: Vec<Timed> = vec![Box::new(|| ours(&graph))];
            if let Some(programs) = &options.gap {
                let gap = WholeGraph { programs, program, graph: &file, threads };
                gap.check()?;
                works.push(Box::new(move || gap.time(arguments)));
            }
            let times = alternate(&mut works, options.repeats.get())?;
            let ours = times[0];
            let (theirs, ratio) = match times.get(1) {
                Some(&theirs) => (milliseconds(theirs), times_as_fast(ours, theirs)),
                None => (String::new(), String::new()),
            };
            table.add_row([&spec, *name, &milliseconds(ours), &theirs, &ratio]);
        }
    }
    println!("{table}");
    Ok(())
}
