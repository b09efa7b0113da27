//! PageRank on the cpu.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{PageRank, PageRankOptions, flow::Flow};
use crate::{
    Step, Trace,
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
        let mut sums = IterationSums::default();
        let uniform = 1.0 / self.flow.scale.len() as f64;
        let (offsets, scale) = (self.flow.entering.offsets(), &self.flow.scale[vertices.clone()]);
        let personal = self.flow.personal.as_ref().map(|personal| &personal[vertices.clone()]);
        // Each row starts at the end of the previous one.
        let mut start = offsets[vertices.start] as usize;
        let ends = &offsets[vertices.start + 1..=vertices.end];
        let origins = self.flow.entering.indices();
        for (index, (((&end, &scale), rank), next)) in
            ends.iter().zip(scale).zip(ranks).zip(next).enumerate()
        {
            let entering = self.entering(origins, start..end as usize);
            start = end as usize;
            let personal = personal.map_or(uniform, |personal| personal[index].into());
            let new = (personal * self.restart + self.damping * entering) as f32;
            sums.change += f64::from((new - *rank).abs());
            if scale == 0.0 {
                sums.dangling += f64::from(new);
            }
            (*rank, *next) = (new, new * scale);
        }
        sums
    }

    /// The rank that flows along a range of edges.
    #[inline]
    fn entering(&self, origins: &[u32], edges: Range<usize>) -> f64 {
        let origins = &origins[edges.clone()];
        let from = |origin: u32| self.flowing[origin as usize];
        match &self.flow.shares {
            None => sum(origins, origins, |origin, _| from(origin)),
            Some(shares) => sum(origins, &shares[edges], |origin, share| from(origin) * share),
        }
    }
}

/// Shorter rows are summed sequentially in `f32`, without the overhead of several sums and of widening.
const SHORT: usize = 16;

/// The sum of `term` over pairs. Long rows have several independent sums, which hide the latency of additions.
#[inline(always)]
fn sum<T: Copy>(origins: &[u32], shares: &[T], term: impl Fn(u32, T) -> f32) -> f64 {
    const SUMS: usize = 4;
    if origins.len() < SHORT {
        let terms = origins.iter().zip(shares).map(|(&origin, &share)| term(origin, share));
        return terms.sum::<f32>().into();
    }
    let (origins, last_origins) = origins.as_chunks::<SUMS>();
    let (shares, last_shares) = shares.as_chunks::<SUMS>();
    let mut sums = [0.0f64; SUMS];
    for (origins, shares) in origins.iter().zip(shares) {
        for ((sum, &origin), &share) in sums.iter_mut().zip(origins).zip(shares) {
            *sum += f64::from(term(origin, share));
        }
    }
    for ((sum, &origin), &share) in sums.iter_mut().zip(last_origins).zip(last_shares) {
        *sum += f64::from(term(origin, share));
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Ranges of vertices with about [`WORK_PER_PIECE`] vertices and edges each. Rows are not divided.
fn pieces(offsets: &[u64]) -> Vec<Range<usize>> {
    let vertices = offsets.len().saturating_sub(1);
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < vertices {
        let mut end = start + 1;
        while end < vertices
            && offsets[end] - offsets[start] + (end - start) as u64 <= WORK_PER_PIECE
        {
            end += 1;
        }
        pieces.push(start..end);
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
