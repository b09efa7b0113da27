//! PageRank on the cpu.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{PageRank, PageRankOptions, flow::Flow};
use crate::{
    Step, Times, Trace,
    team::{self, Team, collect, collect_pair},
    times::{Clock, timed},
};

/// Vertices and edges that a thread takes at once: enough that handing them out costs nothing.
const WORK_PER_PIECE: u64 = 1 << 15;

/// Ranks by iterations in which every vertex pulls.
pub(super) fn pagerank(flow: &Flow, options: &PageRankOptions) -> PageRank {
    let ((ranks, change, trace), run) = timed(|| team::run(|team| iterate(team, flow, options)));
    let iterations = trace.steps.len() as u32;
    let kernel = trace.steps.iter().map(|step| step.time).sum();
    let times = Times { kernel, overhead: run.saturating_sub(kernel), ..Times::default() };
    let converged = change <= options.tolerance;
    PageRank { ranks, iterations, change, converged, trace, times }
}

/// The ranks, what the last iteration changed, and all iterations.
fn iterate(team: &Team, flow: &Flow, options: &PageRankOptions) -> (Vec<f32>, f64, Trace) {
    let (pieces, first) = (pieces(flow.entering.offsets()), flow.first_rank());
    let (mut ranks, mut flowing) =
        collect_pair(team, flow.scale.len(), |vertex| (first, first * flow.scale[vertex]));
    let mut next = collect(team, ranks.len(), |_| 0.0);
    let mut summed = Summed { change: 0.0, dangling: flow.first_dangling() };
    let mut trace = Trace::default();
    if ranks.is_empty() {
        return (ranks, 0.0, trace);
    }
    let mut clock = Clock::start();
    for index in 0..options.max_iterations {
        let anew = 1.0 - options.damping + options.damping * summed.dangling;
        let pull = Pull { flow, flowing: &flowing, damping: options.damping, anew };
        summed = pull.all(team, &pieces, &mut ranks, &mut next);
        std::mem::swap(&mut flowing, &mut next);
        let (frontier, edges) = (ranks.len() as u64, flow.entering.entries());
        let found = frontier;
        let time = clock.lap();
        trace.steps.push(Step { frontier, edges, found, time, ..Step::new(index, "pull") });
        if summed.change <= options.tolerance {
            break;
        }
    }
    (ranks, summed.change, trace)
}

/// An iteration: what flows, and what comes from starting anew.
struct Pull<'a> {
    flow: &'a Flow<'a>,
    /// Of each vertex, what flows along each of its edges, or along one whose share is one.
    flowing: &'a [f32],
    damping: f64,
    /// The rank that is spread over where walks start anew.
    anew: f64,
}

/// What an iteration adds up.
#[derive(Clone, Copy, Default)]
struct Summed {
    change: f64,
    dangling: f64,
}

impl Pull<'_> {
    /// Gives every vertex its new rank, and what will flow from it then. Sums are added up piece after piece, whatever
    /// thread did which.
    fn all(
        &self,
        team: &Team,
        pieces: &[Range<usize>],
        ranks: &mut [f32],
        next: &mut [f32],
    ) -> Summed {
        let parts = cut(ranks, pieces).into_iter().zip(cut(next, pieces));
        // Each is locked once, by the thread that takes it.
        let work: Vec<_> =
            parts.map(|(ranks, next)| Mutex::new((ranks, next, Summed::default()))).collect();
        team.for_parts(pieces.len(), 1, |_, part| {
            for (vertices, work) in pieces[part.clone()].iter().zip(&work[part]) {
                let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
                let (ranks, next, sums) = &mut *work;
                *sums = self.piece(vertices.clone(), ranks, next);
            }
        });
        work.into_iter().fold(Summed::default(), |all, piece| {
            let (_, _, sums) = piece.into_inner().unwrap_or_else(PoisonError::into_inner);
            Summed { change: all.change + sums.change, dangling: all.dangling + sums.dangling }
        })
    }

    fn piece(&self, vertices: Range<usize>, ranks: &mut [f32], next: &mut [f32]) -> Summed {
        let mut sums = Summed::default();
        let uniform = 1.0 / self.flow.scale.len() as f64;
        let (offsets, scale) = (self.flow.entering.offsets(), &self.flow.scale[vertices.clone()]);
        let personal = self.flow.personal.as_ref().map(|personal| &personal[vertices.clone()]);
        // Rows follow each other: where one ends the next one starts.
        let mut start = offsets[vertices.start] as usize;
        let ends = &offsets[vertices.start + 1..=vertices.end];
        let origins = self.flow.entering.indices();
        for (place, (((&end, &scale), rank), next)) in
            ends.iter().zip(scale).zip(ranks).zip(next).enumerate()
        {
            let entering = self.entering(origins, start..end as usize);
            start = end as usize;
            let personal = personal.map_or(uniform, |personal| personal[place].into());
            let new = (personal * self.anew + self.damping * entering) as f32;
            sums.change += f64::from((new - *rank).abs());
            if scale == 0.0 {
                sums.dangling += f64::from(new);
            }
            (*rank, *next) = (new, new * scale);
        }
        sums
    }

    /// What flows along some of the edges from these vertices.
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

/// Rows of fewer edges are added up one by one, in `f32`: to share them out, and to widen each number, would take longer.
const SHORT: usize = 16;

/// The sum of what pairs give, of long rows in several sums that do not wait for each other.
#[inline(always)]
fn sum<T: Copy>(origins: &[u32], beside: &[T], give: impl Fn(u32, T) -> f32) -> f64 {
    const SUMS: usize = 4;
    if origins.len() < SHORT {
        let each = origins.iter().zip(beside).map(|(&origin, &beside)| give(origin, beside));
        return each.sum::<f32>().into();
    }
    let (origins, last_origins) = origins.as_chunks::<SUMS>();
    let (beside, last_beside) = beside.as_chunks::<SUMS>();
    let mut sums = [0.0f64; SUMS];
    for (origins, beside) in origins.iter().zip(beside) {
        for ((sum, &origin), &beside) in sums.iter_mut().zip(origins).zip(beside) {
            *sum += f64::from(give(origin, beside));
        }
    }
    for ((sum, &origin), &beside) in sums.iter_mut().zip(last_origins).zip(last_beside) {
        *sum += f64::from(give(origin, beside));
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Ranges of vertices, each with about as many vertices and edges together; a vertex is in one whatever its edges.
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

/// Cuts an array into what belongs to each piece.
fn cut<'a>(mut array: &'a mut [f32], pieces: &[Range<usize>]) -> Vec<&'a mut [f32]> {
    let mut cut = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (first, rest) = array.split_at_mut(piece.len());
        cut.push(first);
        array = rest;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_is_in_one_piece_and_pieces_have_alike_work() {
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
