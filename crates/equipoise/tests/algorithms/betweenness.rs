//! Betweenness against its definition, and numbers that are not right against the verifier.

use equipoise::{
    betweenness::{Betweenness, BetweennessOptions, EdgeBetweenness, betweenness},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, Weights, io::ReadOptions, load},
};
use proptest::prelude::*;

fn built(vertices: u32, edges: Edges, undirected: bool) -> Graph {
    GraphBuilder::new()
        .vertices(vertices.into())
        .undirected(undirected)
        .duplicates(Duplicates::Keep)
        .self_loops(SelfLoops::Keep)
        .build(edges)
        .unwrap()
}

fn made(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// Verified betweenness.
fn found(graph: &Graph, options: &BetweennessOptions) -> Betweenness {
    let found = betweenness(graph, options).unwrap();
    found.verify(graph, options).unwrap();
    found
}

fn plain() -> BetweennessOptions {
    BetweennessOptions { unnormalized: true, ..BetweennessOptions::default() }
}

/// The lengths and the numbers of all shortest paths, by Floyd and Warshall and then by last edges.
struct AllPairs {
    lengths: Vec<Vec<f64>>,
    counts: Vec<Vec<u128>>,
    /// The shortest edge from each vertex to each.
    edges: Vec<Vec<f64>>,
}

fn all_pairs(graph: &Graph, weighted: bool) -> AllPairs {
    let n = graph.vertices() as usize;
    let mut edges = vec![vec![f64::INFINITY; n]; n];
    for (vertex, row) in edges.iter_mut().enumerate() {
        for edge in graph.csr().range(vertex as u32) {
            let target = graph.csr().indices()[edge] as usize;
            let weight = graph.weights().filter(|_| weighted).map_or(1.0, |all| all.get(edge));
            if target != vertex {
                row[target] = weight.min(row[target]);
            }
        }
    }
    let mut lengths = edges.clone();
    (0..n).for_each(|vertex| lengths[vertex][vertex] = 0.0);
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                lengths[a][b] = lengths[a][b].min(lengths[a][middle] + lengths[middle][b]);
            }
        }
    }
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

/// Any graph, with loops and parallel edges and weights of either kind.
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
        built(n, Edges::new(sources, targets, weights).unwrap(), undirected)
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
        let found = found(&graph, &options);
        let (of_vertices, of_edges) = expected(&graph, &options);
        for (found, expected) in found.vertices.iter().zip(&of_vertices) {
            prop_assert!(near(*found, *expected), "{found} {expected}");
        }
        let edges = found.edges.unwrap();
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
fn known_shapes() {
    for (spec, vertex, value) in [
        ("path:n=5", 2, 4.0),
        ("star:n=2001", 0, 1999.0 * 1000.0),
        ("cycle:n=9", 4, 6.0),
        ("complete:n=20", 7, 0.0),
    ] {
        let graph = made(spec);
        let found = found(&graph, &plain());
        assert_eq!(found.vertices[vertex], value, "{spec}");
        assert!(found.exact && found.sources == u64::from(graph.vertices()));
        let [step] = &found.trace.steps[..] else { panic!("one step") };
        assert_eq!(step.frontier, found.sources);
        assert_eq!(step.found, found.sources * found.sources, "all reach all");
    }
    for spec in ["isolated:n=0", "isolated:n=1", "isolated:n=7"] {
        let graph = made(spec);
        for options in [plain(), BetweennessOptions { endpoints: true, edges: true, ..plain() }] {
            let found = found(&graph, &options);
            assert!(found.vertices.iter().all(|&value| value == 0.0) && found.sources == 0);
        }
    }
}

/// The graph of NetworkX' documentation: Krackhardt's kite.
#[test]
fn the_kite_is_as_networkx_has_it() {
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
    let found = found(&built(10, Edges::from(edges), true), &BetweennessOptions::default());
    let expected = [0.023, 0.023, 0.0, 0.102, 0.0, 0.231, 0.231, 0.389, 0.222, 0.0];
    for (found, expected) in found.vertices.iter().zip(expected) {
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }
}

