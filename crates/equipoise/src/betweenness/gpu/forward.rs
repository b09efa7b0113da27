//! The pass that reaches pairs and counts the paths to them, nearest first.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{count::*, lists::*, look::*, pairs::*, paths::*, span::Span};

/// Counts the paths to the pairs of levels, from `level` on, and lists the pairs of the next ones.
#[cube(launch_unchecked)]
pub(super) fn forward_levels(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &mut Lists,
    visit: &mut Visit,
    #[comptime] units: u32,
) {
    let mut found = Found::new(units);
    let mut sums = CubeSum::new();
    let mut span = lists.last_span(visit.level);
    #[comptime]
    if visit.barrier.is_none() {
        forward_level(edges, pairs, lists, &mut found, &mut sums, &span, visit.level, visit.lanes);
        lists.record(visit.level + 1, span.count(), span.end());
    }
    #[comptime]
    if let ComptimeOption::Some(words) = &mut visit.barrier {
        let mut barrier = words.barrier();
        let mut level = visit.level;
        let mut continues = words.start(&mut barrier);
        while continues {
            forward_level(edges, pairs, lists, &mut found, &mut sums, &span, level, visit.lanes);
            continues = words.wait(&mut barrier);
            if continues && lists.has_overflowed(level + 1) {
                lists.examine(pairs, &mut found, &span, level);
                continues = words.wait(&mut barrier);
            }
            level += 1;
            span.advance(lists, level);
            continues = continues && span.count() > 0 && level - visit.level < visit.levels;
        }
        lists.record(level, span.count(), span.end());
    }
}

/// Lists the pairs of a level if a queue was too short for them.
#[cube(launch_unchecked)]
pub(super) fn list_level(pairs: &Pairs, lists: &mut Lists, level: u32, #[comptime] units: u32) {
    if lists.has_overflowed(level) {
        let mut found = Found::new(units);
        let span = lists.span(level - 1);
        lists.examine(pairs, &mut found, &span, level - 1);
    }
}

#[cube]
#[allow(clippy::too_many_arguments)]
fn forward_level(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &mut Lists,
    found: &mut Found,
    sums: &mut CubeSum,
    span: &Span,
    level: u32,
    lanes: u32,
) {
    lists.prepare(span, level);
    for index in cube_grid_stride_range(0u32, span.counts[HUBS]) {
        let pair = lists.pair(span.starts[HUBS] + index, HUBS);
        let team = Team { rank: UNIT_POS, size: CUBE_DIM };
        let part = count_paths(edges, pairs, found, pair, level, team);
        let count = sums.sum(part.number, part.power);
        if UNIT_POS == 0 && level > 0 {
            pairs.paths[pair as usize] = count.words();
        }
    }
    forward_class(edges, pairs, lists, found, span, level, PLANE_DIM, MANY);
    forward_class(edges, pairs, lists, found, span, level, lanes, FEW);
    lists.list_queued(pairs, found, span, level);
}

/// Counts the paths to the pairs of a class, each by `lanes` units of a plane.
#[cube]
#[allow(clippy::too_many_arguments)]
fn forward_class(
    edges: &Edges,
    pairs: &mut Pairs,
    lists: &Lists,
    found: &mut Found,
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
        let mut paths = Count::zero();
        let mut pair = 0u32;
        if index < count {
            pair = lists.pair(span.starts[class] + index, class);
            let part = count_paths(edges, pairs, found, pair, level, team);
            paths.add(part.number, part.power);
        }
        paths.add_lanes(lanes);
        if team.rank == 0 && index < count && level > 0 {
            pairs.paths[pair as usize] = paths.words();
        }
    }
}

/// Follows a unit's share of the edges of a pair: queues neighbours that join the next level, and sums the paths to those
/// of the previous one.
#[cube]
fn count_paths(
    edges: &Edges,
    pairs: &mut Pairs,
    found: &mut Found,
    pair: u32,
    level: u32,
    team: Team,
) -> Count {
    let mut count = Count::zero();
    let viewer = Viewer::new(pairs, edges, pair, level);
    let begin = edges.leaving.offsets[viewer.vertex as usize];
    let degree = edges.leaving.offsets[viewer.vertex as usize + 1] - begin;
    for first in step_range(team.rank, degree, comptime!(LOOKS as u32) * team.size) {
        let looks = viewer.look(pairs, edges, team, begin, degree, first, true);
        #[comptime]
        if edges.entering.is_none() {
            add_paths(pairs, &looks, viewer, &mut count);
        }
        #[unroll]
        for look in 0..LOOKS {
            let (other, distance) = (looks.pairs[look], looks.distances[look]);
            let leads_on = is_on_path(viewer.distance, distance, looks.weights[look]);
            if joins(pairs, &edges.weighing, other, distance, leads_on, level) {
                found.push(other);
            }
        }
    }
    #[comptime]
    if let ComptimeOption::Some(entering) = &edges.entering {
        let begin = entering.offsets[viewer.vertex as usize];
        let degree = entering.offsets[viewer.vertex as usize + 1] - begin;
        for first in step_range(team.rank, degree, comptime!(LOOKS as u32) * team.size) {
            let looks = viewer.look(pairs, edges, team, begin, degree, first, false);
            add_paths(pairs, &looks, viewer, &mut count);
        }
    }
    count
}

/// Adds the paths of neighbours before a pair.
#[cube]
fn add_paths(pairs: &Pairs, looks: &Looks, viewer: Viewer, count: &mut Count) {
    let mut paths = Array::<Words>::new(LOOKS);
    #[unroll]
    for look in 0..LOOKS {
        paths[look] = Words::new(0u32);
        if is_on_path(looks.distances[look], viewer.distance, looks.weights[look]) {
            paths[look] = pairs.paths[looks.pairs[look] as usize];
        }
    }
    #[unroll]
    for look in 0..LOOKS {
        count.add(f32::reinterpret(paths[look][0]), paths[look][1]);
    }
}
