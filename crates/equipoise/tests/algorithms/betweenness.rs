//! Betweenness against its definition, and the verifier against wrong values.

use equipoise::{
    betweenness::{Betweenness, BetweennessOptions, EdgeBetweenness, betweenness},
    graph::{Edges, Graph, Weights},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, multigraph},
    oracles::{all_distances, lightest_edges},
};

/// Verified betweenness.
fn verified(graph: &Graph, options: &BetweennessOptions) -> Betweenness {
    let result = betweenness(graph, options).unwrap();
    result.verify(graph, options).unwrap();
    result
}

fn plain() -> BetweennessOptions {
    BetweennessOptions { unnormalized: true, ..BetweennessOptions::default() }
}

/// The lengths of all shortest paths, and their numbers by last edges.
struct AllPairs {
    lengths: Vec<Vec<f64>>,
    counts: Vec<Vec<u128>>,
    /// The shortest edge from each vertex to each.
    edges: Vec<Vec<f64>>,
}

fn all_pairs(graph: &Graph, weighted: bool) -> AllPairs {
    let n = graph.vertices() as usize;
    let (edges, lengths) = (lightest_edges(graph, weighted), all_distances(graph, weighted));
    let mut counts = vec![vec![0u128; n]; n];
    for source in 0..n {
        counts[source][source] = 1;
        let mut order: Vec<usize> = (0..n).filter(|&v| lengths[source][v].is_finite()).collect();
        order.sort_by(|&a, &b| lengths[source][a].total_cmp(&lengths[source][b]));
        for &last in &order[1..] {
            let before = |&&v: &&usize| {
                edges[v][last].is_finite()
                    && lengths[source][v] + edges[v][last] == lengths[source][last]
            };
            counts[source][last] = order.iter().filter(before).map(|&v| counts[source][v]).sum();
        }
    }
    AllPairs { lengths, counts, edges }
}

/// The definition, from some sources: of vertices, and of edges as a matrix.
fn expected(graph: &Graph, options: &BetweennessOptions) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = graph.vertices() as usize;
    let AllPairs { lengths, counts, edges } = all_pairs(graph, options.weighted);
    let has_edge = |vertex: usize| graph.degree(vertex as u32) > 0;
    let all: Vec<u32> = (0..n as u32).collect();
    let sources = options.sources.as_ref().unwrap_or(&all).iter().map(|&source| source as usize);
    let sources: Vec<usize> = sources.filter(|&source| has_edge(source)).collect();
    let (mut of_vertices, mut of_edges) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    for &s in &sources {
        for t in (0..n).filter(|&t| t != s && lengths[s][t].is_finite()) {
            for v in (0..n).filter(|&v| options.endpoints || (v != s && v != t)) {
                if lengths[s][v] + lengths[v][t] == lengths[s][t] {
                    of_vertices[v] += (counts[s][v] * counts[v][t]) as f64 / counts[s][t] as f64;
                }
            }
            for a in 0..n {
                for b in 0..n {
                    if lengths[s][a] + edges[a][b] + lengths[b][t] == lengths[s][t] {
                        let share = (counts[s][a] * counts[b][t]) as f64 / counts[s][t] as f64;
                        let (a, b) =
                            if graph.is_undirected() { (a.min(b), a.max(b)) } else { (a, b) };
                        of_edges[a][b] += share;
                    }
                }
            }
        }
    }
    let sampled = (0..n).filter(|&v| has_edge(v)).count() as f64 / sources.len().max(1) as f64;
    let scale = |pairs: usize| match (options.unnormalized, graph.is_undirected()) {
        (true, true) => sampled / 2.0,
        (true, false) => sampled,
        (false, _) => sampled / pairs.max(1) as f64,
    };
    let others = if options.endpoints { n } else { n.saturating_sub(2) };
    let (of_vertex, of_edge) = (scale((n - 1) * others), scale(n * (n - 1)));
    of_vertices.iter_mut().for_each(|value| *value *= of_vertex);
    of_edges.iter_mut().flatten().for_each(|value| *value *= of_edge);
    (of_vertices, of_edges)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b
}

