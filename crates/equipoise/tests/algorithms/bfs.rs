//! Breadth-first search against a plain queue.

use std::collections::VecDeque;

use equipoise::{
    Error, NONE,
    bfs::{Bfs, BfsOptions, bfs, bfs_many},
    graph::Graph,
    traversal::Strategy,
};
use proptest::{prelude::*, strategy::Strategy as _};

use crate::{
    graphs::{generated, graph},
    in_pool,
};

const STRATEGIES: [Strategy; 2] = [Strategy::DirectionOptimising, Strategy::Node];

fn path5() -> Graph {
    graph(5, vec![(0, 1), (1, 2), (2, 3), (3, 4)], true)
}

/// The levels by a queue, up to `max_depth`.
fn oracle(graph: &Graph, source: u32, max_depth: u32) -> Vec<u32> {
    let mut levels = vec![NONE; graph.vertices() as usize];
    levels[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        let level = levels[vertex as usize];
        for &target in graph.neighbors(vertex) {
            if level < max_depth && levels[target as usize] == NONE {
                levels[target as usize] = level + 1;
                queue.push_back(target);
            }
        }
    }
    levels
}

/// A search whose result its verifier accepts.
fn verified(graph: &Graph, source: u32, options: &BfsOptions) -> Bfs {
    let search = bfs(graph, source, options).unwrap();
    search.verify(graph, options).unwrap();
    search
}

fn check(graph: &Graph, source: u32) {
    let expected = oracle(graph, source, NONE);
    for strategy in STRATEGIES {
        let search = verified(graph, source, &BfsOptions { strategy, ..Default::default() });
        assert_eq!(search.levels, expected, "{strategy}");
        let steps = &search.trace.steps;
        assert_eq!(steps.len() as u32, search.depth + 1);
        assert_eq!(steps.iter().map(|step| step.found).sum::<u64>() + 1, u64::from(search.reached));
        for (level, step) in (0..).zip(steps) {
            let frontier = expected.iter().filter(|&&found| found == level).count() as u64;
            assert_eq!((step.index, step.frontier), (level, frontier));
        }
    }
}

#[test]
fn path_of_five_vertices() {
    let search = verified(&path5(), 0, &BfsOptions::default());
    assert_eq!(search.levels, [0, 1, 2, 3, 4]);
    assert_eq!(search.parents, [0, 0, 1, 2, 3]);
    assert_eq!((search.reached, search.depth, search.edges), (5, 4, 8));
    assert_eq!(search.path_to(4), Some(vec![0, 1, 2, 3, 4]));
    assert_eq!(search.path_to(0), Some(vec![0]));
    assert_eq!(search.path_to(5), None);
}

#[test]
fn star_with_a_million_leaves() {
    let star = generated("star:n=1000001");
    for strategy in STRATEGIES {
        for threads in [1, 4] {
            let options = BfsOptions { strategy, ..Default::default() };
            let search = in_pool(threads, || verified(&star, 7, &options));
            assert_eq!((search.reached, search.depth), (1_000_001, 2));
            assert_eq!(search.path_to(9), Some(vec![7, 0, 9]));
        }
    }
}

#[test]
fn vertices_out_of_range() {
    let fails_with = |graph: &Graph, source, target| {
        let options = BfsOptions { target, ..Default::default() };
        let error = bfs(graph, source, &options).unwrap_err();
        assert!(matches!(error, Error::NoSuchVertex { .. }));
        error.to_string()
    };
    let message = fails_with(&path5(), 5, None);
    assert_eq!(message, "vertex 5 does not exist: the graph has 5 vertices");
    assert!(fails_with(&path5(), 0, Some(9)).starts_with("vertex 9 "));
    assert!(fails_with(&generated("isolated:n=0"), 0, None).starts_with("vertex 0 "));
}

#[test]
fn many_sources_in_one_call() {
    let sources = [4, 0, 2, 0];
    let searches = bfs_many(&path5(), &sources, &BfsOptions::default()).unwrap();
    for (search, source) in searches.iter().zip(sources) {
        assert_eq!(search.source, source);
        assert_eq!(search.levels, oracle(&path5(), source, NONE));
    }
    assert!(bfs_many(&path5(), &[], &BfsOptions::default()).unwrap().is_empty());
}

/// Edges between pseudo-random vertices; each of the `skew` squarings makes low numbers more frequent.
fn random_edges(vertices: u64, edges: usize, skew: u32, mut seed: u64) -> Vec<(u32, u32)> {
    let mut vertex = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut place = (seed >> 33) as f64 / (1u64 << 31) as f64;
        (0..skew).for_each(|_| place *= place);
        (place * vertices as f64) as u32
    };
    (0..edges).map(|_| (vertex(), vertex())).collect()
}

#[test]
fn larger_graphs_in_both_directions_on_some_threads() {
    for (undirected, skew) in [(true, 0), (false, 0), (true, 2), (false, 2)] {
        let graph = graph(20_000, random_edges(20_000, 160_000, skew, 7), undirected);
        for threads in [1, 2, 4] {
            in_pool(threads, || [0, 1, 19_999].map(|source| check(&graph, source)));
        }
        let search = bfs(&graph, 1, &BfsOptions::default()).unwrap();
        let uses = |strategy| search.trace.steps.iter().any(|step| step.strategy == strategy);
        assert!(uses("push") && uses("pull"));
    }
}

#[test]
fn long_search_with_wide_and_narrow_levels() {
    // Chains of 50 vertices between a hub and the next: levels of 1 and of 300 vertices.
    let mut edges = Vec::new();
    for hub in 0..10u32 {
        let first = hub * 15_001;
        for chain in 0..300 {
            let start = first + 1 + chain * 50;
            edges.push((first, start));
            edges.extend((start..start + 49).map(|vertex| (vertex, vertex + 1)));
            edges.push((start + 49, first + 15_001));
        }
    }
    let graph = graph(10 * 15_001 + 1, edges, true);
    in_pool(2, || check(&graph, 0));
}

fn small_graphs() -> impl proptest::strategy::Strategy<Value = (Graph, u32)> {
    (1u32..=40, any::<bool>())
        .prop_flat_map(|(vertices, undirected)| {
            let edges = prop::collection::vec((0..vertices, 0..vertices), 0..120);
            (Just(vertices), Just(undirected), edges, 0..vertices)
        })
        .prop_map(|(vertices, undirected, edges, source)| {
            (graph(vertices, edges, undirected), source)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn agrees_with_a_queue((graph, source) in small_graphs()) {
        check(&graph, source);
    }

    #[test]
    fn limits_cut_the_same_levels_short(
        (graph, source) in small_graphs(),
        depth in prop::option::of(0u32..6),
        target in prop::option::of(0u32..40),
    ) {
        let target = target.filter(|&target| target < graph.vertices());
        let all = oracle(&graph, source, NONE);
        let at_target = target.map_or(NONE, |target| all[target as usize]);
        let expected = oracle(&graph, source, at_target.min(depth.unwrap_or(NONE)));
        for strategy in STRATEGIES {
            let options = BfsOptions { strategy, max_depth: depth, target, ..BfsOptions::default() };
            prop_assert_eq!(&verified(&graph, source, &options).levels, &expected);
        }
    }
}
