//! BFS level by level, and whole searches next to other programs.

use std::collections::{BTreeMap, HashSet};

use super::{
    grid::{Grid, distinct},
    times,
};
use crate::{
    chart::{Axis, Chart, Mark, Plot, Point, Scale, Section, Series, Tone, View},
    data::{LevelTime, Results},
    papers::VERSTRAATEN,
    quantity::Quantity,
    table::geometric_mean,
};

/// The path of the policy.
const CHOSEN: &str = "chosen";
/// How many levels of a search are drawn: a road network has thousands.
const MOST_LEVELS: u32 = 250;
/// The fastest strategy at every level.
const OPTIMUM: &str = "fastest at each level";

pub(super) fn section(results: &Results) -> Section {
    let searches = searches(&results.levels);
    Section {
        id: "levels",
        title: "BFS level by level",
        introduction: "Every strategy at every level of a search, and the way that a policy takes \
            through them, where one was measured.",
        charts: levels(&searches).into_iter().chain(totals(results, &searches)).collect(),
    }
}

/// The levels of one search.
struct Search<'a> {
    graph: &'a str,
    source: u64,
    levels: Vec<&'a LevelTime>,
}

fn searches(levels: &[LevelTime]) -> Vec<Search<'_>> {
    let mut searches: Vec<Search> = Vec::new();
    for level in levels {
        let is_of =
            |search: &&mut Search| search.graph == level.graph && search.source == level.source;
        match searches.iter_mut().rev().find(is_of) {
            Some(search) => search.levels.push(level),
            None => {
                let (graph, source) = (&*level.graph, level.source);
                searches.push(Search { graph, source, levels: vec![level] });
            }
        }
    }
    searches
}

impl Search<'_> {
    fn strategies(&self) -> Vec<String> {
        distinct(self.levels.iter().map(|level| &*level.strategy))
    }

    /// The number of levels that any strategy ran.
    fn depth(&self) -> usize {
        let mut levels: Vec<u32> = self.levels.iter().map(|level| level.level).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len()
    }

    /// The sum of some levels, if there is one for each level.
    fn total<'b>(&self, levels: impl Iterator<Item = &'b LevelTime>) -> Option<f64> {
        let (sum, count) =
            levels.fold((0.0, 0), |(sum, count), level| (sum + level.seconds, count + 1));
        (count == self.depth()).then_some(sum)
    }

    /// The fastest of each level.
    fn optimum(&self) -> f64 {
        let mut fastest = BTreeMap::new();
        for level in &self.levels {
            let best: &mut f64 = fastest.entry(level.level).or_insert(f64::INFINITY);
            *best = best.min(level.seconds);
        }
        fastest.values().sum()
    }

    fn totals(&self) -> Vec<(String, f64)> {
        let of = |name: &str| {
            self.total(self.levels.iter().copied().filter(|level| level.strategy == name))
        };
        let strategies = self.strategies().into_iter();
        let mut totals: Vec<(String, f64)> =
            strategies.filter_map(|name| of(&name).map(|total| (name, total))).collect();
        let chosen = self.total(self.levels.iter().copied().filter(|level| level.chosen));
        totals.extend(chosen.map(|total| (CHOSEN.into(), total)));
        totals.push((OPTIMUM.into(), self.optimum()));
        totals
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
    let other_sources = (drawn.len() < searches.len())
        .then(|| "One source a graph is drawn; the results have all of them.".to_owned());
    let deepest = drawn.iter().map(|search| search.depth()).max().unwrap_or(0);
    let other_levels = (deepest > MOST_LEVELS as usize).then(|| {
        format!("Levels from {MOST_LEVELS} on are not drawn; there are {deepest} at most.")
    });
    (!searches.is_empty()).then(|| Chart {
        id: "bfs-levels".into(),
        title: "Time of each level, by strategy".into(),
        reading: reading(&drawn),
        after: VERSTRAATEN.figure("Fig. 2"),
        findings: other_sources.into_iter().chain(other_levels).collect(),
        views_are: "search",
        is_half: false,
        views: drawn.iter().map(view).collect(),
    })
}