/// Multigraphs without weights and with weights of each type.
fn graphs() -> impl Strategy<Value = Graph> {
    let edges = |n: u32| prop::collection::vec((0..n, 0..n, 1..5u32), 0..50);
    let all = (1..16u32).prop_flat_map(move |n| (Just(n), edges(n), any::<bool>(), 0..4));
    all.prop_map(|(n, edges, undirected, kind)| {
        let (sources, targets): (Vec<u32>, Vec<u32>) =
            edges.iter().map(|&(a, b, _)| (a, b)).unzip();
        let weights = match kind {
            0 => None,
            1 => Some(Weights::from(edges.iter().map(|edge| edge.2).collect::<Vec<u32>>())),
            2 => Some(Weights::from(
                edges.iter().map(|edge| edge.2 as f32 / 4.0).collect::<Vec<f32>>(),
            )),
            _ => Some(Weights::from(
                edges.iter().map(|edge| f64::from(edge.2) / 4.0).collect::<Vec<f64>>(),
            )),
        };
        multigraph(n, Edges::new(sources, targets, weights).unwrap(), undirected)
    })
}

proptest! {
    #[test]
    fn any_graph_has_the_betweenness_of_the_definition(
        graph in graphs(),
        [weighted, unnormalized, endpoints, sampled] in any::<[bool; 4]>(),
    ) {
        let some = (0..graph.vertices()).step_by(3).collect();
        let sources = sampled.then_some(some);
        let options =
            BetweennessOptions { sources, weighted, unnormalized, endpoints, edges: true };
        let result = verified(&graph, &options);
        let (of_vertices, of_edges) = expected(&graph, &options);
        for (value, expected) in result.vertices.iter().zip(&of_vertices) {
            prop_assert!(near(*value, *expected), "{value} {expected}");
        }
        let edges = result.edges.unwrap();
        let mut total = 0.0;
        for ((&a, &b), &value) in edges.sources.iter().zip(&edges.targets).zip(&edges.values) {
            let expected = of_edges[a as usize][b as usize];
            prop_assert!(near(value, expected), "{a} {b}: {value} {expected}");
            total += value;
        }
        prop_assert!(near(total, of_edges.iter().flatten().sum()) || total < 1e-9);
    }
}

#[test]
fn shapes_with_known_values() {
    for (spec, vertex, value) in [
        ("path:n=5", 2, 4.0),
        ("star:n=2001", 0, 1999.0 * 1000.0),
        ("cycle:n=9", 4, 6.0),
        ("complete:n=20", 7, 0.0),
    ] {
        let graph = generated(spec);
        let result = verified(&graph, &plain());
        assert_eq!(result.vertices[vertex], value, "{spec}");
        assert!(result.exact && result.sources == u64::from(graph.vertices()));
        let [step] = &result.trace.steps[..] else { panic!("one step") };
        assert_eq!(step.frontier, result.sources);
        assert_eq!(step.found, result.sources * result.sources, "all reach all");
    }
    for spec in ["isolated:n=0", "isolated:n=1", "isolated:n=7"] {
        let graph = generated(spec);
        for options in [plain(), BetweennessOptions { endpoints: true, edges: true, ..plain() }] {
            let result = verified(&graph, &options);
            assert!(result.vertices.iter().all(|&value| value == 0.0) && result.sources == 0);
        }
    }
}

/// Krackhardt's kite, from the documentation of NetworkX.
#[test]
fn the_kite_equals_networkx() {
    let edges = vec![
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 5),
        (1, 3),
        (1, 4),
        (1, 6),
        (2, 3),
        (2, 5),
        (3, 4),
        (3, 5),
        (3, 6),
        (4, 6),
        (5, 6),
        (5, 7),
        (6, 7),
        (7, 8),
        (8, 9),
    ];
    let result =
        verified(&multigraph(10, Edges::from(edges), true), &BetweennessOptions::default());
    let expected = [0.023, 0.023, 0.0, 0.102, 0.0, 0.231, 0.231, 0.389, 0.222, 0.0];
    for (result, expected) in result.vertices.iter().zip(expected) {
        assert!((result - expected).abs() < 5e-4, "{result} {expected}");
    }
}

