//! Random graphs.

use equipoise::{
    graph::Graph,
    sssp::{SsspOptions, sssp},
};
use proptest::prelude::*;

use super::{all_options, check, expected, found, graph, verified, with_threads};

/// Edges between pseudo-random vertices with weights below `heaviest`.
fn random_edges(vertices: u64, edges: usize, heaviest: u64, mut seed: u64) -> Vec<(u32, u32, u32)> {
    let mut below = |bound: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) % bound) as u32
    };
    (0..edges).map(|_| (below(vertices), below(vertices), below(heaviest))).collect()
}

#[test]
fn larger_graphs_on_some_threads() {
    for (heaviest, undirected) in [(1, true), (3, false), (256, true), (1 << 24, false)] {
        let edges = random_edges(5_000, 40_000, heaviest, heaviest);
        let floats = edges.iter().map(|&(s, t, w)| (s, t, w as f32 / 7.0)).collect();
        let doubles = edges.iter().map(|&(s, t, w)| (s, t, f64::from(w) / 7.0)).collect();
        let graphs = [
            graph(5_000, undirected, edges),
            graph(5_000, undirected, floats),
            graph(5_000, undirected, doubles),
        ];
        for threads in [1, 2, 4] {
            with_threads(threads, || graphs.iter().for_each(|graph| check(graph, 17)));
        }
    }
}

#[test]
fn grid_with_many_buckets() {
    let side = 300;
    let weights = random_edges(2, 2 * side * side, 1000, 5);
    let edges = (0..side * side).flat_map(|v| {
        let (right, below) = ((v + 1) % side != 0, v + side < side * side);
        let edge = |to: usize, number: usize| (v as u32, to as u32, weights[number].2);
        [right.then(|| edge(v + 1, 2 * v)), below.then(|| edge(v + side, 2 * v + 1))]
    });
    let grid = graph((side * side) as u64, true, edges.flatten().collect());
    let expected = expected(&grid, 45_150);
    for threads in [1, 2, 4] {
        for delta in [None, Some(20.0), Some(1000.0)] {
            let options = SsspOptions { delta, ..Default::default() };
            let paths = with_threads(threads, || verified(&grid, 45_150, &options));
            assert_eq!(found(&paths), expected);
            assert!(paths.trace.steps.len() > 10);
        }
    }
}

/// Paths of equal length race for every vertex: the tree must be one all the same.
#[test]
fn racing_equal_paths_and_zero_cycles_make_a_tree() {
    let edges = random_edges(3_000, 60_000, 2, 11);
    let graph = graph(3_000, true, edges);
    with_threads(4, || {
        for source in 0..200 {
            let paths = sssp(&graph, source, &Default::default()).unwrap();
            paths.verify(&graph, &Default::default()).unwrap();
        }
    });
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    None,
    Whole,
    Huge,
    Floating,
    Double,
}

fn small_graphs() -> impl Strategy<Value = (Graph, u32)> {
    let kinds = vec![Kind::None, Kind::Whole, Kind::Huge, Kind::Floating, Kind::Double];
    (1u32..=40, any::<bool>(), prop::sample::select(kinds))
        .prop_flat_map(|(vertices, undirected, kind)| {
            let edges = prop::collection::vec((0..vertices, 0..vertices, 0u32..9), 0..120);
            (Just((vertices, undirected, kind)), edges, 0..vertices)
        })
        .prop_map(|((vertices, undirected, kind), edges, source)| {
            let vertices = vertices.into();
            let graph = match kind {
                Kind::None => {
                    let graph = graph(vertices, undirected, edges);
                    graph.with_weights(None).unwrap()
                }
                Kind::Whole => graph(vertices, undirected, edges),
                Kind::Huge => {
                    let huge = edges.into_iter().map(|(s, t, w)| (s, t, w * 400_000_000));
                    graph(vertices, undirected, huge.collect())
                }
                Kind::Floating => {
                    let floats = edges.into_iter().map(|(s, t, w)| (s, t, w as f32 / 3.0));
                    graph(vertices, undirected, floats.collect())
                }
                Kind::Double => {
                    let doubles = edges.into_iter().map(|(s, t, w)| (s, t, f64::from(w) / 3.0));
                    graph(vertices, undirected, doubles.collect())
                }
            };
            (graph, source)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn agrees_with_petgraph((graph, source) in small_graphs()) {
        check(&graph, source);
    }

    #[test]
    fn target_leaves_out_exactly_what_is_farther(
        (graph, source) in small_graphs(),
        target in 0u32..40,
    ) {
        let target = target % graph.vertices();
        let mut expected = expected(&graph, source);
        if let Some(limit) = expected[target as usize] {
            for distance in &mut expected {
                *distance = distance.filter(|&distance| distance <= limit);
            }
        }
        for options in all_options(Some(target)) {
            prop_assert_eq!(&found(&verified(&graph, source, &options)), &expected);
        }
    }
}
