//! Independent sets against a greedy choice in order of priority, and the verifier against wrong sets.

use std::{cmp::Ordering, collections::BTreeSet};

use equipoise::{
    graph::Graph,
    mis::{Mis, MisOptions, MisPriority, mis},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, multigraph as graph},
    oracles::neighbor_sets,
};

fn by(priority: MisPriority) -> MisOptions {
    MisOptions { priority, ..MisOptions::default() }
}

/// A verified set.
fn verified(graph: &Graph, options: &MisOptions) -> Mis {
    let result = mis(graph, options).unwrap();
    result.verify(graph, options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    let decided: u64 = result.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(decided, u64::from(graph.vertices()), "{options:?}");
    result
}

/// Chooses vertices in this order, except neighbours of chosen ones.
fn greedy(neighbors: &[BTreeSet<u32>], order: &[u32]) -> Vec<bool> {
    let mut in_set = vec![false; neighbors.len()];
    for &vertex in order {
        let is_free = |&other: &u32| !in_set[other as usize];
        in_set[vertex as usize] = neighbors[vertex as usize].iter().all(is_free);
    }
    in_set
}

/// The order of vertices of equal degree: of two that an edge joins, the first is in the set.
fn order_of_pairs(vertices: u32, options: &MisOptions) -> Vec<u32> {
    let goes_before = |a: u32, b: u32| {
        let pair = graph(vertices, vec![(a, b)], true);
        mis(&pair, options).unwrap().in_set[a as usize]
    };
    let mut order: Vec<u32> = (0..vertices).collect();
    order.sort_by(|&a, &b| {
        if a == b {
            Ordering::Equal
        } else if goes_before(a, b) {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    });
    order
}

proptest! {
    #[test]
    fn any_graph_has_the_set_of_a_greedy_choice(
        (vertices, edges) in (1..30u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..70))
        }),
        seed in 0..50u64,
        undirected in any::<bool>(),
        weighted in any::<bool>(),
    ) {
        let graph = if weighted {
            let weighted = edges.iter().map(|&(a, b)| (a, b, a + b));
            graph(vertices, weighted.collect::<Vec<_>>(), undirected)
        } else {
            graph(vertices, edges.clone(), undirected)
        };
        let neighbors = neighbor_sets(vertices, &edges);
        let random = MisOptions { priority: MisPriority::Random, seed };
        let order = order_of_pairs(vertices, &random);
        prop_assert_eq!(verified(&graph, &random).in_set, greedy(&neighbors, &order));
        let by_degree = MisOptions { priority: MisPriority::Degree, seed };
        let mut order = order_of_pairs(vertices, &by_degree);
        // The sort is stable: vertices of equal degree stay in their order.
        order.sort_by_key(|&vertex| neighbors[vertex as usize].len());
        prop_assert_eq!(verified(&graph, &by_degree).in_set, greedy(&neighbors, &order));
    }
}

#[test]
fn vertices_of_low_degree_make_a_larger_set() {
    let star = generated("star:n=3000");
    for seed in 0..20 {
        assert_eq!(verified(&star, &MisOptions { seed, ..MisOptions::default() }).size, 2999);
    }
    let graph = generated("rmat:scale=12");
    let size = |priority| verified(&graph, &by(priority)).size;
    assert!(size(MisPriority::Degree) > size(MisPriority::Random));
}

#[test]
fn wrong_sets_are_refused() {
    // A path of four with a loop at its end, and a directed edge between two other vertices.
    let graph = graph(6, vec![(0, 1), (1, 2), (2, 3), (3, 3), (5, 4)], false);
    let options = MisOptions::default();
    let right = verified(&graph, &options);
    let with = |in_set: [u8; 6]| {
        let in_set = in_set.map(|is_in| is_in == 1).to_vec();
        let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
        Mis { in_set, size, ..right.clone() }
    };
    // Both vertices of the pair have one neighbour; the priority decides between them.
    let other = with([1, 0, 0, 1, u8::from(!right.in_set[4]), u8::from(!right.in_set[5])]);
    for (wrong, problem) in [
        (Mis { in_set: vec![false; 5], ..right.clone() }, "5 answers for 6 vertices"),
        (Mis { size: 2, ..right.clone() }, "3 vertices are in the set, not 2"),
        (with([1, 0, 0, 1, 1, 1]), "an edge joins the vertices 5 and 4"),
        (with([1, 1, 0, 1, 1, 0]), "an edge joins the vertices 0 and 1"),
        (with([1, 0, 0, 1, 0, 0]), "vertex 4 has no neighbour in the set"),
        (with([1, 0, 0, 0, 1, 0]), "vertex 2 has no neighbour in the set"),
        (with([0, 1, 0, 1, 1, 0]), "vertex 0 goes before its neighbours in the set"),
        (other, "goes before its neighbours in the set"),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
