//! What is measured: a graph of a suite, loaded.

use equipoise::graph::Graph;

use crate::{
    failure::{Failure, Result},
    sources,
    suite::Entry,
};

/// A graph of a suite, and where its searches start.
pub struct Subject {
    pub name: String,
    pub graph: Graph,
    /// The vertex with the most edges.
    pub source: u32,
}

impl Subject {
    /// Generates or reads the graph.
    pub fn load(entry: &Entry) -> Result<Self> {
        let name = entry.name.clone();
        let graph = entry.load()?;
        if graph.vertices() == 0 {
            return Err(Failure::new(format!(
                "{name}: the graph has no vertices, so there is none to start from"
            )));
        }
        let source = sources::largest_degree(&graph);
        Ok(Self { name, graph, source })
    }
}
