//! Triangles against all triples of vertices, and counts that are not right against the verifier.

use std::collections::BTreeSet;

use equipoise::{
    graph::{Edges, Graph, GraphBuilder, io::ReadOptions, load},
    triangles::{TriangleCheck, Triangles, TrianglesOptions, TrianglesStrategy, triangles},
};
use proptest::prelude::*;

fn graph(vertices: u32, edges: &[(u32, u32)], undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    builder.build(Edges::from(edges.to_vec())).unwrap()
}

/// Verified triangles by a strategy.
fn found(graph: &Graph, strategy: TrianglesStrategy) -> Triangles {
    let found = triangles(graph, &TrianglesOptions { strategy }).unwrap();
    let check = found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert_eq!(check, TriangleCheck::Whole);
    assert_eq!(found.trace.steps[0].found, found.total);
    found
}

/// How many triangles each vertex is in, and its neighbours, by looking at all triples.
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
        let graph = graph(vertices, &edges, undirected);
        let (counts, degrees) = expected(vertices, &edges);
        for &strategy in TrianglesStrategy::ALL {
            let found = found(&graph, strategy);
            prop_assert_eq!(&found.counts, &counts);
            prop_assert_eq!(&found.degrees, &degrees);
            prop_assert_eq!(found.total, counts.iter().sum::<u64>() / 3);
        }
    }
}

/// Weights do not matter.
#[test]
fn known_shapes_by_every_strategy() {
    for (spec, total, transitivity, average) in [
        ("isolated:n=0", 0, 0.0, 0.0),
        ("isolated:n=1", 0, 0.0, 0.0),
        ("path:n=5000", 0, 0.0, 0.0),
        ("star:n=3000", 0, 0.0, 0.0),
        ("cycle:n=3,weights=1..9", 1, 1.0, 1.0),
        ("cycle:n=4", 0, 0.0, 0.0),
        ("complete:n=60,weights=1..9", 60 * 59 * 58 / 6, 1.0, 1.0),
    ] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        for &strategy in TrianglesStrategy::ALL {
            let found = found(&graph, strategy);
            assert_eq!(found.total, total, "{spec} by {strategy}");
            assert_eq!(found.transitivity(), transitivity, "{spec}");
            assert_eq!(found.average_clustering(), average, "{spec}");
        }
    }
}

/// A hub of 3000 neighbours, of which two in turn have an edge: each is in one triangle, the hub in all. Then a vertex
/// that keeps few edges, to others that keep many, so that rows are far longer than each other.
#[test]
fn hubs_and_rows_of_all_lengths() {
    let spokes = (1..=3000).map(|leaf| (0, leaf));
    let rim = (1..=1500).map(|pair| (2 * pair - 1, 2 * pair));
    let wheel: Vec<_> = spokes.chain(rim).collect();
    let graph = graph(3001, &wheel, true);
    for &strategy in TrianglesStrategy::ALL {
        let found = found(&graph, strategy);
        assert_eq!((found.total, found.counts[0], found.counts[77]), (1500, 1500, 1));
    }
    let clique = (0..200u32).flat_map(|a| (0..a).map(move |b| (a, b)));
    let tail = [(200, 199), (200, 0), (200, 100)];
    let edges: Vec<_> = clique.chain(tail).collect();
    let graph = self::graph(201, &edges, false);
    for &strategy in TrianglesStrategy::ALL {
        let found = found(&graph, strategy);
        assert_eq!((found.counts[200], found.counts[50]), (3, 199 * 198 / 2));
        assert_eq!(found.clustering()[200], 1.0);
    }
}

/// What threads share is added up right: many rows, in many parts.
#[test]
fn a_graph_for_many_threads() {
    let graph = load("rmat:scale=13", &ReadOptions::default()).unwrap();
    let expected = found(&graph, TrianglesStrategy::Merge);
    assert!(expected.total > 100_000);
    for &strategy in TrianglesStrategy::ALL {
        assert_eq!(found(&graph, strategy).counts, expected.counts, "{strategy}");
    }
}

#[test]
fn wrong_triangles_are_told() {
    let graph = graph(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (2, 4)], true);
    let right = found(&graph, TrianglesStrategy::Auto);
    assert_eq!(right.counts, [1, 1, 2, 1, 1]);
    let with =
        |total: u64, counts: &[u64]| Triangles { total, counts: counts.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (with(2, &[1, 1, 2, 1]), "4 counts for 5 vertices"),
        (Triangles { degrees: vec![2; 4], ..right.clone() }, "4 degrees for 5 vertices"),
        (Triangles { degrees: vec![2; 5], ..right.clone() }, "vertex 2 has 4 neighbours, not 2"),
        (with(3, &[1, 1, 2, 1, 1]), "3 triangles, but vertices are in 6"),
        (with(2, &[2, 1, 1, 1, 1]), "vertex 0 is in 2 triangles, with 2 neighbours"),
        (with(2, &[1, 1, 3, 1, 0]), "triangles, not "),
        (with(1, &[1, 1, 1, 0, 0]), "triangles, not "),
        (with(0, &[0; 5]), "triangles, not "),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Where not all is counted anew, a total that is far off is told by wedges, and a count that is off by vertices.
#[test]
fn samples_tell_what_is_far_off() {
    let graph = load("complete:n=80", &ReadOptions::default()).unwrap();
    let right = found(&graph, TrianglesStrategy::Auto);
    let of_some = right.verify_within(&graph, 79 * 79 * 20).unwrap();
    assert!(
        matches!(of_some, TriangleCheck::Sampled { vertices: 20, within, .. } if within < 0.004)
    );
    let none = Triangles { total: 0, counts: vec![0; 80], ..right.clone() };
    for (steps, problem) in
        [(0, "1.0000 of sampled pairs"), (79 * 79, "is in 3081 triangles, not 0")]
    {
        let error = none.verify_within(&graph, steps).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
