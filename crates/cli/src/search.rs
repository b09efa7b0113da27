//! What searches from one or several sources found, as text and as JSON.

use std::time::Duration;

use equipoise::{LoadedGraph, Trace, graph::Graph, traversal::TraversalSettings};
use serde::Serialize;

use crate::{
    edges,
    failure::Result,
    ids::Id,
    levels::{self, Level},
    measure::{Copied, Report, Runs},
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
    /// The vertices reached.
    pub reached: u32,
    /// The largest level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The width of a bucket of delta-stepping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// Whether all that can be reached was: the search did not stop at a target, or at a depth,
    /// before. Vertices beyond are not known then, neither to be reached nor not to be.
    pub complete: bool,
    /// The edges that leave the vertices reached, each undirected one counted once. Not known
    /// where the search may have stopped early.
    pub traversed_edges: Option<u64>,
    /// What became of the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The searches that were one pass, which all of `runs` and `trace` is of.
    #[serde(rename = "searches_in_pass", skip_serializing_if = "is_one")]
    pub in_pass: u32,
    /// What was copied to the device and back.
    #[serde(skip)]
    pub copied: Copied,
    pub runs: Runs,
    /// The levels, where the device did several in one step of `trace`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
    pub trace: Trace,
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

/// The vertex that a search was to find.
#[derive(Serialize)]
pub struct Target {
    pub id: Id,
    /// The length of the path; none where the target was not reached.
    pub distance: Option<f64>,
    /// The ids on the path, both ends included.
    pub path: Option<Vec<Id>>,
}

/// How one algorithm's searches are printed.
pub struct Wording {
    pub steps: StepNames,
    /// What the verifier found to be so.
    pub verified: &'static str,
    /// Whether the device that found it also verified it.
    pub on_device: bool,
}

impl Wording {
    /// The same for results that were verified on the device, or not.
    pub fn checked_on_device(self, on_device: bool) -> Self {
        Self { on_device, ..self }
    }

    fn print_verdict(&self, runs: &Runs, screen: &mut Screen) -> Result<()> {
        let place = if self.on_device { ", checked on the device" } else { "" };
        runs.print_verdict(screen, &format!("{}{place}", self.verified))
    }
}

/// What a search copies: the graph, and two numbers for each vertex back.
pub fn copied(there: &LoadedGraph) -> Copied {
    Copied { up: there.bytes_on_device(), down: 8 * u64::from(there.graph().vertices()) }
}

/// Prints one search in full, or several as a table with totals.
pub fn print(
    searches: &[Search],
    graph: &Graph,
    wording: &Wording,
    screen: &mut Screen,
) -> Result<()> {
    match searches {
        [only] => only.print(graph, wording, screen),
        several => print_several(several, graph, wording, screen),
    }
}

/// Prints the most edges that a unit takes, where the strategy has such a number.
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
    fn print(&self, graph: &Graph, wording: &Wording, screen: &mut Screen) -> Result<()> {
        self.print_steps(wording, screen)?;
        let all = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        screen.fact("reached", format_args!("{} of {all}", numbers::count(self.reached.into())))?;
        if !self.complete {
            screen.fact("stopped", "early, as asked: there are vertices farther away")?;
        }
        if let Some(depth) = self.depth {
            screen.fact("depth", depth)?;
        }
        if let Some(delta) = self.delta {
            screen.fact("delta", numbers::decimal(delta))?;
        }
        self.runs.print_with(self.copied, screen)?;
        print_rate(self.traversed_edges, self.runs.time(), graph, screen)?;
        if let Some(target) = &self.target {
            target.print(self, screen)?;
        }
        wording.print_verdict(&self.runs, screen)
    }

    /// Prints the levels where they are known, or else the steps; both, if all is wanted.
    fn print_steps(&self, wording: &Wording, screen: &mut Screen) -> Result<()> {
        levels::print(screen, &self.levels)?;
        match self.levels.is_empty() || screen.is_verbose() {
            true => steps::print(screen, &self.trace, &wording.steps),
            false => Ok(()),
        }
    }

    fn row(&self) -> Vec<String> {
        let time = self.runs.time();
        let rate = self.traversed_edges.and_then(|edges| numbers::rate(edges, time, "TEPS"));
        vec![
            self.source.to_string(),
            numbers::count(self.reached.into()),
            self.depth.map_or_else(|| "-".into(), |depth| depth.to_string()),
            self.trace.steps.len().to_string(),
            numbers::time(time),
            rate.unwrap_or_else(|| "-".into()),
        ]
    }
}

fn print_several(
    searches: &[Search],
    graph: &Graph,
    wording: &Wording,
    screen: &mut Screen,
) -> Result<()> {
    if screen.is_verbose() {
        for search in searches {
            screen.line(format_args!("\nfrom {}", search.source))?;
            search.print_steps(wording, screen)?;
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
            format_args!("{stopped} of {count} early, as asked: there are vertices farther away"),
        )?;
    }
    let edges = searches.iter().map(|search| search.traversed_edges).sum();
    print_rate(edges, total, graph, screen)?;
    for search in searches {
        if let Some(target) = &search.target {
            target.print(search, screen)?;
        }
    }
    let verifying = searches.iter().map(|search| search.runs.verifying).sum();
    wording.print_verdict(&Runs { verifying, ..first.runs.clone() }, screen)
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
    fn print(&self, search: &Search, screen: &mut Screen) -> Result<()> {
        let source = &search.source;
        let Self { id, distance: Some(distance), path: Some(path) } = self else {
            let how = if search.complete { "cannot be" } else { "is farther away, if it can be" };
            return screen.fact("target", format_args!("{} {how} reached from {source}", self.id));
        };
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