/// More paths than an `f64` counts join the corners of a grid.
#[test]
fn counts_beyond_floating_point_numbers_stay_finite() {
    let width = 600;
    let graph = generated(&format!("grid:width={width},height={width}"));
    let corner = BetweennessOptions { sources: Some(vec![0]), edges: true, ..plain() };
    let result = verified(&graph, &corner);
    let mirrored = |vertex: u32| vertex % width * width + vertex / width;
    for vertex in (0..graph.vertices()).step_by(997) {
        let [a, b] = [vertex, mirrored(vertex)].map(|vertex| result.vertices[vertex as usize]);
        assert!(near(a, b) || (a - b).abs() < 1e-9 * b, "{vertex}: {a} {b}");
    }
}

#[test]
fn weights_that_paths_cannot_be_counted_by_are_refused() {
    let weighted = BetweennessOptions { weighted: true, ..plain() };
    let refused = |edges: Edges| {
        let graph = multigraph(3, edges, false);
        betweenness(&graph, &plain()).unwrap();
        betweenness(&graph, &weighted).unwrap_err().to_string()
    };
    let error = refused(Edges::from(vec![(0, 1, 2u32), (1, 2, 0)]));
    assert!(error.contains("the edge from 1 to 2 has weight 0"), "{error}");
    let error = refused(Edges::from(vec![(0, 1, 1e30f32), (1, 2, 1e-30)]));
    assert!(error.contains("the edge from 1 to 2 has weight") && error.contains("lost"), "{error}");
    let error = refused(Edges::from(vec![(0, 1, 1.0f32), (1, 2, -1.0)]));
    assert!(error.contains("weight -1"), "{error}");
    let loops = multigraph(2, Edges::from(vec![(0, 1, 2u32), (0, 0, 0)]), true);
    verified(&loops, &weighted);
}

#[test]
fn a_source_that_does_not_exist_is_refused() {
    let options = BetweennessOptions { sources: Some(vec![5]), ..plain() };
    let error = betweenness(&generated("path:n=5"), &options).unwrap_err().to_string();
    assert!(error.contains("vertex 5 does not exist"), "{error}");
}

#[test]
fn wrong_betweenness_is_refused() {
    let graph = generated("path:n=4");
    let options = BetweennessOptions { edges: true, ..plain() };
    let right = verified(&graph, &options);
    let edges = right.edges.clone().unwrap();
    let with = |vertices: [f64; 4]| Betweenness { vertices: vertices.to_vec(), ..right.clone() };
    let with_edges = |edges: EdgeBetweenness| Betweenness { edges: Some(edges), ..right.clone() };
    for (wrong, problem) in [
        (Betweenness { vertices: vec![0.0; 3], ..right.clone() }, "3 numbers for 4 vertices"),
        (Betweenness { sources: 3, ..right.clone() }, "the number of sources is 3, not 4"),
        (with([0.0, f64::NAN, 2.0, 0.0]), "a betweenness of NaN"),
        (with([0.0, -2.0, 2.0, 0.0]), "a betweenness of -2"),
        (with([0.0, 2.0, 2.1, 0.0]), "vertex 2 has the betweenness 2.1, not 2"),
        (with([2.0, 2.0, 0.0, 0.0]), "vertex 0 has the betweenness 2, not 0"),
        (Betweenness { edges: None, ..right.clone() }, "the edges are not those of the graph"),
        (
            with_edges(EdgeBetweenness { targets: vec![2, 2, 3], ..edges.clone() }),
            "the edges are not those of the graph",
        ),
        (
            with_edges(EdgeBetweenness { values: vec![4.0, 3.0, 3.0], ..edges.clone() }),
            "the edge from 0 to 1 has the betweenness 4, not 3",
        ),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// The tolerance of 32-bit values is relative to each value.
#[test]
fn a_small_wrong_value_among_large_ones_is_refused() {
    let graph = generated("star:n=64");
    let right = verified(&graph, &plain());
    let single = Betweenness { single_precision: true, ..right };
    single.verify(&graph, &plain()).unwrap();
    let mut wrong = single.clone();
    wrong.vertices[9] = 0.5;
    let error = wrong.verify(&graph, &plain()).unwrap_err().to_string();
    assert!(error.contains("vertex 9 has the betweenness 0.5, not 0"), "{error}");
}
