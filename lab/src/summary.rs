//! A table of the fastest strategy of each experiment on each graph.

use std::time::Duration;

use equipoise::graph::numbers;
use equipoise_cli::table::{Column, draw};

use crate::report::Results;

/// One time: the task, the graph, and the method.
struct Time<'a> {
    what: &'a str,
    graph: &'a str,
    by: &'a str,
    seconds: f64,
}

/// A row for each algorithm and graph.
pub fn table(results: &Results) -> String {
    let columns = [
        Column::Left("algorithm"),
        Column::Left("graph"),
        Column::Left("fastest"),
        Column::Right("time"),
        Column::Left("slowest"),
        Column::Right("time"),
    ];
    let times = times(results);
    let mut groups: Vec<Vec<&Time>> = Vec::new();
    for time in &times {
        let is_of = |group: &&mut Vec<&Time>| {
            group.first().is_some_and(|first| (first.what, first.graph) == (time.what, time.graph))
        };
        match groups.iter_mut().find(is_of) {
            Some(group) => group.push(time),
            None => groups.push(vec![time]),
        }
    }
    draw(&columns, groups.iter_mut().filter_map(|group| row(group)))
}

fn row(group: &mut [&Time]) -> Option<Vec<String>> {
    group.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let (fastest, slowest) = (group.first()?, group.last()?);
    let shown = |time: &Time| numbers::time(Duration::from_secs_f64(time.seconds));
    Some(vec![
        fastest.what.to_owned(),
        fastest.graph.to_owned(),
        fastest.by.to_owned(),
        shown(fastest),
        slowest.by.to_owned(),
        shown(slowest),
    ])
}

/// The times of tasks with several methods, grouped by graph.
fn times(results: &Results) -> Vec<Time<'_>> {
    let searches = results.searches.iter().map(|time| Time {
        what: &time.algorithm,
        graph: &time.graph,
        by: &time.strategy,
        seconds: time.search_seconds(),
    });
    let spmv = results.spmv.iter().map(|time| Time {
        what: "spmv",
        graph: &time.matrix,
        by: &time.schedule,
        seconds: time.seconds,
    });
    let coloring = results.coloring.iter().map(|time| Time {
        what: "color",
        graph: &time.graph,
        by: &time.strategy,
        seconds: time.seconds,
    });
    let apsp = results.apsp.iter().map(|time| Time {
        what: "apsp",
        graph: &time.graph,
        by: &time.method,
        seconds: time.seconds,
    });
    let whole_graphs = results.whole_graphs.iter().map(|time| Time {
        what: &time.method,
        graph: &time.graph,
        by: "auto",
        seconds: time.seconds,
    });
    searches.chain(spmv).chain(coloring).chain(apsp).chain(whole_graphs).collect()
}

#[cfg(test)]
mod tests {
    use crate::report::data::ColoringTime;

    use super::*;

    #[test]
    fn the_extremes_of_each_graph_are_reported() {
        let mut results = Results::new("a run", "today");
        for (strategy, seconds) in [("hybrid", 0.003), ("greedy", 0.001), ("multi-hash", 0.002)] {
            let (graph, strategy) = ("star".into(), strategy.into());
            results.coloring.push(ColoringTime { graph, strategy, seconds, colors: 2 });
        }
        let table = table(&results);
        let row = table.lines().last().unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["color", "star", "greedy", "1.00", "ms", "hybrid", "3.00", "ms"]);
    }
}
