//! Random graphs, as a whole and in slices.

use equipoise_cluster::{Comm, DistGraph, EdgeSlice, run_threads};
use equipoise_graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, Weights};
use proptest::prelude::*;

/// All edges of a graph, before they are cut into slices.
#[derive(Clone, Debug)]
pub struct Whole {
    pub vertices: u64,
    pub edges: Vec<(u32, u32)>,
    pub weights: Option<Weights>,
    pub undirected: bool,
    pub duplicates: Duplicates,
    pub self_loops: SelfLoops,
}

/// The number of ranks, and the length of their messages.
#[derive(Clone, Copy, Debug)]
pub struct Ranks {
    pub ranks: usize,
    pub round_limit: usize,
}

impl Ranks {
    pub fn run<T: Send>(self, work: impl Fn(&dyn Comm) -> T + Sync) -> Vec<T> {
        run_threads(self.ranks, self.round_limit, |comm| work(comm))
    }
}

pub fn ranks() -> impl Strategy<Value = Ranks> {
    (1..6usize, prop_oneof![Just(7usize), Just(64), Just(1 << 20)])
        .prop_map(|(ranks, round_limit)| Ranks { ranks, round_limit })
}

/// Graphs of up to 40 vertices: few or many edges, all kinds of weights and rules.
pub fn wholes() -> impl Strategy<Value = Whole> {
    let edges = (0..40u32).prop_flat_map(|vertices| {
        let edge = (0..vertices.max(1), 0..vertices.max(1));
        let count = if vertices == 0 { 0..1 } else { 0..120usize };
        (Just(vertices), proptest::collection::vec(edge, count))
    });
    (edges, 0..4u8, any::<[bool; 3]>(), any::<u64>()).prop_map(
        |((vertices, edges), kind, rules, seed)| {
            let weight = |edge: usize| (seed >> (edge % 50)) as u32 % 9 + 1;
            let all = 0..edges.len();
            let weights = match kind {
                0 => None,
                1 => Some(all.map(weight).collect::<Vec<u32>>().into()),
                2 => Some(all.map(|edge| weight(edge) as f32 / 4.0).collect::<Vec<f32>>().into()),
                _ => {
                    Some(all.map(|edge| f64::from(weight(edge)) - 4.5).collect::<Vec<f64>>().into())
                }
            };
            Whole {
                vertices: vertices.into(),
                edges,
                weights,
                undirected: rules[0],
                duplicates: if rules[1] { Duplicates::Drop } else { Duplicates::Keep },
                self_loops: if rules[2] { SelfLoops::Drop } else { SelfLoops::Keep },
            }
        },
    )
}

impl Whole {
    /// The graph on one machine.
    pub fn on_one_machine(&self) -> Graph {
        let (sources, targets) = self.edges.iter().copied().unzip();
        GraphBuilder::new()
            .vertices(self.vertices)
            .undirected(self.undirected)
            .duplicates(self.duplicates)
            .self_loops(self.self_loops)
            .build(Edges::new(sources, targets, self.weights.clone()).unwrap())
            .unwrap()
    }

    /// The slice of a rank.
    pub fn slice(&self, rank: usize, ranks: usize) -> EdgeSlice {
        let index = |rank: usize| self.edges.len() * rank / ranks;
        let range = index(rank)..index(rank + 1);
        let edges = &self.edges[range.clone()];
        EdgeSlice {
            sources: edges.iter().map(|edge| edge.0.into()).collect(),
            targets: edges.iter().map(|edge| edge.1.into()).collect(),
            weights: self.weights.as_ref().map(|weights| match weights {
                Weights::U32(weights) => weights[range].to_vec().into(),
                Weights::F32(weights) => weights[range].to_vec().into(),
                Weights::F64(weights) => weights[range].to_vec().into(),
            }),
            undirected: self.undirected,
            duplicates: self.duplicates,
            self_loops: self.self_loops,
            ..EdgeSlice::new(self.vertices)
        }
    }

    /// Its part of the graph over several ranks.
    pub fn build(&self, comm: &dyn Comm) -> DistGraph {
        DistGraph::build(comm, self.slice(comm.rank(), comm.size())).unwrap()
    }
}
