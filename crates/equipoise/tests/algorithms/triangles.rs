//! Triangles against all triples of vertices, and the verifier against wrong counts.

use std::collections::BTreeSet;

use equipoise::{
    graph::Graph,
    triangles::{Triangles, TrianglesOptions, TrianglesStrategy, triangles},
};
use proptest::prelude::*;

use crate::graphs::{generated, graph};

/// Verified triangles by a strategy.
fn verified(graph: &Graph, strategy: TrianglesStrategy) -> Triangles {
    let result = triangles(graph, &TrianglesOptions { strategy }).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert_eq!(result.trace.steps[0].found, result.total);
    result
}

/// The triangles and the neighbours of each vertex, by all triples.
fn expected(vertices: u32, edges: &[(u32, u32)]) -> (Vec<u64>, Vec<u32>) {
    let loops = |&&(a, b): &&(u32, u32)| a != b;
    let joined: BTreeSet<(u32, u32)> =
        edges.iter().filter(loops).map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let (mut counts, mut degrees) = (vec![0; vertices as usize], vec![0; vertices as usize]);
    for &(a, b) in &joined {
        degrees[a as usize] += 1;
        degrees[b as usize] += 1;
        for c in b + 1..vertices {
            if joined.contains(&(a, c)) && joined.contains(&(b, c)) {
                [a, b, c].into_iter().for_each(|vertex| counts[vertex as usize] += 1);
            }
        }
    }
    (counts, degrees)
}

proptest! {
    #[test]
    fn any_graph_has_the_triangles_of_brute_force(
        (vertices, edges) in (1..25u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..160))
        }),
        undirected in any::<bool>(),
    ) {
        let graph = graph(vertices, edges.clone(), undirected);
        let (counts, degrees) = expected(vertices, &edges);
        for &strategy in TrianglesStrategy::ALL {
            let result = verified(&graph, strategy);
            prop_assert_eq!(&result.counts, &counts);
            prop_assert_eq!(&result.degrees, &degrees);
            prop_assert_eq!(result.total, counts.iter().sum::<u64>() / 3);
        }
    }
}

#[test]
fn shapes_with_known_clustering() {
    for (spec, total, transitivity, average) in [
        ("isolated:n=0", 0, 0.0, 0.0),
        ("isolated:n=1", 0, 0.0, 0.0),
        ("path:n=5000", 0, 0.0, 0.0),
        ("star:n=3000", 0, 0.0, 0.0),
        ("cycle:n=3,weights=1..9", 1, 1.0, 1.0),
        ("cycle:n=4", 0, 0.0, 0.0),
        ("complete:n=60,weights=1..9", 60 * 59 * 58 / 6, 1.0, 1.0),
    ] {
        let graph = generated(spec);
        for &strategy in TrianglesStrategy::ALL {
            let result = verified(&graph, strategy);
            assert_eq!(result.total, total, "{spec} by {strategy}");
            assert_eq!(result.transitivity(), transitivity, "{spec}");
            assert_eq!(result.average_clustering(), average, "{spec}");
        }
    }
}

/// A hub with 3000 neighbours in pairs; then a vertex of degree 3 with neighbours of high degree, so that merged rows
/// differ much in length.
#[test]
fn hubs_and_rows_of_all_lengths() {
    let spokes = (1..=3000).map(|leaf| (0, leaf));
    let rim = (1..=1500).map(|pair| (2 * pair - 1, 2 * pair));
    let wheel: Vec<_> = spokes.chain(rim).collect();
    let graph = graph(3001, wheel, true);
    for &strategy in TrianglesStrategy::ALL {
        let result = verified(&graph, strategy);
        assert_eq!((result.total, result.counts[0], result.counts[77]), (1500, 1500, 1));
    }
    let clique = (0..200u32).flat_map(|a| (0..a).map(move |b| (a, b)));
    let tail = [(200, 199), (200, 0), (200, 100)];
    let edges: Vec<_> = clique.chain(tail).collect();
    let graph = crate::graphs::graph(201, edges, false);
    for &strategy in TrianglesStrategy::ALL {
        let result = verified(&graph, strategy);
        assert_eq!((result.counts[200], result.counts[50]), (3, 199 * 198 / 2));
        assert_eq!(result.clustering()[200], 1.0);
    }
}

#[test]
fn wrong_triangles_are_refused() {
    let graph = graph(5, vec![(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (2, 4)], true);
    let right = verified(&graph, TrianglesStrategy::Auto);
    assert_eq!(right.counts, [1, 1, 2, 1, 1]);
    let with =
        |total: u64, counts: &[u64]| Triangles { total, counts: counts.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (with(2, &[1, 1, 2, 1]), "4 counts for 5 vertices"),
        (Triangles { degrees: vec![2; 4], ..right.clone() }, "4 degrees for 5 vertices"),
        (Triangles { degrees: vec![2; 5], ..right.clone() }, "vertex 2 has 4 neighbours, not 2"),
        (with(3, &[1, 1, 2, 1, 1]), "3 triangles, but the counts of all vertices add up to 6"),
        (with(2, &[2, 1, 1, 1, 1]), "vertex 0 is in 2 triangles, with 2 neighbours"),
        (with(2, &[1, 1, 3, 1, 0]), "triangles, not "),
        (with(1, &[1, 1, 1, 0, 0]), "triangles, not "),
        (with(0, &[0; 5]), "triangles, not "),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
