//! The pass that computes the dependencies of pairs, farthest first.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{count::*, lists::*, look::*, pairs::*, paths::*, span::Span};

/// Computes the dependencies of the pairs of levels from those of the next ones, from `level` back.
#[cube(launch_unchecked)]
pub(super) fn backward_levels(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &mut Lists,
    visit: &mut Visit,
) {
    let mut sums = CubeSum::new();
    #[comptime]
    if visit.barrier.is_none() {
        backward_level(edges, pairs, lists, &mut sums, visit.level, visit.lanes);
    }
    #[comptime]
    if let ComptimeOption::Some(words) = &mut visit.barrier {
        let mut barrier = words.barrier();
        let mut level = visit.level;
        let mut continues = words.start(&mut barrier);
        while continues {
            backward_level(edges, pairs, lists, &mut sums, level, visit.lanes);
            continues = level > 0 && visit.level - level + 1 < visit.levels;
            if continues {
                continues = words.wait(&mut barrier);
                level -= 1;
            }
        }
    }
}

#[cube]
fn backward_level(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &Lists,
    sums: &mut CubeSum,
    level: u32,
    lanes: u32,
) {
    let span = lists.span(level);
    for index in cube_grid_stride_range(0u32, span.counts[HUBS]) {
        let pair = lists.pair(span.starts[HUBS] + index, HUBS);
        let team = Team { rank: UNIT_POS, size: CUBE_DIM };
        let part = sum_shares(edges, pairs, pair, level, team);
        let sum = sums.sum(part, 0u32);
        if UNIT_POS == 0 {
            depend(pairs, pair, sum.number);
        }
    }
    backward_class(edges, pairs, lists, &span, level, PLANE_DIM, MANY);
    backward_class(edges, pairs, lists, &span, level, lanes, FEW);
}

/// Computes the dependencies of the pairs of a class, each by `lanes` units of a plane.
#[cube]
fn backward_class(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &Lists,
    span: &Span,
    level: u32,
    lanes: u32,
    #[comptime] class: usize,
) {
    let count = span.counts[class];
    let team = Team { rank: UNIT_POS_PLANE % lanes, size: lanes };
    // The same number of iterations for all units of a plane, because they shuffle.
    for first in teams(lanes, count) {
        let index = first + UNIT_POS_PLANE / lanes;
        let mut sum = Count::zero();
        let mut pair = 0u32;
        if index < count {
            pair = lists.pair(span.starts[class] + index, class);
            sum.add(sum_shares(edges, pairs, pair, level, team), 0u32);
        }
        sum.add_lanes(lanes);
        if team.rank == 0 && index < count {
            depend(pairs, pair, sum.number);
        }
    }
}

/// Sums what the neighbours after a pair contribute to its dependency, per path of its number without the power, over a
/// unit's share of the edges.
#[cube]
fn sum_shares(edges: &Edges, pairs: &Pairs, pair: u32, level: u32, team: Team) -> f32 {
    let mut sum = 0.0f32;
    let viewer = Viewer::new(pairs, edges, pair, level);
    let power = pairs.paths[pair as usize][1];
    let begin = edges.leaving.offsets[viewer.vertex as usize];
    let degree = edges.leaving.offsets[viewer.vertex as usize + 1] - begin;
    for first in step_range(team.rank, degree, comptime!(LOOKS as u32) * team.size) {
        let looks = viewer.look(pairs, edges, team, begin, degree, first, true);
        let mut beyond = Array::<Words>::new(LOOKS);
        #[unroll]
        for look in 0..LOOKS {
            beyond[look] = words_of(0u32.runtime(), power);
            if is_on_path(viewer.distance, looks.distances[look], looks.weights[look]) {
                beyond[look] = pairs.paths[looks.pairs[look] as usize];
            }
        }
        #[unroll]
        for look in 0..LOOKS {
            // All paths to the pair lead to the one beyond, so the power of that is not smaller.
            sum += halved(f32::reinterpret(beyond[look][0]), beyond[look][1] - power);
        }
    }
    sum
}

/// Stores the dependency of a pair.
#[cube]
fn depend(pairs: &mut Pairs, pair: u32, shares: f32) {
    let paths = pairs.paths[pair as usize];
    let number = f32::reinterpret(paths[0]);
    let dependency = number * shares;
    pairs.dependencies.set(pair, u32::reinterpret(dependency));
    pairs.paths[pair as usize] = words_of(u32::reinterpret(ratio(dependency, number)), paths[1]);
}
