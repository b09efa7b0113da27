//! What is measured: a graph of a suite, loaded.

use equipoise::{
    bfs::{BfsOptions, bfs},
    graph::Graph,
};
use equipoise_cli::{sources, suite::Entry};

use crate::experiments::{Error, Result};

/// A graph of a suite, and where its searches start.
pub(super) struct Subject {
    pub name: String,
    pub graph: Graph,
    /// The vertex with the most edges.
    pub source: u32,
    /// How far it is from there to the last vertex that can be reached.
    pub depth: u32,
}

impl Subject {
    /// Generates or reads the graph.
    pub fn load(entry: &Entry) -> Result<Self> {
        let name = entry.name.clone();
        let graph = entry.load()?;
        if graph.vertices() == 0 {
            return Err(Error::NoVertices(name));
        }
        let source = sources::largest_degree(&graph);
        let depth = bfs(&graph, source, &BfsOptions::default())?.depth;
        Ok(Self { name, graph, source, depth })
    }
}
