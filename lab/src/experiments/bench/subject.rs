//! A loaded graph of a suite.

use equipoise::{
    algorithm::largest_degree,
    bfs::{BfsOptions, bfs},
    graph::Graph,
};
use equipoise_cli::suite::Entry;

use crate::experiments::{Error, Result};

/// A graph of a suite, and the source of its searches.
pub(super) struct Subject {
    pub name: String,
    pub graph: Graph,
    /// The vertex with the most edges.
    pub source: u32,
    /// The largest level of a search from the source.
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
        let source = largest_degree(&graph);
        let depth = bfs(&graph, source, &BfsOptions::default())?.depth;
        Ok(Self { name, graph, source, depth })
    }
}
