//! Breadth-first search against a plain queue, by name and on random graphs.

use std::collections::VecDeque;

use equipoise::{
    Error, NONE,
    bfs::{Bfs, BfsOptions, bfs, bfs_many},
    graph::{Edges, Graph, GraphBuilder},
    traversal::Strategy,
};
use proptest::{prelude::*, strategy::Strategy as _};

const STRATEGIES: [Strategy; 2] = [Strategy::DirectionOptimising, Strategy::Node];

fn graph(vertices: u64, undirected: bool, edges: Vec<(u32, u32)>) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices).undirected(undirected);
    builder.build(Edges::from(edges)).unwrap()
}

fn path5() -> Graph {
    graph(5, true, vec![(0, 1), (1, 2), (2, 3), (3, 4)])
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

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
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
fn two_components() {
    let graph = graph(5, true, vec![(0, 1), (2, 3), (3, 4)]);
    let search = verified(&graph, 3, &BfsOptions::default());
    assert_eq!(search.levels, [NONE, NONE, 1, 0, 1]);
    assert_eq!((search.reached, search.edges), (3, 4));
    assert_eq!(search.path_to(0), None);
}

#[test]
fn star_with_a_million_leaves() {
    let star = graph(1_000_001, true, (1..=1_000_000).map(|leaf| (0, leaf)).collect());
    for strategy in STRATEGIES {
        for threads in [1, 4] {
            let options = BfsOptions { strategy, ..Default::default() };
            let search = with_threads(threads, || verified(&star, 7, &options));
            assert_eq!((search.reached, search.depth), (1_000_001, 2));
            assert_eq!(search.path_to(9), Some(vec![7, 0, 9]));
        }
    }
}

#[test]
fn self_loop_and_parallel_edges() {
    let graph = graph(3, false, vec![(0, 0), (0, 1), (0, 1), (1, 1), (1, 2), (1, 0)]);
    check(&graph, 0);
}

#[test]
fn source_without_edges() {
    let search = verified(&graph(3, true, vec![(0, 1)]), 2, &BfsOptions::default());
    assert_eq!(search.levels, [NONE, NONE, 0]);
    assert_eq!((search.reached, search.depth, search.edges), (1, 0, 0));
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
    assert!(fails_with(&graph(0, false, vec![]), 0, None).starts_with("vertex 0 "));
}

#[test]
fn max_depth_goes_no_further() {
    for (depth, expected) in [(0, [0, NONE, NONE, NONE, NONE]), (2, [0, 1, 2, NONE, NONE])] {
        let options = BfsOptions { max_depth: Some(depth), ..Default::default() };
        let search = verified(&path5(), 0, &options);
        assert_eq!(search.levels, expected);
        assert_eq!(search.depth, depth);
    }
}

#[test]
fn target_ends_the_search_after_its_level() {
    let tree = graph(7, true, vec![(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (5, 6)]);
    let at = |target| BfsOptions { target: Some(target), ..Default::default() };
    assert_eq!(verified(&tree, 0, &at(4)).levels, [0, 1, 1, 2, 2, 2, NONE]);
    assert_eq!(verified(&tree, 0, &at(0)).levels, [0, NONE, NONE, NONE, NONE, NONE, NONE]);
    assert_eq!(verified(&graph(3, false, vec![(0, 1)]), 0, &at(2)).reached, 2);
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

/// Edges between pseudo-random vertices; squaring `skew` times gives low numbers more of them.
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
        let graph = graph(20_000, undirected, random_edges(20_000, 160_000, skew, 7));
        for threads in [1, 2, 4] {
            with_threads(threads, || [0, 1, 19_999].map(|source| check(&graph, source)));
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
    let graph = graph(10 * 15_001 + 1, true, edges);
    with_threads(2, || check(&graph, 0));
}

fn small_graphs() -> impl proptest::strategy::Strategy<Value = (Graph, u32)> {
    (1u32..=40, any::<bool>())
        .prop_flat_map(|(vertices, undirected)| {
            let edges = prop::collection::vec((0..vertices, 0..vertices), 0..120);
            (Just(vertices), Just(undirected), edges, 0..vertices)
        })
        .prop_map(|(vertices, undirected, edges, source)| {
            (graph(vertices.into(), undirected, edges), source)
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

    #[test]
    fn every_wrong_level_or_parent_is_rejected(
        (graph, source) in small_graphs(),
        (vertex, value) in (0u32..40, prop_oneof![Just(NONE), 0u32..42]),
    ) {
        let (options, vertex) = (BfsOptions::default(), (vertex % graph.vertices()) as usize);
        let right = verified(&graph, source, &options);
        let mut wrong = right.clone();
        wrong.levels[vertex] = value;
        prop_assert_eq!(wrong.verify(&graph, &options).is_ok(), wrong.levels == right.levels);

        let is_parent = value != NONE && vertex as u32 != source
            && value < graph.vertices()
            && right.levels[value as usize] != NONE
            && right.levels[value as usize] + 1 == right.levels[vertex]
            && graph.neighbors(value).contains(&(vertex as u32));
        let mut other = right.clone();
        other.parents[vertex] = value;
        let same = other.parents == right.parents;
        prop_assert_eq!(other.verify(&graph, &options).is_ok(), same || is_parent);
    }
}

#[test]
fn the_verifier_knows_every_rule() {
    let diamond = graph(6, false, vec![(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 1)]);
    let options = BfsOptions::default();
    let right = verified(&diamond, 0, &options);
    let rejected = |name: &str, change: fn(&mut Bfs)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let error = wrong.verify(&diamond, &options).expect_err(name);
        assert!(matches!(error, Error::Wrong(_)), "{name}: {error}");
    };
    rejected("a level too small", |bfs| bfs.levels[4] = 2);
    rejected("a level too large", |bfs| bfs.levels[4] = 4);
    rejected("a second vertex at level 0", |bfs| bfs.levels[1] = 0);
    rejected("the source at level 1", |bfs| bfs.levels[0] = 1);
    rejected("the source with another parent", |bfs| bfs.parents[0] = 1);
    rejected("the source not reached", |bfs| (bfs.levels[0], bfs.parents[0]) = (NONE, NONE));
    rejected("a parent that is no neighbour", |bfs| bfs.parents[4] = 2);
    rejected("a parent over the edge's other way", |bfs| bfs.parents[1] = 4);
    rejected("a parent that is no vertex", |bfs| bfs.parents[4] = 6);
    rejected("a parent without a level", |bfs| bfs.parents[5] = 0);
    rejected("a level without a parent", |bfs| bfs.levels[5] = 4);
    rejected("one reached that cannot be", |bfs| (bfs.levels[5], bfs.parents[5]) = (4, 4));
    rejected("one missing", |bfs| (bfs.levels[4], bfs.parents[4]) = (NONE, NONE));
    rejected("too few levels", |bfs| bfs.levels.truncate(5));
    rejected("too many parents", |bfs| bfs.parents.push(NONE));
    rejected("another source", |bfs| bfs.source = 3);
    rejected("a source that is no vertex", |bfs| bfs.source = 6);
    rejected("the count of vertices", |bfs| bfs.reached += 1);
    rejected("the count of edges", |bfs| bfs.edges -= 1);
    rejected("the depth", |bfs| bfs.depth += 1);
    let short = |target, max_depth| BfsOptions { target, max_depth, ..Default::default() };
    assert!(right.verify(&diamond, &short(None, Some(2))).is_err(), "past the depth asked for");
    assert!(right.verify(&diamond, &short(Some(1), None)).is_err(), "past the target");
    let cut = verified(&diamond, 0, &short(Some(1), None));
    assert!(cut.verify(&diamond, &options).is_err(), "cut short though nobody asked");
}
