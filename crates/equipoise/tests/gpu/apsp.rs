//! All pairs on a GPU.

use std::sync::atomic::{AtomicU64, Ordering};

use equipoise::{
    NONE,
    apsp::{Apsp, ApspOptions, ApspOutput, ApspStrategy, apsp},
    graph::{Graph, io::Progress},
};

use crate::{
    common::{apsp_on, apsp_to, device, directed, with_memory},
    graphs::generated,
};

const STRATEGIES: [ApspStrategy; 3] =
    [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn by(strategy: ApspStrategy) -> ApspOptions {
    ApspOptions { strategy, ..ApspOptions::default() }
}

fn verified(graph: &Graph, strategy: ApspStrategy) -> Apsp {
    let result = apsp_on(&device(), graph, &by(strategy)).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert_eq!(result.strategy, strategy);
    result
}

#[test]
fn any_number_of_vertices_by_every_strategy() {
    // Around the sizes of blocks and tiles, and several of them.
    let sizes = [0, 1, 2, 63, 64, 65, 127, 128, 129].map(|vertices| (vertices, "1..99"));
    for (vertices, weights) in sizes.into_iter().chain([(65, "0..2"), (200, "0..2")]) {
        let edges = (4 * vertices).min(vertices * vertices.max(1) - vertices);
        let graph = match vertices {
            0 | 1 => generated(&format!("isolated:n={vertices}")),
            _ => generated(&format!("er:n={vertices},m={edges},directed=true,weights={weights}")),
        };
        for strategy in STRATEGIES {
            let result = verified(&graph, strategy);
            assert_eq!(result.distances, apsp(&graph, &by(strategy)).unwrap().distances);
        }
    }
}

#[test]
fn paths_over_many_blocks_and_unreachable_pairs() {
    for strategy in STRATEGIES {
        let path = verified(&generated("path:n=400"), strategy);
        assert_eq!(path.distance(0, 399), Some(399.0));
        let parts = verified(&generated("components:n=150,weights=1..9"), strategy);
        assert!((0..150 * 150).any(|pair| parts.distances.get(pair).is_none()));
    }
}

#[test]
fn floating_point_weights() {
    let edges = (0..1500u32).map(|edge| {
        let (from, to) = (edge * 7 % 211, edge * edge % 211);
        (from, to, (edge % 13) as f32 / 3.0)
    });
    let graph = directed(220, edges.collect());
    for strategy in STRATEGIES {
        let result = verified(&graph, strategy);
        assert_eq!(result.distance(0, 219), None);
    }
}

#[test]
fn parallel_edges_loops_and_sums_near_the_limit() {
    let large = (1 << 29) - 1;
    let graph = directed(4, vec![(0, 1, 9), (0, 1, 4), (1, 1, 7), (1, 2, large), (2, 3, large)]);
    for strategy in STRATEGIES {
        let result = verified(&graph, strategy);
        assert_eq!(result.distance(0, 1), Some(4.0));
        assert_eq!(result.distance(0, 3), Some(4.0 + 2.0 * f64::from(large)));
        assert_eq!(result.distance(3, 0), None);
    }
}

#[test]
fn distances_beyond_32_bits_are_refused() {
    let long = directed(3, vec![(0, 1, u32::MAX), (1, 2, 5)]);
    let error = apsp_on(&device(), &long, &ApspOptions::default()).unwrap_err();
    assert!(error.to_string().contains("the cpu has 64"), "{error}");
}

#[test]
fn searches_in_batches_as_large_as_memory_allows() {
    let graph = generated("er:n=100,m=300,directed=true,weights=0..9");
    let expected = apsp(&graph, &by(ApspStrategy::Sssp)).unwrap().distances;
    // In addition to the graph, 10, 4 and 1 searches of 16 bytes per vertex fit.
    for bytes in [20_000, 10_000, 5_000] {
        let result = apsp_on(&with_memory(bytes), &graph, &by(ApspStrategy::Sssp)).unwrap();
        assert_eq!(result.distances, expected);
    }
    let error = apsp_on(&with_memory(3_000), &graph, &by(ApspStrategy::Sssp)).unwrap_err();
    assert!(error.to_string().contains("1 searches of 100 vertices at once needs"), "{error}");
}

#[test]
fn matrices_beyond_memory_are_refused_with_numbers() {
    let graph = generated("path:n=300");
    let refused =
        |strategy| apsp_on(&with_memory(300_000), &graph, &by(strategy)).unwrap_err().to_string();
    let error = refused(ApspStrategy::Naive);
    assert!(error.contains("all pairs of 300 vertices needs"), "{error}");
    assert!(error.contains("300000"), "{error}");
    let error = refused(ApspStrategy::Blocked);
    assert!(error.contains("a strip of 128 rows of all pairs of 300 vertices needs"), "{error}");
}

fn with_hops(graph: &Graph, strategy: ApspStrategy) -> Apsp {
    let options = ApspOptions { next_hops: true, ..by(strategy) };
    let result = apsp_on(&device(), graph, &options).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    result
}

#[test]
fn next_hops_by_every_strategy() {
    for (vertices, weights) in [(2, "1..9"), (65, "0..2"), (130, "0..0"), (300, "0..9")] {
        let edges = (4 * vertices).min(vertices * vertices - vertices);
        let graph =
            generated(&format!("er:n={vertices},m={edges},directed=true,weights={weights}"));
        for strategy in STRATEGIES {
            let options = ApspOptions { next_hops: true, ..by(strategy) };
            let expected = apsp(&graph, &options).unwrap();
            let result = with_hops(&graph, strategy);
            assert_eq!(result.distances, expected.distances);
            // Floyd-Warshall takes the same steps on all devices, and finds the same paths.
            if strategy != ApspStrategy::Sssp {
                assert_eq!(result.next_hops, expected.next_hops);
            }
        }
    }
}

#[test]
fn next_hops_with_lengths_lost_to_rounding() {
    let lengths = [0.0f32, 1e-9, 1e-9, 0.1, 1.0, 1e-8];
    let edges = (0..1400u32)
        .map(|edge| (edge * 7 % 151, edge * edge % 151, lengths[edge as usize * 11 % 6]));
    let graph = directed(155, edges.collect());
    for strategy in STRATEGIES {
        with_hops(&graph, strategy);
    }
}

#[test]
fn next_hops_without_paths() {
    for graph in
        [generated("isolated:n=0"), generated("isolated:n=3"), directed(1, vec![(0, 0, 3u32)])]
    {
        for strategy in STRATEGIES {
            let hops = with_hops(&graph, strategy).next_hops.unwrap();
            assert!(hops.iter().all(|&hop| hop == NONE));
        }
    }
}

#[test]
fn rows_of_given_sources() {
    let graph = generated("er:n=200,m=700,directed=true,weights=0..9");
    let options = ApspOptions { sources: Some(vec![42, 0, 199, 42]), ..ApspOptions::default() };
    let result = apsp_on(&device(), &graph, &options).unwrap();
    result.verify(&graph).unwrap();
    assert_eq!(result.distances, apsp(&graph, &options).unwrap().distances);
    // A whole matrix of these vertices would not fit.
    let many = directed(70_000, (69_990..69_999u32).map(|vertex| (vertex, vertex + 1)).collect());
    let options = ApspOptions { sources: Some(vec![69_990]), ..ApspOptions::default() };
    let result = apsp_on(&device(), &many, &options).unwrap();
    assert_eq!(result.distance(69_990, 69_999), Some(9.0));
    assert_eq!(result.distance(69_990, 0), None);
}

#[test]
fn a_matrix_larger_than_memory_streams_through_it() {
    let whole = generated("er:n=500,m=2000,directed=true,weights=0..99");
    let edges = (0..2000u32).map(|e| (e * 7 % 401, e * e % 409, (e % 13) as f32 / 3.0));
    let real = directed(410, edges.collect());
    for graph in [&whole, &real] {
        for (next_hops, bytes) in [(false, 1_000_000), (true, 1_400_000)] {
            let options = ApspOptions { next_hops, ..by(ApspStrategy::Blocked) };
            let at_once = apsp_on(&device(), graph, &options).unwrap();
            assert_eq!(at_once.panels, 1);
            let progress = Counted::default();
            let output = ApspOutput { progress: Some(&progress), ..ApspOutput::default() };
            let streamed = apsp_to(&with_memory(bytes), graph, &options, &output).unwrap();
            assert!(streamed.panels > 2, "{} panels", streamed.panels);
            assert_eq!(streamed.distances, at_once.distances);
            assert_eq!(streamed.next_hops, at_once.next_hops);
            streamed.verify(graph).unwrap();
            let [total, done] =
                [&progress.total, &progress.done].map(|sum| sum.load(Ordering::Relaxed));
            let blocks = u64::from(graph.vertices()).div_ceil(64);
            assert_eq!((total, done), (u64::from(streamed.panels) * blocks, total));
            // The options may limit memory, too.
            let limited = ApspOptions { memory_limit: Some(bytes), ..options };
            let result = apsp_on(&device(), graph, &limited).unwrap();
            assert_eq!((result.panels, &result.distances), (streamed.panels, &at_once.distances));
        }
    }
}

/// Counts progress.
#[derive(Default)]
struct Counted {
    total: AtomicU64,
    done: AtomicU64,
}

impl Progress for Counted {
    fn start(&self, _: &str, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn finish(&self) {}
}

#[test]
fn results_of_a_gpu_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let (lengths, hops) = (folder.path().join("d.npy"), folder.path().join("h.npy"));
    let graph = generated("er:n=150,m=600,directed=true,weights=0..9");
    let output =
        ApspOutput { distances: Some(&lengths), next_hops: Some(&hops), ..ApspOutput::default() };
    for strategy in STRATEGIES {
        let options = ApspOptions { next_hops: true, ..by(strategy) };
        let mut result = apsp_to(&device(), &graph, &options, &output).unwrap();
        result.verify(&graph).unwrap();
        result.save().unwrap();
        let mut file = Vec::new();
        result.write_npy(&mut file).unwrap();
        assert!(std::fs::read(&lengths).unwrap() == file);
        file.clear();
        result.write_next_hops_npy(&mut file).unwrap();
        assert!(std::fs::read(&hops).unwrap() == file);
    }
}

#[test]
fn auto_chooses_and_says_why() {
    let chosen = |spec: &str| {
        let result = apsp_on(&device(), &generated(spec), &ApspOptions::default()).unwrap();
        (result.strategy, result.reason)
    };
    let (strategy, reason) = chosen("complete:n=100,weights=1..9");
    assert_eq!(strategy, ApspStrategy::Blocked);
    assert!(reason.contains("Floyd-Warshall takes 1.0e6 steps"), "{reason}");
    let sources = ApspOptions { sources: Some(vec![0]), ..ApspOptions::default() };
    let result = apsp_on(&device(), &generated("path:n=9"), &sources).unwrap();
    assert_eq!(result.reason, "only it finds rows of given sources");
}
