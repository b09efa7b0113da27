//! Betweenness by its definition, from the distances and the numbers of paths between all pairs.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::super::{
    BetweennessOptions, Plan, Sums,
    weighted::{Lengths, UNREACHED},
};
use crate::Result;

/// The paths from one vertex.
struct Row {
    distances: Vec<u64>,
    counts: Vec<f64>,
}

/// Unscaled betweenness, in time of sources times vertices times vertices and edges.
pub(super) fn betweenness<L: Lengths>(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    lengths: L,
) -> Result<Sums> {
    let vertices = graph.vertices();
    let rows: Vec<Row> =
        (0..vertices).into_par_iter().map(|vertex| row(graph, vertex, lengths)).collect();
    let mut sums = Sums {
        vertices: vec![0.0; vertices as usize],
        edges: options.edges.then(|| vec![0.0; graph.edges() as usize]),
    };
    let share = |source: u32, target: u32, vertex: u32| -> f64 {
        let ([from, beyond], way) =
            ([&rows[source as usize], &rows[vertex as usize]], target as usize);
        let [before, after] = [from.distances[vertex as usize], beyond.distances[way]];
        let is_between = before != UNREACHED && after != UNREACHED;
        match is_between && before + after == from.distances[way] {
            true => from.counts[vertex as usize] * beyond.counts[way] / from.counts[way],
            false => 0.0,
        }
    };
    for &source in &plan.sources {
        let targets = (0..vertices).filter(|&target| target != source);
        let reached = |&target: &u32| rows[source as usize].distances[target as usize] != UNREACHED;
        for target in targets.filter(reached) {
            for vertex in 0..vertices {
                if options.endpoints || (vertex != source && vertex != target) {
                    sums.vertices[vertex as usize] += share(source, target, vertex);
                }
            }
        }
    }
    if let Some(sums) = &mut sums.edges {
        for vertex in 0..vertices {
            for edge in graph.csr().range(vertex) {
                let end = graph.csr().indices()[edge];
                for &source in &plan.sources {
                    sums[edge] += over_edge(&rows, source, [vertex, end], edge, lengths);
                }
            }
        }
    }
    Ok(sums)
}

/// The shares of the paths from a source that lead over an edge, of all targets.
fn over_edge<L: Lengths>(
    rows: &[Row],
    source: u32,
    [start, end]: [u32; 2],
    edge: usize,
    lengths: L,
) -> f64 {
    let (from, beyond) = (&rows[source as usize], &rows[end as usize]);
    let before = from.distances[start as usize];
    if before == UNREACHED || start == end {
        return 0.0;
    }
    let along = lengths.plus(before, edge);
    let targets = (0..rows.len()).filter(|&target| {
        beyond.distances[target] != UNREACHED
            && along + beyond.distances[target] == from.distances[target]
    });
    let paths = |target: usize| from.counts[start as usize] * beyond.counts[target];
    targets.map(|target| paths(target) / from.counts[target]).sum()
}

/// Distances by letting all edges shorten them until none does, and then paths counted in the order of distances.
fn row<L: Lengths>(graph: &Graph, source: u32, lengths: L) -> Row {
    let vertices = graph.vertices();
    let (mut distances, mut counts) =
        (vec![UNREACHED; vertices as usize], vec![0.0; vertices as usize]);
    distances[source as usize] = 0;
    counts[source as usize] = 1.0;
    let mut changed = true;
    while changed {
        changed = false;
        for vertex in 0..vertices {
            if distances[vertex as usize] == UNREACHED {
                continue;
            }
            for edge in graph.csr().range(vertex) {
                let target = graph.csr().indices()[edge] as usize;
                let sum = lengths.plus(distances[vertex as usize], edge);
                if sum < distances[target] {
                    distances[target] = sum;
                    changed = true;
                }
            }
        }
    }
    let mut order: Vec<u32> =
        (0..vertices).filter(|&vertex| distances[vertex as usize] != UNREACHED).collect();
    order.sort_by_key(|&vertex| distances[vertex as usize]);
    for vertex in order {
        for edge in graph.csr().range(vertex) {
            let target = graph.csr().indices()[edge];
            let sum = lengths.plus(distances[vertex as usize], edge);
            if target != vertex && sum == distances[target as usize] {
                counts[target as usize] += counts[vertex as usize];
            }
        }
    }
    Row { distances, counts }
}
