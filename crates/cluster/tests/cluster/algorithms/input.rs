//! Random graphs in random slices.

use equipoise_cluster::{Comm, DistGraph, EdgeSlice, ThreadComm, run_threads};
use equipoise_graph::Weights;
use proptest::{collection::vec, prelude::*};

/// A graph as a list of edges, and its distribution to ranks.
#[derive(Clone, Debug)]
pub struct Input {
    pub vertices: u64,
    pub edges: Vec<(u64, u64)>,
    pub weights: Option<Weights>,
    pub undirected: bool,
    pub ranks: usize,
    /// The most bytes of a round of messages.
    pub round_limit: usize,
    /// The percentage of edges that the first rank reads; the others share the rest.
    pub first_share: usize,
}

impl Input {
    /// Runs `work` on each rank, with its part of the graph.
    pub fn run<T: Send>(&self, work: impl Fn(&ThreadComm, &DistGraph) -> T + Sync) -> Vec<T> {
        self.run_on(self.ranks, work)
    }

    /// Runs `work` on this number of ranks.
    pub fn run_on<T: Send>(
        &self,
        ranks: usize,
        work: impl Fn(&ThreadComm, &DistGraph) -> T + Sync,
    ) -> Vec<T> {
        run_threads(ranks, self.round_limit, |comm| {
            let graph = DistGraph::build(comm, self.slice(comm.rank(), ranks)).unwrap();
            work(comm, &graph)
        })
    }

    fn slice(&self, rank: usize, ranks: usize) -> EdgeSlice {
        let count = self.edges.len();
        let cut = |rank: usize| match rank {
            0 => 0,
            _ if rank == ranks => count,
            _ => {
                let first = count * self.first_share / 100;
                first + (count - first) * (rank - 1) / (ranks - 1)
            }
        };
        let part = cut(rank)..cut(rank + 1);
        let weights = self.weights.as_ref().map(|weights| match weights {
            Weights::U32(all) => Weights::from(all[part.clone()].to_vec()),
            Weights::F32(all) => Weights::from(all[part.clone()].to_vec()),
            Weights::F64(all) => Weights::from(all[part.clone()].to_vec()),
        });
        EdgeSlice {
            sources: self.edges[part.clone()].iter().map(|edge| edge.0).collect(),
            targets: self.edges[part].iter().map(|edge| edge.1).collect(),
            weights,
            undirected: self.undirected,
            ..EdgeSlice::new(self.vertices)
        }
    }

    /// Every directed edge: its source, its target, and its index in the list.
    pub fn directed(&self) -> Vec<(usize, usize, usize)> {
        let ends = self.edges.iter().enumerate();
        ends.flat_map(|(edge, &(source, target))| {
            let (source, target) = (source as usize, target as usize);
            let back = self.undirected && source != target;
            [(source, target, edge)].into_iter().chain(back.then_some((target, source, edge)))
        })
        .collect()
    }

    /// The weight of each edge, 1 without weights.
    pub fn weight(&self, edge: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights.get(edge))
    }
}

/// Weights for a number of edges.
type WeightsOf = fn(usize) -> BoxedStrategy<Option<Weights>>;

pub fn unweighted(_: usize) -> BoxedStrategy<Option<Weights>> {
    Just(None).boxed()
}

/// Small whole numbers, many of them zero.
pub fn whole(edges: usize) -> BoxedStrategy<Option<Weights>> {
    vec(0..6u32, edges).prop_map(|weights| Some(weights.into())).boxed()
}

/// Whole numbers of any size, whose sums need 64 bits.
pub fn large(edges: usize) -> BoxedStrategy<Option<Weights>> {
    vec(any::<u32>(), edges).prop_map(|weights| Some(weights.into())).boxed()
}

pub fn short_floats(edges: usize) -> BoxedStrategy<Option<Weights>> {
    vec(prop_oneof![Just(0.0f32), 0.0..3.0f32], edges)
        .prop_map(|weights| Some(weights.into()))
        .boxed()
}

pub fn long_floats(edges: usize) -> BoxedStrategy<Option<Weights>> {
    vec(prop_oneof![Just(0.0f64), 0.0..3.0f64], edges)
        .prop_map(|weights| Some(weights.into()))
        .boxed()
}

/// Graphs with self-loops and parallel edges, empty and of one vertex too, with weights of any of these kinds.
pub fn inputs(kinds: &'static [WeightsOf]) -> impl Strategy<Value = Input> {
    let shape = (0..40u64, 1..=5usize, prop_oneof![Just(7usize), Just(64), Just(1 << 20)]);
    let shape = (shape, any::<bool>(), 0..=100usize, proptest::sample::select(kinds));
    shape.prop_flat_map(|((vertices, ranks, round_limit), undirected, first_share, kind)| {
        let most = if vertices == 0 { 0 } else { 120 };
        let ends = 0..vertices.max(1);
        let edges = vec((ends.clone(), ends), 0..=most);
        edges.prop_flat_map(move |edges| {
            kind(edges.len()).prop_map(move |weights| Input {
                vertices,
                edges: edges.clone(),
                weights,
                undirected,
                ranks,
                round_limit,
                first_share,
            })
        })
    })
}
