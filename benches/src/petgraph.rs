//! petgraph's compressed sparse rows, in this process, single-threaded.

use std::hint::black_box;

use equipoise::graph::Graph;
use petgraph::{algo::dijkstra, csr::Csr, visit::Bfs};

use crate::{
    Result,
    library::whole_weights,
    measure::timed,
    traversal::{Algorithm, Contender, Outcome},
};

/// petgraph's `Csr`, with one edge per directed edge of the graph.
pub struct Petgraph(Csr<(), u32>);

impl Petgraph {
    /// Copies the graph.
    pub fn new(graph: &Graph) -> Result<Self> {
        let coo = graph.coo()?;
        let weights = whole_weights(graph)?;
        let ends = coo.sources.iter().zip(coo.targets).zip(weights);
        let edges: Vec<_> = ends.map(|((&from, &to), &weight)| (from, to, weight)).collect();
        let mut csr = Csr::from_sorted_edges(&edges)
            .map_err(|_| "petgraph wants edges in order, without duplicates")?;
        while (csr.node_count() as u32) < graph.vertices() {
            csr.add_node(());
        }
        Ok(Self(csr))
    }
}

impl Contender for Petgraph {
    fn name(&self) -> &str {
        "petgraph"
    }

    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome> {
        match algorithm {
            Algorithm::Bfs => {
                let (reached, time) = timed(|| {
                    let mut search = Bfs::new(&self.0, source);
                    let mut reached = 0;
                    while let Some(vertex) = search.next(&self.0) {
                        black_box(vertex);
                        reached += 1;
                    }
                    Ok(reached)
                })?;
                Ok(Outcome { time, reached, total: None })
            }
            Algorithm::Sssp => {
                let weight = |edge: petgraph::csr::EdgeReference<'_, u32, _>| {
                    u64::from(*petgraph::visit::EdgeRef::weight(&edge))
                };
                let (distances, time) = timed(|| Ok(dijkstra(&self.0, source, None, weight)))?;
                let total = distances.values().sum();
                Ok(Outcome { time, reached: distances.len() as u64, total: Some(total) })
            }
        }
    }
}
