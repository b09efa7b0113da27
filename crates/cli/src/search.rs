//! The results of searches from one or several sources, as text and as JSON.

use std::time::Duration;

use equipoise::{
    LoadedGraph, Trace,
    algorithm::{SearchTree, Table, Value, Values, Verification},
    graph::Graph,
    traversal::TraversalSettings,
};
use serde::{Serialize, Serializer};

use crate::{
    edges,
    failure::Result,
    ids::Id,
    levels::{self, Level},
    measure::{Copied, Runs},
    numbers,
    screen::Screen,
    steps::{self, StepNames},
    table::{Column, draw_shortened},
    trace_file::{TraceFile, TracedRun},
};

/// Vertices of a path that are printed at each end of a long one.
const ENDS_OF_PATH: usize = 8;

/// One search.
#[derive(Serialize)]
pub struct Search {
    /// The id of the vertex it started from.
    pub source: Id,
    /// The facts of its algorithm.
    #[serde(flatten, serialize_with = "known")]
    pub facts: Vec<(&'static str, Value)>,
    /// The edges that leave reached vertices, each undirected one counted once. Unknown if the search may have stopped
    /// early.
    pub traversed_edges: Option<u64>,
    /// The result for the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The searches of the pass that `runs` and `trace` describe.
    #[serde(rename = "searches_in_pass", skip_serializing_if = "is_one")]
    pub in_pass: u32,
    pub runs: Runs,
    /// The levels, if the device ran several per step of `trace`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
    pub trace: Trace,
    /// The bytes copied to the device and back.
    #[serde(skip)]
    pub copied: Copied,
    /// The lines of its algorithm for people.
    #[serde(skip)]
    pub lines: Vec<(&'static str, String)>,
    /// The vertices reached.
    #[serde(skip)]
    pub reached: u32,
    /// Whether all reachable vertices were reached: the search did not stop early. Otherwise it is unknown whether
    /// other vertices are reachable.
    #[serde(skip)]
    pub complete: bool,
}

/// The facts that have a value.
fn known<S: Serializer>(facts: &[(&str, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    let known = facts.iter().filter(|(_, value)| *value != Value::Missing);
    serializer.collect_map(known.map(|(name, value)| (name, value)))
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

/// The target of a search.
#[derive(Serialize)]
pub struct Target {
    pub id: Id,
    /// The length of the path, if the target was reached.
    pub distance: Option<f64>,
    /// The ids on the path, both ends included.
    pub path: Option<Vec<Id>>,
}

/// The bytes that a search copies: the graph, and two numbers per vertex back.
pub fn copied(loaded: &LoadedGraph) -> Copied {
    Copied { up: loaded.bytes_on_device(), down: 8 * u64::from(loaded.graph().vertices()) }
}

/// Prints one search in full, or several as a table with totals.
pub fn print(
    searches: &[Search],
    graph: &Graph,
    names: &StepNames,
    screen: &mut Screen,
) -> Result<()> {
    match searches {
        [only] => only.print(graph, names, screen),
        several => print_several(several, graph, names, screen),
    }
}

/// Prints the most edges per unit, if the strategy has such a number.
pub fn print_most_edges(
    settings: &TraversalSettings,
    strategy: &str,
    graph: &Graph,
    screen: &mut Screen,
) -> Result<()> {
    if !["split", "hierarchy"].contains(&strategy) {
        return Ok(());
    }
    let most = settings.most_edges(graph);
    let larger = (0..graph.vertices()).filter(|&vertex| graph.degree(vertex) > most as usize);
    let share = 100.0 * larger.count() as f64 / f64::from(graph.vertices().max(1));
    let origin = match settings.mdt {
        Some(_) => "as asked".into(),
        None => format!("from {} bins of degrees", settings.bins),
    };
    let what = if strategy == "split" { "are split" } else { "have more" };
    screen.fact(
        "most edges",
        format_args!("{most} a unit ({origin}); {share:.2} % of all vertices {what}"),
    )
}

/// Writes the traces of all searches to the file.
pub fn write_traces(searches: &[Search], file: &TraceFile) -> Result<()> {
    let runs: Vec<TracedRun> = searches
        .iter()
        .map(|search| TracedRun { source: Some(&search.source), trace: &search.trace })
        .collect();
    file.write(&runs)
}

impl Search {
    fn print(&self, graph: &Graph, names: &StepNames, screen: &mut Screen) -> Result<()> {
        self.print_steps(names, screen)?;
        for (name, text) in &self.lines {
            screen.fact(name, text)?;
        }
        self.runs.print_with(self.copied, screen)?;
        print_rate(self.traversed_edges, self.runs.time(), graph, screen)?;
        if let Some(target) = &self.target {
            target.print(self, screen)?;
        }
        self.runs.print_verdict(screen)
    }

    /// Prints the levels if known, or else the steps; both if verbose.
    fn print_steps(&self, names: &StepNames, screen: &mut Screen) -> Result<()> {
        levels::print(screen, &self.levels)?;
        if self.levels.is_empty() || screen.is_verbose() {
            steps::print(screen, &self.trace, names)?;
        }
        Ok(())
    }

    fn row(&self) -> Vec<String> {
        let time = self.runs.time();
        let depth = self.facts.iter().find(|(name, _)| *name == "depth");
        let rate = self.traversed_edges.and_then(|edges| numbers::rate(edges, time, "TEPS"));
        vec![
            self.source.to_string(),
            numbers::count(self.reached.into()),
            depth.map_or_else(|| "-".into(), |(_, depth)| depth.to_string()),
            self.trace.steps.len().to_string(),
            numbers::time(time),
            rate.unwrap_or_else(|| "-".into()),
        ]
    }
}

fn print_several(
    searches: &[Search],
    graph: &Graph,
    names: &StepNames,
    screen: &mut Screen,
) -> Result<()> {
    if screen.is_verbose() {
        for search in searches {
            screen.line(format_args!("\nfrom {}", search.source))?;
            search.print_steps(names, screen)?;
        }
    }
    let columns = ["source", "reached", "depth", "steps", "time", "rate"].map(Column::Right);
    let row = |index: usize| searches[index].row();
    let table = draw_shortened(&columns, searches.len(), screen.is_verbose(), row);
    screen.line(format_args!("\n{table}\n"))?;

    let Some(first) = searches.first() else { return Ok(()) };
    let total: Duration = searches.iter().map(|search| search.runs.time() / search.in_pass).sum();
    let (time, count, note) = (numbers::time(total), searches.len(), first.runs.note());
    screen.fact("time", format_args!("{time} for {count} searches (each {note})"))?;
    let stopped = searches.iter().filter(|search| !search.complete).count();
    if stopped > 0 {
        screen.fact(
            "stopped",
            format_args!("{stopped} of {count} early, as asked: some vertices are farther away"),
        )?;
    }
    let edges = searches.iter().map(|search| search.traversed_edges).sum();
    print_rate(edges, total, graph, screen)?;
    for search in searches {
        if let Some(target) = &search.target {
            target.print(search, screen)?;
        }
    }
    let time = searches.iter().map(|search| search.runs.verification.time).sum();
    let verification = Verification { time, ..first.runs.verification.clone() };
    Runs { verification, ..first.runs.clone() }.print_verdict(screen)
}

fn print_rate(
    edges: Option<u64>,
    time: Duration,
    graph: &Graph,
    screen: &mut Screen,
) -> Result<()> {
    let edges = edges.filter(|&edges| edges > 0);
    match edges.and_then(|edges| numbers::rate(edges, time, "TEPS")) {
        Some(rate) => screen.fact("rate", format_args!("{rate} ({})", edges::unit(graph))),
        None => Ok(()),
    }
}

impl Target {
    /// The result for a target; the table of the search has the distances first.
    pub fn new(graph: &Graph, tree: &SearchTree, table: &Table, target: u32) -> Self {
        let path = tree.path_to(target);
        let distance = table.columns.first().and_then(|column| match &column.values {
            Values::U32(levels) => levels.get(target as usize).map(|&level| level.into()),
            Values::Distances(distances) => distances.get(target as usize),
            _ => None,
        });
        Self {
            id: Id::new(graph, target),
            distance: distance.filter(|_| path.is_some()),
            path: path.map(|path| path.into_iter().map(|vertex| Id::new(graph, vertex)).collect()),
        }
    }

    fn print(&self, search: &Search, screen: &mut Screen) -> Result<()> {
        let source = &search.source;
        let Self { id, distance: Some(distance), path: Some(path) } = self else {
            let how = if search.complete { "cannot be" } else { "is farther away, if it can be" };
            return screen.fact("target", format_args!("{} {how} reached from {source}", self.id));
        };
        let distance = numbers::short(distance);
        screen.fact("target", format_args!("{id}, at distance {distance} from {source}"))?;
        screen.fact("path", path_text(path, screen.is_verbose()))
    }
}

pub fn path_text(path: &[Id], all: bool) -> String {
    let join = |ids: &[Id]| ids.iter().map(Id::to_string).collect::<Vec<_>>().join(" → ");
    match path.len() {
        length if all || length <= 2 * ENDS_OF_PATH => join(path),
        length => {
            let (first, last) = (&path[..ENDS_OF_PATH], &path[length - ENDS_OF_PATH..]);
            let hidden = length - 2 * ENDS_OF_PATH;
            format!("{} → … {hidden} more … → {}", join(first), join(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_shortened() {
        assert_eq!(path_text(&[Id::Name("Ulm".into()), Id::Number(1)], false), "Ulm → 1");
        let long: Vec<Id> = (0..20).map(Id::Number).collect();
        let text = path_text(&long, false);
        assert!(text.contains("7 → … 4 more … → 12"), "{text}");
        assert!(path_text(&long, true).contains("9 → 10"));
    }
}
