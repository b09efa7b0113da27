//! The heaviest edge between any two vertices of a forest.
//!
//! Borůvka's rounds over the edges of the forest alone: in each, every tree joins another by the lightest edge that leaves it.
//! What the trees of all rounds join is a tree itself, of few levels: each has at most half as many trees as the one before. The
//! heaviest edge of the forest between two vertices is the heaviest on the way up from both, as King has shown ("A simpler
//! minimum spanning tree verification algorithm", 1997).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::SpanningForest;
use crate::{NONE, Result, certificate::Sets, error::wrong};

/// The trees of all rounds, round after round, the vertices first.
pub(super) struct MergeTree {
    /// The tree of the next round that each becomes a part of.
    pub into: Vec<u32>,
    /// The lightest edge that leaves each, by its rank; [`NONE`] if no edge does.
    pub over: Vec<u32>,
    /// The edges of the forest by rank, the lightest first.
    pub order: Vec<u32>,
}

/// An edge of the forest between two trees of a round.
#[derive(Clone, Copy)]
struct Edge {
    rank: u32,
    ends: [u32; 2],
}

impl MergeTree {
    /// Fails where an edge closes a circle.
    pub fn new(forest: &SpanningForest, graph: &Graph) -> Result<Self> {
        let bytes = memory::bytes_of::<[u32; 16]>(graph.vertices().into());
        memory::check("verifying a spanning forest", bytes)?;
        let order = ranked(&forest.weights);
        let mut edges: Vec<Edge> = (0..order.len() as u32)
            .into_par_iter()
            .map(|rank| {
                let (source, target) = forest.edges[order[rank as usize] as usize];
                Edge { rank, ends: [source, target] }
            })
            .collect();
        let mut tree = Self { into: Vec::new(), over: Vec::new(), order };
        let mut trees = graph.vertices();
        while !edges.is_empty() {
            (edges, trees) = tree.add_round(trees, edges);
            if let Some(edge) = edges.par_iter().find_first(|edge| edge.ends[0] == edge.ends[1]) {
                let edge = forest.edges[tree.order[edge.rank as usize] as usize];
                wrong(format!("{} closes a circle", ends(graph, edge)))?;
            }
        }
        tree.into.resize(tree.into.len() + trees as usize, NONE);
        tree.over.resize(tree.into.len(), NONE);
        Ok(tree)
    }

    /// Joins `trees` trees along some of the edges between them. Returns the other edges, and the number of joined trees.
    fn add_round(&mut self, trees: u32, edges: Vec<Edge>) -> (Vec<Edge>, u32) {
        let lightest: Vec<AtomicU32> =
            (0..trees).into_par_iter().map(|_| AtomicU32::new(NONE)).collect();
        edges.par_iter().for_each(|edge| {
            for end in edge.ends {
                lightest[end as usize].fetch_min(edge.rank, Relaxed);
            }
        });
        let over = |tree: u32| lightest[tree as usize].load(Relaxed);
        let is_taken = |edge: &Edge| edge.ends.iter().any(|&end| over(end) == edge.rank);
        let sets = Sets::new(trees);
        edges.par_iter().filter(|edge| is_taken(edge)).for_each(|edge| {
            sets.join(edge.ends[0], edge.ends[1]);
        });
        // Trees that no edge leaves are complete.
        let mut number = vec![NONE; trees as usize];
        let mut joined = 0;
        for tree in (0..trees).filter(|&tree| over(tree) != NONE && sets.root(tree) == tree) {
            number[tree as usize] = joined;
            joined += 1;
        }
        let next = self.into.len() as u32 + trees;
        let root = |tree: u32| number[sets.root(tree) as usize];
        self.into.par_extend((0..trees).into_par_iter().map(|tree| match root(tree) {
            NONE => NONE,
            root => next + root,
        }));
        self.over.par_extend((0..trees).into_par_iter().map(over));
        let left = edges.into_par_iter().filter(|edge| !is_taken(edge));
        (left.map(|edge| Edge { ends: edge.ends.map(root), ..edge }).collect(), joined)
    }

    /// The heaviest edge of the forest between two vertices, by its rank; `None` where they are in different trees.
    pub fn heaviest_between(&self, mut a: u32, mut b: u32) -> Option<u32> {
        let mut heaviest = 0;
        while a != b {
            let over = [a, b].map(|tree| self.over[tree as usize]);
            if over.contains(&NONE) {
                return None;
            }
            heaviest = heaviest.max(over[0]).max(over[1]);
            [a, b] = [a, b].map(|tree| self.into[tree as usize]);
        }
        Some(heaviest)
    }
}

/// The edges of these weights, the lightest first. The edges ascend, so that their indices order those of one weight.
fn ranked(weights: &Weights) -> Vec<u32> {
    let key = |index: u32| {
        // The sum makes 0 of −0. The bits of negative numbers have the reverse order.
        let bits = (weights.get(index as usize) + 0.0).to_bits();
        let is_negative = bits >> 63 == 1;
        (if is_negative { !bits } else { bits | 1 << 63 }, index)
    };
    let mut keys: Vec<(u64, u32)> = (0..weights.len() as u32).into_par_iter().map(key).collect();
    keys.par_sort_unstable();
    keys.into_par_iter().map(|(_, index)| index).collect()
}

/// An edge in messages.
pub(super) fn ends(graph: &Graph, (source, target): (u32, u32)) -> String {
    let [a, b] = [source, target].map(|vertex| graph.ids().id(vertex));
    format!("the edge between the vertices {a} and {b}")
}
