//! Random graphs.

use equipoise::{
    graph::{Graph, Weights},
    sssp::{SsspOptions, sssp},
};
use proptest::prelude::*;

use super::{all_options, check, distances, expected, graph, in_pool, verified};

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
        let floats = edges.iter().map(|&(s, t, w)| (s, t, w as f32 / 7.0));
        let doubles = edges.iter().map(|&(s, t, w)| (s, t, f64::from(w) / 7.0));
        let graphs = [
            graph(5_000, floats.collect::<Vec<_>>(), undirected),
            graph(5_000, doubles.collect::<Vec<_>>(), undirected),
            graph(5_000, edges, undirected),
        ];
        for threads in [1, 2, 4] {
            in_pool(threads, || graphs.iter().for_each(|graph| check(graph, 17)));
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
    let grid = graph((side * side) as u32, edges.flatten().collect::<Vec<_>>(), true);
    let expected = expected(&grid, 45_150);
    for threads in [1, 2, 4] {
        for delta in [None, Some(20.0), Some(1000.0)] {
            let options = SsspOptions { delta, ..Default::default() };
            let paths = in_pool(threads, || verified(&grid, 45_150, &options));
            assert_eq!(distances(&paths), expected);
            assert!(paths.trace.steps.len() > 10);
        }
    }
}

/// Paths of equal length race for every vertex: the tree must be one all the same.
#[test]
fn racing_equal_paths_and_zero_cycles_make_a_tree() {
    let edges = random_edges(3_000, 60_000, 2, 11);
    let graph = graph(3_000, edges, true);
    in_pool(4, || {
        for source in 0..200 {
            let paths = sssp(&graph, source, &Default::default()).unwrap();
            paths.verify(&graph, &Default::default()).unwrap();
        }
    });
}

/// Without weights, and with weights of each type; the second are so large that their sums exceed 32 bits.
fn small_graphs() -> impl Strategy<Value = (Graph, u32)> {
    (1u32..=40, any::<bool>(), 0..5u32)
        .prop_flat_map(|(vertices, undirected, kind)| {
            let edges = prop::collection::vec((0..vertices, 0..vertices, 0u32..9), 0..120);
            (Just((vertices, undirected, kind)), edges, 0..vertices)
        })
        .prop_map(|((vertices, undirected, kind), edges, source)| {
            let whole = graph(vertices, edges, undirected);
            let weights = whole.weights().unwrap();
            let all = (0..weights.len()).map(|edge| weights.get(edge));
            let weights: Option<Weights> = match kind {
                0 => None,
                1 => Some(all.map(|weight| weight as u32).collect::<Vec<_>>().into()),
                2 => Some(all.map(|weight| weight as u32 * 400_000_000).collect::<Vec<_>>().into()),
                3 => Some(all.map(|weight| weight as f32 / 3.0).collect::<Vec<_>>().into()),
                _ => Some(all.map(|weight| weight / 3.0).collect::<Vec<_>>().into()),
            };
            (whole.with_weights(weights).unwrap(), source)
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
            prop_assert_eq!(&distances(&verified(&graph, source, &options)), &expected);
        }
    }
}
