//! Charts of BFS level by level, and of whole searches compared with other programs.

use std::collections::HashSet;

use super::{
    grid::Grid,
    level_search::{OPTIMUM, PREDICTED, Search, searches},
    times,
};
use crate::report::{
    chart::{Axis, Chart, Mark, Plot, Point, Scale, Section, Series, Tone, View},
    data::{LevelTime, Results},
    papers::VERSTRAATEN,
    quantity::Quantity,
    table::geometric_mean,
};

/// The maximum number of levels drawn: a road network has thousands.
const MOST_LEVELS: usize = 250;

pub(super) fn section(results: &Results) -> Section {
    let searches = searches(&results.levels);
    Section {
        id: "levels",
        title: "BFS level by level",
        introduction: "Every strategy at every level of a search, and the choices of the policy, if \
            one ran.",
        charts: levels(&searches).into_iter().chain(totals(results, &searches)).collect(),
    }
}

fn levels(searches: &[Search]) -> Option<Chart> {
    let mut graphs: HashSet<&str> = HashSet::new();
    let drawn: Vec<&Search> =
        searches.iter().filter(|search| graphs.insert(search.graph)).collect();
    let view = |search: &&Search| View {
        name: format!("{}, from {}", search.graph, search.source),
        plot: levels_of(search),
    };
    let findings = [spread(searches), other_sources(&drawn, searches), other_levels(&drawn)];
    (!searches.is_empty()).then(|| Chart {
        id: "bfs-levels".into(),
        title: "Time of each level, by strategy".into(),
        reading: reading(&drawn),
        after: Some(VERSTRAATEN.figure("Fig. 2")),
        findings: findings.into_iter().flatten().collect(),
        views_are: "search",
        is_half: false,
        views: drawn.iter().map(view).collect(),
    })
}

/// The ratio of the slowest to the fastest at a level, over all levels.
fn spread(searches: &[Search]) -> Option<String> {
    let levels = searches.iter().flat_map(|search| search.by_level().into_values());
    let ratio = |level: Vec<&LevelTime>| {
        let seconds = || level.iter().map(|time| time.seconds).filter(|&seconds| seconds > 0.0);
        let (low, high) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
        (seconds().count() > 1).then_some(high / low)
    };
    let ratios: Vec<f64> = levels.filter_map(ratio).collect();
    let far = ratios.iter().filter(|&&ratio| ratio > 100.0).count();
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let share = 100.0 * far as f64 / ratios.len().max(1) as f64;
    (!ratios.is_empty()).then(|| {
        format!(
            "The slowest takes over 100 times as long as the fastest at {share:.0} % of the levels, \
             {most:.0} times at most."
        )
    })
}

fn other_sources(drawn: &[&Search], searches: &[Search]) -> Option<String> {
    (drawn.len() < searches.len())
        .then(|| "One source a graph is drawn; the results have all of them.".to_owned())
}

fn other_levels(drawn: &[&Search]) -> Option<String> {
    let deepest = drawn.iter().map(|search| search.depth()).max().unwrap_or(0);
    let not_drawn = (deepest > MOST_LEVELS)
        .then(|| format!("Of {deepest} levels at most, the first {MOST_LEVELS} are drawn."));
    let some_left_out = drawn.iter().any(|search| !search.is_whole());
    not_drawn.or_else(|| {
        some_left_out.then(|| {
            "Of searches with many levels some were measured, evenly spread: their sums are of these."
                .to_owned()
        })
    })
}

/// Explains the lines that are drawn.
fn reading(drawn: &[&Search]) -> String {
    let lines = "Each line is a strategy that runs every level of the same search, with the \
        settings that are the fastest at each level.";
    if drawn.iter().any(|search| search.has_path()) {
        format!(
            "{lines} The thick line is what the policy chose for each level: the closer to the \
             lowest of the others, the better."
        )
    } else {
        lines.into()
    }
}

fn levels_of(search: &Search) -> Plot {
    let level = Axis::new("level", Quantity::Count, Scale::Linear);
    let seconds = Axis::new("time", Quantity::Seconds, Scale::Log);
    let plot = Plot::of_points(Some("strategy"), level, seconds);
    let plot = search.strategies().iter().fold(plot, |plot, name| {
        let points = points(name, &search.fastest_of(name));
        plot.with_points(Series::new(name, Mark::Line), points)
    });
    match search.path() {
        path if path.is_empty() => plot,
        path => plot.with_points(
            Series::new(PREDICTED, Mark::Line).toned(Tone::Strong),
            points(PREDICTED, &path),
        ),
    }
}

fn points(series: &str, levels: &[&LevelTime]) -> Vec<Point> {
    let point = |level: &&LevelTime| Point {
        series: series.into(),
        name: Some(level.strategy.clone()),
        x: f64::from(level.level),
        y: level.seconds,
    };
    levels.iter().take(MOST_LEVELS).map(point).collect()
}

fn totals(results: &Results, searches: &[Search]) -> Option<Chart> {
    let of_searches: Vec<(&str, Vec<(String, f64)>)> =
        searches.iter().map(|search| (search.graph, search.totals())).collect();
    let ours = of_searches.iter().flat_map(|(graph, totals)| {
        totals.iter().map(move |(name, seconds)| (*graph, name.as_str(), *seconds))
    });
    // Times of whole searches are compared only with sums over all levels.
    let is_whole = |graph: &str| {
        searches.iter().any(|search| search.graph == graph)
            && searches.iter().all(|search| search.graph != graph || search.is_whole())
    };
    let peers = results.bfs_references.iter().filter(|peer| is_whole(&peer.input));
    let peers = peers.map(|peer| (&*peer.input, &*peer.library, peer.seconds));
    let mut totals = Grid::new(ours.chain(peers)).over(|grid, graph| grid.get(graph, OPTIMUM));
    // It is 1 everywhere.
    totals.columns.retain(|name| name != OPTIMUM);
    let axis = Axis::new("time over the fastest at each level", Quantity::Ratio, Scale::Log);
    let omission = results.bfs_references.iter().any(|peer| {
        !is_whole(&peer.input) && searches.iter().any(|search| search.graph == peer.input)
    });
    let omission = omission.then(|| {
        "Other programs are not shown beside searches of which some levels were measured."
            .to_owned()
    });
    (!searches.is_empty()).then(|| Chart {
        id: "bfs-totals".into(),
        title: "Whole searches, normalised".into(),
        reading: "Each row is a graph, each point a way to search it, the median of the sources. \
            1 is a search that takes the fastest strategy at every level, which nobody knows \
            beforehand (the paper's Fig. 1 has the slowest as 1). A strategy keeps its settings \
            through a search, the best ones. Other programs are shown where their times were given."
            .into(),
        after: Some(VERSTRAATEN.figure("Figs. 1 and 3")),
        findings: finding(&totals).into_iter().chain(omission).collect(),
        views_are: "",
        is_half: false,
        views: vec![View {
            name: "all graphs".into(),
            plot: times::points_in_rows(&totals, "graph", axis, Some(PREDICTED)),
        }],
    })
}

fn finding(totals: &Grid) -> Option<String> {
    let ratios: Vec<f64> = totals.column(PREDICTED).into_iter().flatten().collect();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let (count, mean) = (ratios.len(), geometric_mean(ratios.into_iter()));
    (count > 0).then(|| {
        format!("The policy takes {mean:.2}× the optimum on average (geometric mean), {worst:.2}× at worst.")
    })
}
