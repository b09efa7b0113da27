//! Spanning forests on the cpu.

use std::{
    ops::{Range, RangeInclusive},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::{Keys, MstStrategy, SpanningForest, ends};
use crate::{
    Step, Times, Trace,
    components::Forest,
    team,
    times::{Clock, timed},
};

/// Places of edges that are listed together, so that a vertex with many edges is no more work than others.
const PLACES_AT_ONCE: usize = 1 << 14;

/// Finds the forest by a strategy that is not `auto`.
pub(super) fn mst(graph: &Graph, strategy: MstStrategy) -> SpanningForest {
    let (growing, run) = timed(|| {
        let keys = Keys::of(graph);
        let mut growing = Growing::new(graph, keys);
        let phases = keys.phases(graph, strategy);
        let names = if phases.len() == 1 { ["all", "all"] } else { ["light", "heavy"] };
        phases.into_iter().zip(names).for_each(|(phase, name)| growing.take(phase, name));
        growing
    });
    let Growing { places, trace, .. } = growing;
    let kernel = trace.steps.iter().map(|step| step.time).sum();
    let times = Times { kernel, overhead: run.saturating_sub(kernel), ..Times::default() };
    SpanningForest::of(graph, places, strategy, trace, times)
}

/// An edge between two trees.
#[derive(Clone, Copy)]
struct Edge {
    /// The trees.
    a: u32,
    b: u32,
    /// Its key, and below that its place, so that no two compare the same.
    order: u64,
}

/// A forest that grows from round to round.
struct Growing<'g> {
    graph: &'g Graph,
    keys: Keys<'g>,
    trees: Forest,
    /// The first edge of each tree, by its root.
    first: Vec<AtomicU64>,
    /// The places of the edges in it.
    places: Vec<u32>,
    trace: Trace,
}

impl<'g> Growing<'g> {
    fn new(graph: &'g Graph, keys: Keys<'g>) -> Self {
        let first = (0..graph.vertices()).into_par_iter().map(|_| AtomicU64::new(u64::MAX));
        Self {
            graph,
            keys,
            trees: team::run(|team| Forest::new(team, graph.vertices())),
            first: first.collect(),
            places: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// Adds the edges with these keys that belong to the forest.
    fn take(&mut self, keys: RangeInclusive<u32>, name: &'static str) {
        let mut clock = Clock::start();
        let mut pieces = self.listed(keys);
        loop {
            let edges = pieces.par_iter().map(|piece| piece.len() as u64).sum();
            if edges == 0 {
                return;
            }
            let frontier = u64::from(self.graph.vertices()) - self.places.len() as u64;
            let found = self.round(&mut pieces);
            let step = Step::new(self.trace.steps.len() as u32, name);
            let time = clock.lap();
            self.trace.steps.push(Step { frontier, edges, found, time, ..step });
        }
    }

    /// The edges with these keys that join two trees, in pieces.
    fn listed(&self, keys: RangeInclusive<u32>) -> Vec<Vec<Edge>> {
        let places = self.graph.csr().indices().len();
        let pieces = (0..places.div_ceil(PLACES_AT_ONCE)).into_par_iter().map(|piece| {
            let start = piece * PLACES_AT_ONCE;
            let end = places.min(start + PLACES_AT_ONCE);
            self.edges_within(start..end, keys.clone()).collect()
        });
        pieces.collect()
    }

    /// Those of some places, each once: from its smaller end.
    fn edges_within(
        &self,
        places: Range<usize>,
        keys: RangeInclusive<u32>,
    ) -> impl Iterator<Item = Edge> + use<'_, 'g> {
        let csr = self.graph.csr();
        let [mut vertex, _] = ends(csr, places.start as u64);
        places.filter_map(move |place| {
            while csr.offsets()[vertex as usize + 1] <= place as u64 {
                vertex += 1;
            }
            let (target, key) = (csr.indices()[place], self.keys.key(place));
            if target <= vertex || !keys.contains(&key) {
                return None;
            }
            let (a, b) = (self.trees.parent(vertex), self.trees.parent(target));
            let order = u64::from(key) << 32 | place as u64;
            (a != b).then_some(Edge { a, b, order })
        })
    }

    /// Joins each tree with another by the first of its edges, and drops those within one. How many were taken.
    fn round(&mut self, pieces: &mut [Vec<Edge>]) -> u64 {
        let (trees, first) = (&self.trees, &self.first);
        pieces.par_iter().flatten_iter().for_each(|edge| {
            for tree in [edge.a, edge.b] {
                let first = &first[tree as usize];
                if edge.order < first.load(Relaxed) {
                    first.fetch_min(edge.order, Relaxed);
                }
            }
        });
        let is_first = |tree: u32, edge: &Edge| first[tree as usize].load(Relaxed) == edge.order;
        let taken = pieces
            .par_iter()
            .flatten_iter()
            .filter(|edge| is_first(edge.a, edge) || is_first(edge.b, edge));
        let before = self.places.len();
        self.places.par_extend(taken.map(|edge| {
            trees.hook(edge.a, edge.b);
            edge.order as u32
        }));
        team::run(|team| trees.compress(team, None));
        first.par_iter().for_each(|first| first.store(u64::MAX, Relaxed));
        pieces.par_iter_mut().for_each(|piece| {
            piece.retain_mut(|edge| {
                (edge.a, edge.b) = (trees.parent(edge.a), trees.parent(edge.b));
                edge.a != edge.b
            });
        });
        (self.places.len() - before) as u64
    }
}