/// A grid's corners are joined by more paths than an `f64` counts.
#[test]
fn counts_beyond_floating_point_numbers_stay_finite() {
    let width = 600;
    let graph = made(&format!("grid:width={width},height={width}"));
    let corner = BetweennessOptions { sources: Some(vec![0]), edges: true, ..plain() };
    let found = found(&graph, &corner);
    let mirrored = |vertex: u32| vertex % width * width + vertex / width;
    for vertex in (0..graph.vertices()).step_by(997) {
        let [a, b] = [vertex, mirrored(vertex)].map(|vertex| found.vertices[vertex as usize]);
        assert!(near(a, b) || (a - b).abs() < 1e-9 * b, "{vertex}: {a} {b}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let graph = made("rmat:scale=9,edge-factor=6");
    let with = |threads: usize| {
        let pool = rayon_pool(threads);
        pool.install(|| found(&graph, &BetweennessOptions::default()).vertices)
    };
    assert_eq!(with(1), with(3));
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn weights_that_paths_cannot_be_counted_by_are_refused() {
    let weighted = BetweennessOptions { weighted: true, ..plain() };
    let refused = |edges: Edges| {
        let graph = built(3, edges, false);
        betweenness(&graph, &plain()).unwrap();
        betweenness(&graph, &weighted).unwrap_err().to_string()
    };
    let error = refused(Edges::from(vec![(0, 1, 2u32), (1, 2, 0)]));
    assert!(error.contains("the edge from 1 to 2 has weight 0"), "{error}");
    let error = refused(Edges::from(vec![(0, 1, 1e30f32), (1, 2, 1e-30)]));
    assert!(error.contains("the edge from 1 to 2 has weight") && error.contains("lost"), "{error}");
    let error = refused(Edges::from(vec![(0, 1, 1.0f32), (1, 2, -1.0)]));
    assert!(error.contains("weight -1"), "{error}");
    let loops = built(2, Edges::from(vec![(0, 1, 2u32), (0, 0, 0)]), true);
    found(&loops, &weighted);
}

#[test]
fn a_source_that_does_not_exist_is_refused() {
    let options = BetweennessOptions { sources: Some(vec![5]), ..plain() };
    let error = betweenness(&made("path:n=5"), &options).unwrap_err().to_string();
    assert!(error.contains("vertex 5 does not exist"), "{error}");
}

#[test]
fn wrong_betweenness_is_told() {
    let graph = made("path:n=4");
    let options = BetweennessOptions { edges: true, ..plain() };
    let right = found(&graph, &options);
    let edges = right.edges.clone().unwrap();
    let with = |vertices: [f64; 4]| Betweenness { vertices: vertices.to_vec(), ..right.clone() };
    let with_edges = |edges: EdgeBetweenness| Betweenness { edges: Some(edges), ..right.clone() };
    for (wrong, problem) in [
        (Betweenness { vertices: vec![0.0; 3], ..right.clone() }, "3 numbers for 4 vertices"),
        (Betweenness { sources: 3, ..right.clone() }, "3 sources are told, of 4"),
        (with([0.0, f64::NAN, 2.0, 0.0]), "a betweenness of NaN"),
        (with([0.0, -2.0, 2.0, 0.0]), "a betweenness of -2"),
        (with([0.0, 2.0, 2.1, 0.0]), "the vertices, times random numbers, add up to"),
        (with([2.0, 2.0, 0.0, 0.0]), "the vertices, times random numbers, add up to"),
        (Betweenness { edges: None, ..right.clone() }, "the edges are not those of the graph"),
        (
            with_edges(EdgeBetweenness { targets: vec![2, 2, 3], ..edges.clone() }),
            "the edges are not those of the graph",
        ),
        (
            with_edges(EdgeBetweenness { values: vec![4.0, 3.0, 3.0], ..edges.clone() }),
            "the edges, times random numbers, add up to",
        ),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Numbers of 32 bits may be off by more, so that the sum says little of a small one: each is looked at.
#[test]
fn a_small_number_that_is_wrong_is_told_beside_large_ones() {
    let graph = made("star:n=64");
    let right = found(&graph, &plain());
    let single = Betweenness { single_precision: true, ..right };
    single.verify(&graph, &plain()).unwrap();
    let mut wrong = single.clone();
    wrong.vertices[9] = 0.5;
    let error = wrong.verify(&graph, &plain()).unwrap_err().to_string();
    assert!(error.contains("vertex 9 has the betweenness 0.5, not 0"), "{error}");
}
