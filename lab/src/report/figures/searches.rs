//! Charts of BFS and SSSP by strategy.

use super::{
    grid::{distinct, sentence_list},
    ranks,
    search_grids::{device_bytes, grid, id_of, lines_of_code},
    splitting,
    times::{self, Parts},
};
use crate::report::{
    chart::{Chart, Section, View},
    data::{Results, SearchTime},
    papers::{Figure, RAVAL},
    quantity::Quantity,
};

pub(super) fn section(results: &Results) -> Section {
    let algorithms = distinct(results.searches.iter().map(|time| &*time.algorithm));
    let charts = algorithms.iter().flat_map(|algorithm| charts(results, algorithm));
    let charts = charts.chain(splitting::charts(results));
    Section {
        id: "searches",
        title: "Searches by strategy",
        introduction: "BFS and SSSP by every strategy of spreading a frontier over threads, \
            and what the strategies cost in memory and code.",
        charts: charts.collect(),
    }
}

fn charts(results: &Results, algorithm: &str) -> Vec<Chart> {
    let of_algorithm = |time: &&SearchTime| time.algorithm == algorithm;
    let times: Vec<&SearchTime> = results.searches.iter().filter(of_algorithm).collect();
    let charts = [overview(results, algorithm, &times), parts(algorithm, &times)];
    charts.into_iter().chain(ranks::chart(algorithm, &times)).collect()
}

fn figure(algorithm: &str) -> Figure {
    RAVAL.figure(match algorithm {
        "bfs" => "Fig. 8",
        "sssp" => "Fig. 7",
        _ => "Figs. 7 and 8",
    })
}

fn overview(results: &Results, algorithm: &str, times: &[&SearchTime]) -> Chart {
    let seconds = grid(times, |time| Some(time.search_seconds()));
    let not_run = results.refusals.iter().filter(|refusal| refusal.algorithm == algorithm);
    let not_run = not_run
        .map(|refusal| format!("{} on {} ({})", refusal.strategy, refusal.graph, refusal.reason));
    let not_run = sentence_list(not_run.collect(), 6);
    let not_run = (!not_run.is_empty()).then(|| format!("Not run: {not_run}."));
    let name = algorithm.to_uppercase();
    Chart {
        id: format!("{}-strategies", id_of(algorithm)),
        title: format!("{name}: every strategy on every graph"),
        reading:
            "Each row is a graph, each point a strategy: 1 is the fastest of that graph, and a \
            point at 10 took ten times as long. Kernels and overhead, without preparation."
                .into(),
        after: Some(figure(algorithm)),
        findings: times::fastest(&seconds, "graphs").into_iter().chain(not_run).collect(),
        views_are: "",
        is_half: false,
        views: vec![View {
            name: "all graphs".into(),
            plot: times::over_the_fastest(seconds, "graph"),
        }],
    }
}

fn parts(algorithm: &str, times: &[&SearchTime]) -> Chart {
    let parts = Parts {
        grids: vec![
            ("kernel", grid(times, |time| Some(time.kernel_seconds))),
            ("overhead", grid(times, |time| Some(time.overhead_seconds))),
            ("preparation", grid(times, |time| Some(time.prepare_seconds))),
        ],
        further: [
            ("device memory", Quantity::Bytes, device_bytes(times)),
            ("lines of code", Quantity::Count, lines_of_code(times)),
        ]
        .into_iter()
        .filter(|(_, _, grid)| !grid.rows.is_empty())
        .collect(),
    };
    Chart {
        id: format!("{}-parts", id_of(algorithm)),
        title: format!("{}: where the time goes", algorithm.to_uppercase()),
        reading: "A bar is a strategy, the fastest first: time in the kernels of the search, \
            overhead around them, and preparation, which is paid once a graph."
            .into(),
        after: Some(figure(algorithm)),
        findings: Vec::new(),
        views_are: "graph",
        is_half: false,
        views: parts.views("strategy"),
    }
}
