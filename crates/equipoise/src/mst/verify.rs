//! Whether a forest is the minimum spanning forest of a graph.

use std::cmp::Ordering;

use equipoise_graph::{Graph, Weights, parallel::*};

use super::{
    SpanningForest, TotalWeight,
    merge_tree::{MergeTree, ends},
};
use crate::{Result, error::wrong};

impl SpanningForest {
    /// Checks the forest against the graph it was found in.
    ///
    /// 1. Its edges have their smaller end first and ascend, so that none occurs twice; each has one weight.
    /// 2. Each is an edge of the graph with that weight.
    /// 3. No edge closes a circle: it is a forest.
    /// 4. No edge of the graph joins two of its trees: it spans the graph.
    /// 5. No edge of the graph goes before the last edge on the forest's path between its ends, in the order of weights
    ///    and then of ends: no forest is lighter, and among those of this weight it is the one that Kruskal's algorithm
    ///    takes in this order.
    /// 6. It has the stated number of trees, and the total is the sum of its weights.
    ///
    /// Sorts the edges of the forest and merges its vertices in Borůvka's rounds; then all cores look at the edges of the
    /// graph, each of which takes two steps per round. Takes 64 bytes per vertex.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        let merges = self.check_forest(graph)?;
        self.check_lightest(graph, &merges)?;
        self.check_total(graph)
    }

    /// Rules 1 to 3.
    pub(super) fn check_forest(&self, graph: &Graph) -> Result<MergeTree> {
        graph.check()?;
        super::check(graph)?;
        if self.weights.len() != self.edges.len() {
            wrong(format!("{} weights for {} edges", self.weights.len(), self.edges.len()))?;
        }
        self.check_edges(graph)?;
        MergeTree::new(self, graph)
    }

    /// Rule 6.
    pub(super) fn check_total(&self, graph: &Graph) -> Result<()> {
        let trees = u64::from(graph.vertices()) - self.edges.len() as u64;
        if u64::from(self.trees) != trees {
            return wrong(format!(
                "the number of trees is {}, but the edges leave {trees}",
                self.trees
            ));
        }
        let total = match &self.weights {
            Weights::U32(weights) => TotalWeight::U64(weights.iter().map(|&w| u64::from(w)).sum()),
            Weights::F32(weights) => TotalWeight::F64(weights.iter().map(|&w| f64::from(w)).sum()),
            Weights::F64(weights) => TotalWeight::F64(weights.iter().sum()),
        };
        // Infinite weights of either sign add up to what is not a number, which is not equal to itself.
        let is_same = total == self.total || (total.get().is_nan() && self.total.get().is_nan());
        if is_same {
            Ok(())
        } else {
            wrong(format!("the weights add up to {total}, not to {}", self.total))
        }
    }

    fn check_edges(&self, graph: &Graph) -> Result<()> {
        if !self.edges.is_sorted_by(|a, b| a < b) {
            return wrong("the edges do not ascend".into());
        }
        let is_foreign = |index: &usize| {
            let (source, target) = self.edges[*index];
            let is_pair = source < target && target < graph.vertices();
            !is_pair || !has_edge(graph, source, target, self.weights.get(*index))
        };
        match (0..self.edges.len()).into_par_iter().find_first(is_foreign) {
            None => Ok(()),
            Some(index) => {
                let (source, target) = self.edges[index];
                let weight = self.weights.get(index);
                wrong(format!(
                    "no edge joins the vertices {source} and {target} with weight {weight}"
                ))
            }
        }
    }

    /// Rules 4 and 5 for each edge of the graph, on all cores.
    fn check_lightest(&self, graph: &Graph, merges: &MergeTree) -> Result<()> {
        let fault = (0..graph.vertices()).into_par_iter().find_map_first(|source| {
            let edges = graph.csr().range(source).zip(graph.neighbors(source));
            { edges }.filter(|(_, target)| **target > source).find_map(|(edge, &target)| {
                let weight = weight_of(graph, edge);
                let heaviest = merges.heaviest_between(source, target);
                let heaviest = heaviest.map(|rank| merges.order[rank as usize] as usize);
                let is_heavier =
                    |index: usize| self.rank(index) > (Weight(weight), (source, target));
                heaviest.is_none_or(is_heavier).then_some((source, target, weight, heaviest))
            })
        });
        let Some((source, target, weight, heaviest)) = fault else { return Ok(()) };
        let edge = ends(graph, (source, target));
        wrong(match heaviest {
            None => format!("{edge} joins two trees"),
            Some(index) => format!(
                "{edge} with weight {weight} goes before {} with weight {}, whose place it can take",
                ends(graph, self.edges[index]),
                self.weights.get(index)
            ),
        })
    }

    /// What edges are ordered by: their weights, then their ends.
    fn rank(&self, index: usize) -> (Weight, (u32, u32)) {
        (Weight(self.weights.get(index)), self.edges[index])
    }
}

/// A weight in the order of numbers: zero is zero, whatever its sign, and none is NaN.
#[derive(Clone, Copy)]
struct Weight(f64);

impl PartialEq for Weight {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Weight {}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

fn has_edge(graph: &Graph, source: u32, target: u32, weight: f64) -> bool {
    let range = graph.csr().range(source);
    let row = graph.neighbors(source);
    let first = row.partition_point(|&other| other < target);
    let copies = row[first..].iter().take_while(|&&other| other == target).count();
    (first..first + copies).any(|index| weight_of(graph, range.start + index) == weight)
}

fn weight_of(graph: &Graph, edge: usize) -> f64 {
    graph.weights().map_or(1.0, |weights| weights.get(edge))
}
