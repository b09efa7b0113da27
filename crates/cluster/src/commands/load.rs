//! The graph that a user names, over all ranks.

use std::time::{Duration, Instant};

use equipoise_base::numbers;
use equipoise_graph::Weights;
use serde::Serialize;

use super::{Job, arguments::GraphArguments, failure::Result, screen::Screen};
use crate::{
    DistGraph, EdgeSlice, Reduction, SliceIds, SliceOptions, building_bytes, check_memory,
    read_slice,
};

/// A graph, and what the input calls the vertices that this rank owns.
pub struct Loaded {
    pub graph: DistGraph,
    pub ids: SliceIds,
    name: String,
    /// The edges as people count them: an undirected one once.
    edges: u64,
    weights: Option<&'static str>,
    read: Duration,
    build: Duration,
}

/// What a JSON document says of its graph.
#[derive(Serialize)]
pub struct GraphFacts<'a> {
    name: &'a str,
    vertices: u64,
    directed_edges: u64,
    undirected: bool,
    weights: Option<&'static str>,
    load_seconds: f64,
    build_seconds: f64,
}

impl Loaded {
    /// Reads the edges and brings them to their owners.
    pub fn of(job: &Job, arguments: &GraphArguments) -> Result<Self> {
        let comm = job.comm;
        comm.enter("reading");
        let start = Instant::now();
        let options = SliceOptions { read: arguments.options(), ranks_on_node: job.ranks_on_node };
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
            read: reading,
            build: start.elapsed(),
        };
        loaded.edges = loaded.count_edges(job, |_| true);
        Ok(loaded)
    }

    /// The edges that leave the owned vertices of which `includes` says so, on all ranks. In an undirected graph, where
    /// these must be whole components, each counts once though it is stored in both directions.
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

    /// How edges are counted, for those who read the number.
    pub fn unit(&self) -> &'static str {
        match self.graph.is_undirected() {
            true => "each undirected edge counted once",
            false => "directed edges",
        }
    }

    /// Prints what was loaded.
    pub fn print(&self, screen: &mut Screen) {
        let vertices = numbers::counted(self.graph.vertices_total(), "vertex", "vertices");
        let edges = numbers::counted(self.edges, "edge", "edges");
        let direction = if self.graph.is_undirected() { "undirected" } else { "directed" };
        let weights = self.weights.map_or(String::new(), |name| format!(", {name} weights"));
        let name = &self.name;
        screen.fact("graph", format_args!("{name}: {vertices}, {edges}, {direction}{weights}"));
        let (read, build) = (numbers::time(self.read), numbers::time(self.build));
        screen.fact("loaded", format_args!("in {read}, brought to its owners in {build}"));
    }

    /// The same for programs.
    pub fn facts(&self) -> GraphFacts<'_> {
        GraphFacts {
            name: &self.name,
            vertices: self.graph.vertices_total(),
            directed_edges: self.graph.edges_total(),
            undirected: self.graph.is_undirected(),
            weights: self.weights,
            load_seconds: self.read.as_secs_f64(),
            build_seconds: self.build.as_secs_f64(),
        }
    }
}

/// The edges from a vertex to itself, which even an undirected graph stores once. Neighbours ascend.
fn loops(neighbors: &[u32], vertex: u32) -> u64 {
    let before = neighbors.partition_point(|&other| other < vertex);
    let until = neighbors.partition_point(|&other| other <= vertex);
    (until - before) as u64
}

/// Refuses a graph that the ranks have no memory to build, together and with numbers. Each gets an even share of the edges.
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
