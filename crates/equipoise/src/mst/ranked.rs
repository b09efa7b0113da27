//! Ranks in place of weights of 64 bits: the forest depends only on the order of the weights.

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{SpanningForest, TotalWeight};
use crate::Result;

/// A graph whose weights of 64 bits are replaced by their ranks.
pub(super) struct Ranked {
    pub graph: Graph,
    /// The weight of each rank.
    weights: Vec<f64>,
}

impl Ranked {
    /// Replaces weights of 64 bits by ranks; `None` for other graphs. No weight may be NaN.
    pub fn new(graph: &Graph) -> Result<Option<Self>> {
        let Some(Weights::F64(all)) = graph.weights() else { return Ok(None) };
        // The sorted weights, and the ranks.
        let bytes = memory::bytes_of::<[u32; 3]>(graph.edges());
        memory::check("the ranks of weights", bytes)?;
        // Adding 0 turns −0 into 0.
        let mut weights: Vec<f64> = all.par_iter().map(|weight| weight + 0.0).collect();
        weights.par_sort_unstable_by(f64::total_cmp);
        weights.dedup();
        let rank = |weight: &f64| weights.partition_point(|other| other < weight) as u32;
        let ranks: Vec<u32> = all.par_iter().map(rank).collect();
        let csr = graph.csr().clone();
        let graph = Graph::from_csr(csr, Some(ranks.into()), graph.is_undirected())?;
        Ok(Some(Self { graph, weights }))
    }

    /// The forest with weights in place of ranks.
    pub fn restore(&self, mut forest: SpanningForest) -> SpanningForest {
        if let Weights::U32(ranks) = &forest.weights {
            let weights = ranks.iter().map(|&rank| self.weights[rank as usize]);
            forest.weights = weights.collect::<Vec<f64>>().into();
            forest.total = TotalWeight::new(&forest.weights);
        }
        forest
    }
}
