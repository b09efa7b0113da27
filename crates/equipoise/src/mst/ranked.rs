//! Weights of 64 bits by their ranks: which edges are in a forest depends on nothing but which are lighter.

use equipoise_graph::{Graph, Weights, memory};
use rayon::prelude::*;

use super::{SpanningForest, TotalWeight};
use crate::Result;

/// A graph with weights of 64 bits, with their ranks in place of them.
pub(super) struct Ranked {
    pub graph: Graph,
    /// The weight of each rank.
    weights: Vec<f64>,
}

impl Ranked {
    /// The graph by the ranks of its weights, where they have 64 bits; all of them are numbers.
    pub fn of(graph: &Graph) -> Result<Option<Self>> {
        let Some(Weights::F64(all)) = graph.weights() else { return Ok(None) };
        // The weights in order, and the ranks.
        let bytes = memory::bytes_of::<[u32; 3]>(graph.edges());
        memory::check("the ranks of weights", bytes)?;
        // Adding 0 makes 0 of −0.
        let mut weights: Vec<f64> = all.par_iter().map(|weight| weight + 0.0).collect();
        weights.par_sort_unstable_by(f64::total_cmp);
        weights.dedup();
        let rank = |weight: &f64| weights.partition_point(|other| other < weight) as u32;
        let ranks: Vec<u32> = all.par_iter().map(rank).collect();
        let csr = graph.csr().clone();
        let graph = Graph::from_csr(csr, Some(ranks.into()), graph.is_undirected())?;
        Ok(Some(Self { graph, weights }))
    }

    /// The forest with weights in place of their ranks.
    pub fn restore(&self, forest: SpanningForest) -> SpanningForest {
        let weights = match &forest.weights {
            Weights::U32(ranks) => {
                let weights: Vec<f64> =
                    ranks.iter().map(|&rank| self.weights[rank as usize]).collect();
                Weights::from(weights)
            }
            weights => weights.clone(),
        };
        SpanningForest { total: TotalWeight::of(&weights), weights, ..forest }
    }
}
