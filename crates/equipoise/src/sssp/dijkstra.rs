//! Dijkstra's algorithm: the vertices in the order of their distance, by a binary heap.
//!
//! Edsger W. Dijkstra: "A note on two problems in connexion with graphs". Numerische Mathematik 1,
//! 1959.

use std::{cmp::Reverse, collections::BinaryHeap, time::Instant};

use equipoise_graph::cancel;

use super::{
    distance::{Distance, PathTree},
    network::{EdgeWeights, Network},
};
use crate::{NONE, Step, Trace};

/// Shortest paths from `source`, except those to vertices farther than `target`.
pub(super) fn run<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    network: Network<W>,
    source: u32,
    target: Option<u32>,
) -> PathTree<D> {
    let start = Instant::now();
    let vertices = network.rows.vertices() as usize;
    let mut distances = vec![D::UNREACHED; vertices];
    let mut predecessors = vec![NONE; vertices];
    let mut step = Step::new(0, "dijkstra");
    let mut overflowed = false;
    distances[source as usize] = D::ZERO;
    predecessors[source as usize] = source;
    let mut heap = BinaryHeap::from([Reverse((D::ZERO.key(), source))]);
    let mut limit = D::UNREACHED;
    while let Some(Reverse((key, vertex))) = heap.pop() {
        if key > limit.key() {
            break;
        }
        let distance = distances[vertex as usize];
        if key != distance.key() {
            continue;
        }
        if target == Some(vertex) {
            limit = distance;
        }
        step.frontier += 1;
        cancel::poll_at(step.frontier as usize);
        step.edges += network.rows.degree(vertex);
        for (target, weight) in network.edges(vertex) {
            let sum = distance.plus(weight);
            overflowed |= !sum.is_reached();
            if sum < distances[target as usize] {
                step.found += 1;
                distances[target as usize] = sum;
                predecessors[target as usize] = vertex;
                heap.push(Reverse((sum.key(), target)));
            }
        }
    }
    for (distance, predecessor) in distances.iter_mut().zip(&mut predecessors) {
        if *distance > limit {
            (*distance, *predecessor) = (D::UNREACHED, NONE);
        }
    }
    step.time = start.elapsed();
    PathTree { distances, predecessors, trace: Trace { steps: vec![step] }, overflowed }
}
