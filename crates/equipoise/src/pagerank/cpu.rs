//! PageRank on the cpu.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{PageRank, PageRankOptions, flow::Flow};
use crate::{
    Step, Trace,
    bisect::largest,
    team::{self, Team, collect, collect_pair},
    times::{Clock, timed, times_of_steps},
};

/// Vertices plus edges per task, enough to amortise the scheduling.
const WORK_PER_PIECE: u64 = 1 << 15;

/// Computes ranks by iterations in which every vertex pulls.
pub(super) fn pagerank(flow: &Flow, options: &PageRankOptions) -> PageRank {
    let ((ranks, change, trace), run) = timed(|| team::run(|team| iterate(team, flow, options)));
    let iterations = trace.steps.len() as u32;
    let times = times_of_steps(&trace.steps, run);
    let converged = change <= options.tolerance;
    PageRank { ranks, iterations, change, converged, trace, times }
}

/// The ranks, the change of the last iteration, and a step per iteration.
fn iterate(team: &Team, flow: &Flow, options: &PageRankOptions) -> (Vec<f32>, f64, Trace) {
    let (pieces, first) = (pieces(flow.entering.offsets()), flow.first_rank());
    let (mut ranks, mut flowing) =
        collect_pair(team, flow.scale.len(), |vertex| (first, first * flow.scale[vertex]));
    let mut next = collect(team, ranks.len(), |_| 0.0);
    let mut sums = IterationSums { change: 0.0, dangling: flow.first_dangling() };
    let mut trace = Trace::default();
    if ranks.is_empty() {
        return (ranks, 0.0, trace);
    }
    let mut clock = Clock::start();
    for index in 0..options.most_iterations() {
        let restart = 1.0 - options.damping + options.damping * sums.dangling;
        let pull = Pull { flow, flowing: &flowing, damping: options.damping, restart };
        sums = pull.run(team, &pieces, &mut ranks, &mut next);
        std::mem::swap(&mut flowing, &mut next);
        let (frontier, edges) = (ranks.len() as u64, flow.entering.entries());
        let found = frontier;
        let time = clock.lap();
        trace.steps.push(Step { frontier, edges, found, time, ..Step::new(index, "pull") });
        if options.ends_after(sums.change) {
            break;
        }
    }
    (ranks, sums.change, trace)
}

/// The inputs of an iteration.
struct Pull<'a> {
    flow: &'a Flow<'a>,
    /// Per vertex, the rank that flows along each of its edges, or along an edge whose share is 1.
    flowing: &'a [f32],
    damping: f64,
    /// The total rank of restarts.
    restart: f64,
}

#[derive(Clone, Copy, Default)]
struct IterationSums {
    change: f64,
    dangling: f64,
}

impl Pull<'_> {
    /// Computes the new ranks, and what flows in the next iteration. Sums are added in the order of the pieces, so that
    /// they do not depend on the threads.
    fn run(
        &self,
        team: &Team,
        pieces: &[Range<usize>],
        ranks: &mut [f32],
        next: &mut [f32],
    ) -> IterationSums {
        let parts = cut(ranks, pieces).into_iter().zip(cut(next, pieces));
        // Uncontended: each piece is locked once.
        let work = parts.map(|(ranks, next)| Mutex::new((ranks, next, IterationSums::default())));
        let work: Vec<_> = work.collect();
        team.for_parts(pieces.len(), 1, |_, part| {
            for (vertices, work) in pieces[part.clone()].iter().zip(&work[part]) {
                let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
                let (ranks, next, sums) = &mut *work;
                *sums = self.run_piece(vertices.clone(), ranks, next);
            }
        });
        work.into_iter().fold(IterationSums::default(), |all, piece| {
            let (_, _, sums) = piece.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (change, dangling) = (all.change + sums.change, all.dangling + sums.dangling);
            IterationSums { change, dangling }
        })
    }

    fn run_piece(
        &self,
        vertices: Range<usize>,
        ranks: &mut [f32],
        next: &mut [f32],
    ) -> IterationSums {
        // One loop for each kind of graph: a loop that distinguishes them at every vertex takes half as long again.
        let (origins, flowing) = (self.flow.entering.indices(), self.flowing);
        match &self.flow.shares {
            None => self.run_piece_with(vertices, ranks, next, &EqualEdges { origins, flowing }),
            Some(shares) => {
                let edges = WeightedEdges { origins, shares, flowing };
                self.run_piece_with(vertices, ranks, next, &edges)
            }
        }
    }

    fn run_piece_with(
        &self,
        vertices: Range<usize>,
        ranks: &mut [f32],
        next: &mut [f32],
        edges: &impl Edges,
    ) -> IterationSums {
        let rows = PieceRows {
            offsets: &self.flow.entering.offsets()[vertices.start..=vertices.end],
            scale: &self.flow.scale[vertices.clone()],
            damping: self.damping,
        };
        match &self.flow.personal {
            None => {
                let restart = self.restart / self.flow.scale.len() as f64;
                rows.update(ranks, next, |_| restart, edges)
            }
            Some(personal) => {
                let personal = &personal[vertices];
                let restart = |row: usize| f64::from(personal[row]) * self.restart;
                rows.update(ranks, next, restart, edges)
            }
        }
    }
}

/// The rows of a piece.
struct PieceRows<'a> {
    /// The start of each row, and the end of the last.
    offsets: &'a [u64],
    scale: &'a [f32],
    damping: f64,
}

