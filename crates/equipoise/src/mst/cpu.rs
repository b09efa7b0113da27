//! Spanning forests on the cpu.

use std::{
    ops::{Range, RangeInclusive},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Graph, parallel::*};

use super::{Keys, MstStrategy, SpanningForest, ends};
use crate::{
    Step, Trace,
    components::Forest,
    team,
    times::{Clock, timed, times_of_steps},
};

/// Edges per task. Tasks cut rows, so that a vertex of high degree does not unbalance them.
const EDGES_AT_ONCE: usize = 1 << 14;

/// Finds the forest by a strategy that is not `auto`.
pub(super) fn mst(graph: &Graph, strategy: MstStrategy) -> SpanningForest {
    let (boruvka, run) = timed(|| {
        let keys = Keys::new(graph);
        let mut boruvka = Boruvka::new(graph, keys);
        let phases = keys.phases(graph, strategy);
        let names = if phases.len() == 1 { ["all", "all"] } else { ["light", "heavy"] };
        phases.into_iter().zip(names).for_each(|(phase, name)| boruvka.run_phase(phase, name));
        boruvka
    });
    let Boruvka { chosen, trace, .. } = boruvka;
    let times = times_of_steps(&trace.steps, run);
    SpanningForest::new(graph, chosen, strategy, trace, times)
}

/// An edge between two trees.
#[derive(Clone, Copy)]
struct TreeEdge {
    /// The roots of the trees.
    a: u32,
    b: u32,
    /// The key in the upper half, and the index of the edge in the lower half, which breaks ties.
    order: u64,
}

/// A forest that grows round by round.
struct Boruvka<'g> {
    graph: &'g Graph,
    keys: Keys<'g>,
    trees: Forest,
    /// The smallest order of the edges that leave each tree, by its root.
    smallest: Vec<AtomicU64>,
    /// The indices of the edges of the forest.
    chosen: Vec<u32>,
    trace: Trace,
}

impl<'g> Boruvka<'g> {
    fn new(graph: &'g Graph, keys: Keys<'g>) -> Self {
        let smallest = (0..graph.vertices()).into_par_iter().map(|_| AtomicU64::new(u64::MAX));
        Self {
            graph,
            keys,
            trees: team::run(|team| Forest::new(team, graph.vertices())),
            smallest: smallest.collect(),
            chosen: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// Adds the edges of the forest whose keys are in a range.
    fn run_phase(&mut self, keys: RangeInclusive<u32>, name: &'static str) {
        let mut clock = Clock::start();
        let mut pieces = self.edges_between_trees(keys);
        loop {
            let edges = pieces.par_iter().map(|piece| piece.len() as u64).sum();
            if edges == 0 {
                return;
            }
            let frontier = u64::from(self.graph.vertices()) - self.chosen.len() as u64;
            let found = self.round(&mut pieces);
            let step = Step::new(self.trace.steps.len() as u32, name);
            let time = clock.lap();
            self.trace.steps.push(Step { frontier, edges, found, time, ..step });
        }
    }

    /// The edges between two trees whose keys are in a range, in pieces.
    fn edges_between_trees(&self, keys: RangeInclusive<u32>) -> Vec<Vec<TreeEdge>> {
        let edges = self.graph.csr().indices().len();
        let pieces = (0..edges.div_ceil(EDGES_AT_ONCE)).into_par_iter().map(|piece| {
            let start = piece * EDGES_AT_ONCE;
            let end = edges.min(start + EDGES_AT_ONCE);
            self.edges_within(start..end, keys.clone()).collect()
        });
        pieces.collect()
    }

    /// The edges between two trees in a range of edges, each in the direction from its smaller end.
    fn edges_within(
        &self,
        edges: Range<usize>,
        keys: RangeInclusive<u32>,
    ) -> impl Iterator<Item = TreeEdge> + use<'_, 'g> {
        let csr = self.graph.csr();
        let [mut vertex, _] = ends(csr, edges.start as u64);
        edges.filter_map(move |edge| {
            while csr.offsets()[vertex as usize + 1] <= edge as u64 {
                vertex += 1;
            }
            let (target, key) = (csr.indices()[edge], self.keys.key(edge));
            if target <= vertex || !keys.contains(&key) {
                return None;
            }
            let (a, b) = (self.trees.parent(vertex), self.trees.parent(target));
            let order = u64::from(key) << 32 | edge as u64;
            (a != b).then_some(TreeEdge { a, b, order })
        })
    }

    /// Joins each tree with another by the smallest of its edges, and drops the edges within a tree. Returns the number
    /// of edges chosen.
    fn round(&mut self, pieces: &mut [Vec<TreeEdge>]) -> u64 {
        let (trees, smallest) = (&self.trees, &self.smallest);
        pieces.par_iter().flat_map_iter(|piece| piece).for_each(|edge| {
            for tree in [edge.a, edge.b] {
                let smallest = &smallest[tree as usize];
                if edge.order < smallest.load(Relaxed) {
                    smallest.fetch_min(edge.order, Relaxed);
                }
            }
        });
        let is_smallest =
            |tree: u32, edge: &TreeEdge| smallest[tree as usize].load(Relaxed) == edge.order;
        let chosen = pieces
            .par_iter()
            .flat_map_iter(|piece| piece)
            .filter(|edge| is_smallest(edge.a, edge) || is_smallest(edge.b, edge));
        let before = self.chosen.len();
        self.chosen.par_extend(chosen.map(|edge| {
            trees.hook(edge.a, edge.b);
            edge.order as u32
        }));
        team::run(|team| trees.compress(team, None));
        smallest.par_iter().for_each(|order| order.store(u64::MAX, Relaxed));
        pieces.par_iter_mut().for_each(|piece| {
            piece.retain_mut(|edge| {
                (edge.a, edge.b) = (trees.parent(edge.a), trees.parent(edge.b));
                edge.a != edge.b
            });
        });
        (self.chosen.len() - before) as u64
    }
}
