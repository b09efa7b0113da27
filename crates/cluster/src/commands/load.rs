//! The input graph over all ranks.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use equipoise_graph::{Weights, io::Progress, numbers};
use serde::Serialize;

use super::{arguments::GraphArguments, failure::Result, job::Job, screen::Screen};
use crate::{
    DistGraph, EdgeSlice, Reduction, SliceIds, SliceOptions, building_bytes, check_memory,
    read_slice,
};

/// A graph, and the ids of the vertices that this rank owns.
pub struct Loaded {
    pub graph: DistGraph,
    pub ids: SliceIds,
    name: String,
    /// The number of edges; an undirected one counts once.
    edges: u64,
    weights: Option<&'static str>,
    /// The guesses of the reader.
    notes: Vec<String>,
    read: Duration,
    build: Duration,
}

/// Collects the guesses of a reader.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn start(&self, _what: &str, _total: u64) {}

    fn advance(&self, _bytes: u64) {}

    fn finish(&self) {}

    fn note(&self, note: &str) {
        if let Ok(mut notes) = self.0.lock() {
            notes.push(note.to_owned());
        }
    }
}

/// The graph in a JSON document.
#[derive(Serialize)]
pub struct GraphFacts<'a> {
    name: &'a str,
    vertices: u64,
    directed_edges: u64,
    undirected: bool,
    weights: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    read: &'a [String],
    load_seconds: f64,
    build_seconds: f64,
}

impl Loaded {
    /// Reads the edges and sends them to their owners.
    pub fn of(job: &Job, arguments: &GraphArguments) -> Result<Self> {
        let comm = job.comm;
        comm.enter("reading");
        let start = Instant::now();
        let notes = Notes::default();
        let read = arguments.options(&notes);
        let options = SliceOptions { read, ranks_on_node: job.ranks_on_node };
        let read = read_slice(comm, &arguments.graph, &options)?;
        let weights = read.edges.weights.as_ref().map(Weights::type_name);
        comm.barrier();
        let (reading, start) = (start.elapsed(), Instant::now());
        comm.enter("building");
        check_building(job, &read.edges)?;
        let graph = DistGraph::build(comm, read.edges)?;
        let ids = read.ids.owned(comm, &graph.partition)?;
        let mut loaded = Self {
            graph,
            ids,
            name: arguments.graph.clone(),
            edges: 0,
            weights,
            notes: notes.0.into_inner().unwrap_or_default(),
            read: reading,
            build: start.elapsed(),
        };
        loaded.edges = loaded.count_edges(job, |_| true);
        Ok(loaded)
    }

    /// The number of edges that leave owned vertices for which `includes` is true, on all ranks. In an undirected graph, these
    /// must be whole components, and each edge counts once.
    pub fn count_edges(&self, job: &Job, includes: impl Fn(u32) -> bool) -> u64 {
        let local = &self.graph.local;
        let undirected = self.graph.is_undirected();
        let of_vertex = |vertex: u32| {
            let loops = if undirected { loops(local.neighbors(vertex), vertex) } else { 0 };
            local.degree(vertex) as u64 + loops
        };
        let vertices = (0..self.graph.owned()).filter(|&vertex| includes(vertex));
        let mut ends = [vertices.map(of_vertex).sum()];
        job.comm.all_reduce(&mut ends, Reduction::Sum);
        if undirected { ends[0] / 2 } else { ends[0] }
    }

    /// The way of counting edges, in words.
    pub fn unit(&self) -> &'static str {
        if self.graph.is_undirected() {
            "each undirected edge counted once"
        } else {
            "directed edges"
        }
    }

    /// Prints the loaded graph.
    pub fn print(&self, screen: &mut Screen) {
        let vertices = numbers::counted(self.graph.vertices_total(), "vertex", "vertices");
        let edges = numbers::counted(self.edges, "edge", "edges");
        let direction = if self.graph.is_undirected() { "undirected" } else { "directed" };
        let weights = self.weights.map_or(String::new(), |name| format!(", {name} weights"));
        let name = &self.name;
        screen.fact("graph", format_args!("{name}: {vertices}, {edges}, {direction}{weights}"));
        for note in &self.notes {
            screen.fact("read", note);
        }
        let (read, build) = (numbers::time(self.read), numbers::time(self.build));
        screen.fact("loaded", format_args!("in {read}, brought to its owners in {build}"));
    }

    /// The loaded graph for programs.
    pub fn facts(&self) -> GraphFacts<'_> {
        GraphFacts {
            name: &self.name,
            vertices: self.graph.vertices_total(),
            directed_edges: self.graph.edges_total(),
            undirected: self.graph.is_undirected(),
            weights: self.weights,
            read: &self.notes,
            load_seconds: self.read.as_secs_f64(),
            build_seconds: self.build.as_secs_f64(),
        }
    }
}

/// The number of self-loops, which even an undirected graph stores once. Neighbours ascend.
fn loops(neighbors: &[u32], vertex: u32) -> u64 {
    let before = neighbors.partition_point(|&other| other < vertex);
    let until = neighbors.partition_point(|&other| other <= vertex);
    (until - before) as u64
}

/// Fails on all ranks if their memory does not suffice to build a graph. Each gets an even share of the edges.
fn check_building(job: &Job, edges: &EdgeSlice) -> crate::Result<()> {
    let comm = job.comm;
    let directions = if edges.undirected { 2 } else { 1 };
    let mut all = [directions * edges.sources.len() as u64];
    comm.all_reduce(&mut all, Reduction::Sum);
    let ranks = comm.size() as u64;
    let weight_bytes = match &edges.weights {
        None => 0,
        Some(Weights::U32(_) | Weights::F32(_)) => 4,
        Some(Weights::F64(_)) => 8,
    };
    let vertices = edges.vertices.div_ceil(ranks);
    let bytes = building_bytes(all[0].div_ceil(ranks), vertices, weight_bytes);
    check_memory(comm, "building the graph", bytes, job.ranks_on_node)
}
