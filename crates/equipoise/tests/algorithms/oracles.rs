//! Plain definitions that results are compared with.

use std::collections::BTreeSet;

use equipoise::graph::Graph;

/// The weight of an edge; 1 without weights.
pub fn weight(graph: &Graph, edge: usize) -> f64 {
    graph.weights().map_or(1.0, |weights| weights.get(edge))
}

/// The least weight of an edge from each vertex to each other, infinite without an edge.
pub fn lightest_edges(graph: &Graph, weighted: bool) -> Vec<Vec<f64>> {
    let vertices = graph.vertices() as usize;
    let mut lightest = vec![vec![f64::INFINITY; vertices]; vertices];
    for (source, row) in (0..).zip(&mut lightest) {
        for edge in graph.csr().range(source) {
            let target = graph.csr().indices()[edge];
            let weight = if weighted { weight(graph, edge) } else { 1.0 };
            if target != source {
                row[target as usize] = row[target as usize].min(weight);
            }
        }
    }
    lightest
}

/// The distances of all pairs by three loops, infinite without a path.
pub fn all_distances(graph: &Graph, weighted: bool) -> Vec<Vec<f64>> {
    let mut distances = lightest_edges(graph, weighted);
    let vertices = distances.len();
    (0..vertices).for_each(|vertex| distances[vertex][vertex] = 0.0);
    for middle in 0..vertices {
        for from in 0..vertices {
            for to in 0..vertices {
                let around = distances[from][middle] + distances[middle][to];
                distances[from][to] = distances[from][to].min(around);
            }
        }
    }
    distances
}

/// The neighbours of each vertex over edges of either direction, itself excluded.
pub fn neighbor_sets(vertices: u32, edges: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut sets = vec![BTreeSet::new(); vertices as usize];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        sets[a as usize].insert(b);
        sets[b as usize].insert(a);
    }
    sets
}
