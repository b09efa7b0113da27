//! The tree of shortest paths to known distances.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::{
    distance::Distance,
    network::{EdgeWeights, Network},
};
use crate::{
    NONE,
    team::{Team, collect},
};

/// Vertices per task of a thread that examines their edges, which may be many.
const ROWS_AT_ONCE: usize = 1 << 10;

/// A tree of shortest paths, built of tight edges: those whose weight is the difference of the distances at their ends.
///
/// Tight edges along which the distance grows form no cycle, so that any of them is right: the one from the smallest vertex
/// is taken. Vertices that only edges of weight 0 reach get their predecessors in a search along such edges.
pub(super) fn tree_of_tight_edges<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    team: &Team,
    network: Network<W>,
    source: u32,
    distances: &[D],
) -> Vec<u32> {
    let predecessors = collect(team, distances.len(), |_| AtomicU32::new(NONE));
    predecessors[source as usize].store(source, Relaxed);
    team.for_parts(distances.len(), ROWS_AT_ONCE, |_, part| {
        for vertex in part.start as u32..part.end as u32 {
            let distance = distances[vertex as usize];
            if !distance.is_reached() {
                continue;
            }
            for (target, weight) in network.edges(vertex) {
                let target_distance = distances[target as usize];
                if distance.plus(weight) == target_distance && distance < target_distance {
                    predecessors[target as usize].fetch_min(vertex, Relaxed);
                }
            }
        }
    });
    let mut predecessors: Vec<u32> = predecessors.into_iter().map(AtomicU32::into_inner).collect();
    let is_missing = |(known, distance): (&u32, &D)| *known == NONE && distance.is_reached();
    if predecessors.iter().zip(distances).any(is_missing) {
        add_equal_predecessors(network, distances, &mut predecessors);
    }
    predecessors
}

/// Sets predecessors along tight edges between vertices of equal distance.
fn add_equal_predecessors<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    network: Network<W>,
    distances: &[D],
    predecessors: &mut [u32],
) {
    let known = (0..distances.len() as u32).filter(|&vertex| predecessors[vertex as usize] != NONE);
    let mut stack: Vec<u32> = known.collect();
    while let Some(vertex) = stack.pop() {
        let distance = distances[vertex as usize];
        for (target, weight) in network.edges(vertex) {
            let tight = distance.plus(weight) == distances[target as usize];
            if tight && predecessors[target as usize] == NONE {
                predecessors[target as usize] = vertex;
                stack.push(target);
            }
        }
    }
}
