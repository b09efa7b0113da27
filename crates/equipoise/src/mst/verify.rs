//! Whether a forest is the minimum spanning forest of a graph.

use std::cmp::Ordering;

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{SpanningForest, TotalWeight};
use crate::{NONE, Result, error::wrong};

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
    /// Sorts the edges of the forest and merges its vertices in that order; then all cores look at the edges of the
    /// graph, each of which takes a path no longer than the binary logarithm of the vertices. Takes 16 bytes per vertex.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        super::check(graph)?;
        if self.weights.len() != self.edges.len() {
            return wrong(format!("{} weights for {} edges", self.weights.len(), self.edges.len()));
        }
        self.check_edges(graph)?;
        self.check_lightest(graph, &Merges::new(self, graph)?)?;
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
    fn check_lightest(&self, graph: &Graph, merges: &Merges) -> Result<()> {
        let fault = (0..graph.vertices()).into_par_iter().find_map_first(|source| {
            let edges = graph.csr().range(source).zip(graph.neighbors(source));
            { edges }.filter(|(_, target)| **target > source).find_map(|(edge, &target)| {
                let weight = weight_of(graph, edge);
                let heaviest = merges.heaviest_between(source, target);
                let is_heavier =
                    |index: usize| self.rank(index) > (Weight(weight), (source, target));
                heaviest.is_none_or(is_heavier).then_some((source, target, weight, heaviest))
            })
        });
        let Some((source, target, weight, heaviest)) = fault else { return Ok(()) };
        let ends = |(source, target): (u32, u32)| {
            let [a, b] = [source, target].map(|vertex| graph.ids().id(vertex));
            format!("the edge between the vertices {a} and {b}")
        };
        let edge = ends((source, target));
        wrong(match heaviest {
            None => format!("{edge} joins two trees"),
            Some(index) => format!(
                "{edge} with weight {weight} goes before {} with weight {}, whose place it can take",
                ends(self.edges[index]),
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

/// How the edges of a forest merge its vertices into trees, the lightest first: a tree joins a larger one below its root.
/// Paths to the root are at most as long as the binary logarithm of the vertices, and merges along them ever later.
struct Merges {
    parents: Vec<u32>,
    /// When each vertex got its parent: an index into `order`, [`NONE`] for roots.
    times: Vec<u32>,
    /// The edges of the forest, the lightest first.
    order: Vec<u32>,
}

impl Merges {
    /// Fails where an edge closes a circle.
    fn new(forest: &SpanningForest, graph: &Graph) -> Result<Self> {
        let vertices = graph.vertices();
        memory::check(
            "verifying a spanning forest",
            memory::bytes_of::<[u32; 4]>(vertices.into()),
        )?;
        let mut order: Vec<u32> = (0..forest.edges.len() as u32).collect();
        order.par_sort_unstable_by_key(|&index| forest.rank(index as usize));
        let mut sizes = vec![1u32; vertices as usize];
        let mut merges =
            Self { parents: (0..vertices).collect(), times: vec![NONE; vertices as usize], order };
        for time in 0..merges.order.len() {
            let (source, target) = forest.edges[merges.order[time] as usize];
            let (a, b) = (merges.root(source), merges.root(target));
            if a == b {
                wrong(format!(
                    "the edge between the vertices {} and {} closes a circle",
                    graph.ids().id(source),
                    graph.ids().id(target)
                ))?;
            }
            let (small, large) =
                if sizes[a as usize] < sizes[b as usize] { (a, b) } else { (b, a) };
            merges.parents[small as usize] = large;
            merges.times[small as usize] = time as u32;
            sizes[large as usize] += sizes[small as usize];
        }
        Ok(merges)
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.times[vertex as usize] != NONE {
            vertex = self.parents[vertex as usize];
        }
        vertex
    }

    /// The last edge of the order on the path between two vertices; `None` where they are in different trees.
    fn heaviest_between(&self, mut a: u32, mut b: u32) -> Option<usize> {
        let mut last = NONE;
        while a != b {
            let lower =
                if self.times[a as usize] <= self.times[b as usize] { &mut a } else { &mut b };
            last = self.times[*lower as usize];
            if last == NONE {
                return None;
            }
            *lower = self.parents[*lower as usize];
        }
        self.order.get(last as usize).map(|&edge| edge as usize)
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