/// What the lines are; that of the policy only where there is one.
fn reading(drawn: &[&Search]) -> String {
    let lines = "Each line is a strategy that runs every level of the same search.";
    let is_chosen = drawn.iter().any(|search| search.levels.iter().any(|level| level.chosen));
    match is_chosen {
        true => format!(
            "{lines} The thick line is the strategy that the policy chose for each level: the \
             closer to the lowest of the others, the better."
        ),
        false => lines.into(),
    }
}

fn levels_of(search: &Search) -> Plot {
    let level = Axis::new("level", Quantity::Count, Scale::Linear);
    let seconds = Axis::new("time", Quantity::Seconds, Scale::Log);
    let plot = Plot::of_points(Some("strategy"), level, seconds);
    let points = |series: &str, is_of: &dyn Fn(&LevelTime) -> bool| -> Vec<Point> {
        let is_drawn = |level: &LevelTime| level.level < MOST_LEVELS && is_of(level);
        let levels = search.levels.iter().filter(|level| is_drawn(level));
        let mut levels: Vec<&&LevelTime> = levels.collect();
        levels.sort_by_key(|level| level.level);
        levels
            .iter()
            .map(|level| Point {
                series: series.into(),
                name: Some(level.strategy.clone()),
                x: f64::from(level.level),
                y: level.seconds,
            })
            .collect()
    };
    let plot = search.strategies().iter().fold(plot, |plot, name| {
        let points = points(name, &|level| level.strategy == *name);
        plot.with_points(Series::new(name, Mark::Line), points)
    });
    match points(CHOSEN, &|level| level.chosen) {
        chosen if chosen.is_empty() => plot,
        chosen => plot.with_points(Series::new(CHOSEN, Mark::Line).toned(Tone::Strong), chosen),
    }
}

fn totals(results: &Results, searches: &[Search]) -> Option<Chart> {
    let of_searches: Vec<(&str, Vec<(String, f64)>)> =
        searches.iter().map(|search| (search.graph, search.totals())).collect();
    let ours = of_searches.iter().flat_map(|(graph, totals)| {
        totals.iter().map(move |(name, seconds)| (*graph, name.as_str(), *seconds))
    });
    let is_known = |graph: &str| searches.iter().any(|search| search.graph == graph);
    let peers = results.bfs_references.iter().filter(|peer| is_known(&peer.input));
    let peers = peers.map(|peer| (&*peer.input, &*peer.library, peer.seconds));
    let mut totals = Grid::new(ours.chain(peers)).over(|grid, graph| grid.get(graph, OPTIMUM));
    // It is 1 everywhere.
    totals.columns.retain(|name| name != OPTIMUM);
    let axis = Axis::new("time over the fastest at each level", Quantity::Ratio, Scale::Log);
    (!searches.is_empty()).then(|| Chart {
        id: "bfs-totals".into(),
        title: "Whole searches, normalised".into(),
        reading: "Each row is a graph, each point a way to search it, the median of the sources. \
            1 is a search that takes the fastest strategy at every level, which nobody knows \
            beforehand (the paper's Fig. 1 has the slowest as 1). Other programs are shown where \
            their times were given."
            .into(),
        after: VERSTRAATEN.figure("Figs. 1 and 3"),
        findings: finding(&totals).into_iter().collect(),
        views_are: "",
        is_half: false,
        views: vec![View {
            name: "all graphs".into(),
            plot: times::points_in_rows(&totals, "graph", axis, Some(CHOSEN)),
        }],
    })
}

fn finding(totals: &Grid) -> Option<String> {
    let ratios: Vec<f64> = totals.column(CHOSEN).into_iter().flatten().collect();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let (count, mean) = (ratios.len(), geometric_mean(ratios.into_iter()));
    (count > 0).then(|| {
        format!("The policy takes {mean:.2}× the optimum on average (geometric mean), {worst:.2}× at worst.")
    })
}