impl PieceRows<'_> {
    /// Computes the new ranks, and what flows in the next iteration. `restart` is the rank of the restarts at a row.
    #[inline(never)]
    fn update(
        &self,
        ranks: &mut [f32],
        next: &mut [f32],
        restart: impl Fn(usize) -> f64,
        edges: &impl Edges,
    ) -> IterationSums {
        let mut sums = IterationSums::default();
        // Each row starts at the end of the previous one.
        let mut start = self.offsets[0] as usize;
        let rows = self.offsets[1..].iter().zip(self.scale).zip(ranks).zip(next).enumerate();
        for (row, (((&end, &scale), rank), next)) in rows {
            let entering = edges.sum(start..end as usize);
            start = end as usize;
            let new = (restart(row) + self.damping * entering) as f32;
            sums.change += f64::from((new - *rank).abs());
            if scale == 0.0 {
                sums.dangling += f64::from(new);
            }
            (*rank, *next) = (new, new * scale);
        }
        sums
    }
}

/// The edges of the transpose.
trait Edges {
    /// The rank that flows along a range of edges.
    fn sum(&self, edges: Range<usize>) -> f64;
}

/// Edges along which all of what flows from their origin flows.
struct EqualEdges<'a> {
    origins: &'a [u32],
    flowing: &'a [f32],
}

impl Edges for EqualEdges<'_> {
    #[inline(always)]
    fn sum(&self, edges: Range<usize>) -> f64 {
        let origins = &self.origins[edges];
        sum(origins, origins, |origin, _| self.flowing[origin as usize])
    }
}

/// Edges with shares in what flows from their origin.
struct WeightedEdges<'a> {
    origins: &'a [u32],
    shares: &'a [f32],
    flowing: &'a [f32],
}

impl Edges for WeightedEdges<'_> {
    #[inline(always)]
    fn sum(&self, edges: Range<usize>) -> f64 {
        let (origins, shares) = (&self.origins[edges.clone()], &self.shares[edges]);
        sum(origins, shares, |origin, share| self.flowing[origin as usize] * share)
    }
}

/// Shorter rows are summed sequentially in `f32`, without the overhead of several sums and of widening.
const SHORT: usize = 16;
/// The terms of a long row that are added in `f32`, in pairs of pairs, before their sum is added in `f64`.
const GROUP: usize = 8;

/// The sum of `term` over pairs.
#[inline(always)]
fn sum<T: Copy>(origins: &[u32], shares: &[T], term: impl Fn(u32, T) -> f32) -> f64 {
    if origins.len() < SHORT {
        return sum_in_order(origins, shares, &term).into();
    }
    let (groups, last_origins) = origins.as_chunks::<GROUP>();
    let (share_groups, last_shares) = shares.as_chunks::<GROUP>();
    let mut sum = f64::from(sum_in_order(last_origins, last_shares, &term));
    for (origins, shares) in groups.iter().zip(share_groups) {
        let [a, b, c, d, e, f, g, h] =
            std::array::from_fn(|index| term(origins[index], shares[index]));
        sum += f64::from(((a + b) + (c + d)) + ((e + f) + (g + h)));
    }
    sum
}

#[inline(always)]
fn sum_in_order<T: Copy>(origins: &[u32], shares: &[T], term: impl Fn(u32, T) -> f32) -> f32 {
    origins.iter().zip(shares).map(|(&origin, &share)| term(origin, share)).sum()
}

/// Ranges of vertices with about [`WORK_PER_PIECE`] vertices and edges each. Rows are not divided.
fn pieces(offsets: &[u64]) -> Vec<Range<usize>> {
    let vertices = offsets.len().saturating_sub(1) as u64;
    let work_before = |vertex: u64| offsets[vertex as usize] + vertex;
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < vertices {
        let most_work = work_before(start) + WORK_PER_PIECE;
        let is_within = |end| end <= start || work_before(end) <= most_work;
        // The row that exceeds the work is the last.
        let end = vertices.min(largest(vertices.min(start + WORK_PER_PIECE), is_within) + 1);
        pieces.push(start as usize..end as usize);
        start = end;
    }
    pieces
}

/// Cuts an array into consecutive pieces.
fn cut<'a>(mut array: &'a mut [f32], pieces: &[Range<usize>]) -> Vec<&'a mut [f32]> {
    let cut_first = |piece: &Range<usize>| {
        let (first, rest) = std::mem::take(&mut array).split_at_mut(piece.len());
        array = rest;
        first
    };
    pieces.iter().map(cut_first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_are_summed_completely() {
        let terms: Vec<f32> = (1..=40).map(|term| term as f32).collect();
        for length in 0..=terms.len() {
            let origins: Vec<u32> = (0..length as u32).collect();
            let expected = (length * (length + 1) / 2) as f64;
            assert_eq!(sum(&origins, &origins, |origin, _| terms[origin as usize]), expected);
        }
    }

    #[test]
    fn every_vertex_is_in_one_piece_and_pieces_have_equal_work() {
        let mut offsets = vec![0];
        for degree in [3, 0, 5 * WORK_PER_PIECE, 7].repeat(9000) {
            offsets.push(offsets[offsets.len() - 1] + degree);
        }
        let pieces = pieces(&offsets);
        assert_eq!((pieces[0].start, pieces[pieces.len() - 1].end), (0, 36_000));
        assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start));
        let before_last = |piece: &Range<usize>| offsets[piece.end - 1] - offsets[piece.start];
        assert!(pieces.iter().all(|piece| before_last(piece) <= WORK_PER_PIECE), "{pieces:?}");
        assert!(pieces.len() <= 9001, "{}", pieces.len());
        assert!(super::pieces(&[0]).is_empty());
    }
}
