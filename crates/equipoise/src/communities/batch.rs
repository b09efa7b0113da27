//! What the threads of a team share of a batch of vertices: their edges, of which a hub has more than a thread visits alone.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{around::pieces, tally::Tally, undirected::UndirectedGraph};
use crate::team::{Lanes, Team};

/// The fewest edges per thread: with fewer, a fork takes longer than it saves.
pub(super) const EDGES_PER_THREAD: u64 = 1 << 10;
/// The fewest vertices per thread of which no edges are visited.
pub(super) const VERTICES_PER_THREAD: u64 = 1 << 10;
/// The work for a vertex, in edges.
const EDGES_PER_VERTEX: usize = 4;
/// The most vertices per task.
const MOST_VERTICES: usize = 1 << 6;
/// Tasks per thread, enough to keep all threads busy until the end.
const TASKS_PER_THREAD: usize = 4;

/// The threads that share the edges of some vertices, and the vertices per task.
pub(super) fn shares(
    team: &Team,
    graph: &UndirectedGraph,
    vertices: impl ExactSizeIterator<Item = u32>,
) -> (usize, usize) {
    let count = vertices.len();
    let edges: usize = vertices.map(|vertex| graph.neighbors.row_len(vertex)).sum();
    let work = edges + EDGES_PER_VERTEX * count;
    let threads = team.threads_for(work as u64, EDGES_PER_THREAD);
    (threads, (count / (TASKS_PER_THREAD * threads)).clamp(1, MOST_VERTICES))
}

/// A tally for each thread of a team.
pub(super) struct BatchTallies(Lanes<Tally>);

/// A range of the edges of a hub, and the sums of their weights.
struct Piece {
    vertex: usize,
    edges: Range<usize>,
    sums: Mutex<Vec<(u32, f64)>>,
}

impl BatchTallies {
    /// For labels below `labels`.
    pub fn new(labels: u32) -> Self {
        Self(Lanes::new(rayon::current_num_threads(), || Tally::for_keys(labels)))
    }

    /// Sums the weights around each vertex by the label of its neighbour, which is [`NONE`](crate::NONE) for those to leave out, and
    /// stores what `result` makes of the sums in `results`.
    pub fn for_each<T: Clone + Default + Send>(
        &self,
        team: &Team,
        graph: &UndirectedGraph,
        vertices: &[u32],
        results: &mut Vec<T>,
        label: impl Fn(u32, u32) -> u32 + Sync,
        result: impl Fn(u32, &mut Tally) -> T + Sync,
    ) {
        results.clear();
        results.resize(vertices.len(), T::default());
        let (threads, size) = shares(team, graph, vertices.iter().copied());
        let add = |vertex: u32, edges: Range<usize>, tally: &mut Tally| {
            tally.clear(edges.len());
            let edges = graph.edges_in(edges);
            tally.add_all(edges.map(|(other, weight)| (label(vertex, other), weight)));
        };
        let pieces = pieces_of_hubs(graph, vertices);
        team.for_tasks(threads, pieces.len(), |thread, index| {
            let (piece, mut tally) = (&pieces[index], self.0.get(thread));
            add(vertices[piece.vertex], piece.edges.clone(), &mut tally);
            *piece.sums.lock().unwrap_or_else(PoisonError::into_inner) = tally.sums().collect();
        });
        team.for_chunks(threads, results, size, |thread, first, results| {
            let mut tally = self.0.get(thread);
            for (index, slot) in (first..).zip(results) {
                let vertex = vertices[index];
                match pieces_of(&pieces, index) {
                    [] => add(vertex, graph.neighbors.range(vertex), &mut tally),
                    pieces => merge(pieces, &mut tally),
                }
                *slot = result(vertex, &mut tally);
            }
        });
    }
}

/// The edges of vertices that have more than a thread visits alone.
fn pieces_of_hubs(graph: &UndirectedGraph, vertices: &[u32]) -> Vec<Piece> {
    let of_vertex = |(index, &vertex): (usize, &u32)| {
        let pieces = pieces(graph.neighbors.range(vertex));
        let is_hub = pieces.len() > 1;
        let pieces = pieces.filter(move |_| is_hub);
        pieces.map(move |edges| Piece { vertex: index, edges, sums: Mutex::default() })
    };
    vertices.iter().enumerate().flat_map(of_vertex).collect()
}

/// The pieces of the vertex with an index.
fn pieces_of(pieces: &[Piece], vertex: usize) -> &[Piece] {
    let start = pieces.partition_point(|piece| piece.vertex < vertex);
    let count = pieces[start..].iter().take_while(|piece| piece.vertex == vertex).count();
    &pieces[start..start + count]
}

/// The sums of all pieces, in their order, so that rounding does not depend on the number of threads.
fn merge(pieces: &[Piece], tally: &mut Tally) {
    let lock = |piece: &Piece| {
        std::mem::take(&mut *piece.sums.lock().unwrap_or_else(PoisonError::into_inner))
    };
    let sums: Vec<Vec<(u32, f64)>> = pieces.iter().map(lock).collect();
    tally.clear_for(sums.iter().map(Vec::len).max().unwrap_or(0));
    tally.add_all(sums.into_iter().flatten());
}
