//! Next hops, rows of given sources, and files.

use equipoise::graph::Error::OutOfMemory;
use equipoise::{
    Error, LoadedGraph, NONE,
    apsp::{Apsp, ApspOptions, ApspOutput, ApspStrategy, PairDistances, apsp},
    device::OpenDevice,
    graph::{Edges, Graph},
};
use proptest::prelude::*;

use crate::graphs::multigraph;

const ALL: [ApspStrategy; 3] = [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn graph(vertices: u32, edges: impl Into<Edges>) -> Graph {
    multigraph(vertices, edges, false)
}

fn with_hops(graph: &Graph, strategy: ApspStrategy) -> Apsp {
    let options = ApspOptions { strategy, next_hops: true, ..ApspOptions::default() };
    let result = apsp(graph, &options).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    result
}

/// Follows every path and adds up its edges.
fn assert_paths_add_up(graph: &Graph, result: &Apsp, slack: f64) {
    for source in 0..graph.vertices() {
        for target in 0..graph.vertices() {
            let path = result.path(source, target);
            let length = path.map(|path| {
                assert_eq!((path[0], path[path.len() - 1]), (source, target));
                path.windows(2).map(|hop| lightest(graph, hop[0], hop[1])).sum::<f64>()
            });
            match (length, result.distance(source, target)) {
                (None, None) => {}
                (Some(along), Some(told)) => assert!((along - told).abs() <= slack * told),
                other => panic!("from {source} to {target}: {other:?}"),
            }
        }
    }
}

fn lightest(graph: &Graph, from: u32, to: u32) -> f64 {
    let edges = graph.neighbors(from).iter().zip(graph.csr().range(from));
    let weights = edges.filter(|&(&end, _)| end == to).map(|(_, edge)| match graph.weights() {
        Some(weights) => weights.get(edge),
        None => 1.0,
    });
    weights.reduce(f64::min).unwrap()
}

fn any_edges() -> impl Strategy<Value = (u32, Vec<(u32, u32, u32)>)> {
    (1..20u32).prop_flat_map(|vertices| {
        let weight = prop_oneof![Just(0u32), 0..3u32, 0..1000u32];
        let edges = prop::collection::vec((0..vertices, 0..vertices, weight), 0..60);
        (Just(vertices), edges)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn paths_of_whole_weights_add_up((vertices, edges) in any_edges()) {
        let graph = graph(vertices, edges);
        let expected = apsp(&graph, &ApspOptions::default()).unwrap().distances;
        for strategy in ALL {
            let result = with_hops(&graph, strategy);
            prop_assert_eq!(&result.distances, &expected);
            assert_paths_add_up(&graph, &result, 0.0);
        }
    }

    /// Tiny weights are lost to rounding, so that distances are equal all along a path.
    #[test]
    fn paths_of_floating_point_weights_add_up((vertices, edges) in any_edges()) {
        let tiny = |weight: u32| match weight % 4 {
            0 => 0.0,
            1 => 1e-9,
            2 => 0.1,
            _ => weight as f32 * 0.3,
        };
        let edges: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, tiny(w))).collect();
        let graph = graph(vertices, edges);
        for strategy in ALL {
            assert_paths_add_up(&graph, &with_hops(&graph, strategy), 1e-5);
        }
    }
}

#[test]
fn hops_over_several_blocks() {
    for vertices in [63, 64, 65, 150, 300] {
        let edges: Vec<_> = (0..vertices * 4)
            .map(|edge: u32| (edge % vertices, edge * edge * 7 % vertices, edge % 5))
            .collect();
        let graph = graph(vertices, edges);
        let blocked = with_hops(&graph, ApspStrategy::Blocked);
        let naive = with_hops(&graph, ApspStrategy::Naive);
        // Blocks do not change which of several shortest paths is found.
        assert_eq!(blocked.next_hops, naive.next_hops);
        assert_eq!(with_hops(&graph, ApspStrategy::Sssp).distances, blocked.distances);
    }
}

#[test]
fn a_vertex_has_no_hop_to_itself_or_without_a_path() {
    let graph = graph(3, vec![(0, 0, 5u32), (0, 1, 0)]);
    for strategy in ALL {
        let result = with_hops(&graph, strategy);
        let mut expected = [NONE; 9];
        expected[1] = 1;
        assert_eq!(result.next_hops.as_ref().unwrap()[..], expected);
        assert_eq!(result.path(0, 1), Some(vec![0, 1]));
        assert_eq!(result.path(2, 2), Some(vec![2]));
        assert_eq!((result.path(1, 0), result.path(0, 9)), (None, None));
    }
    let without = apsp(&graph, &ApspOptions::default()).unwrap();
    assert_eq!((without.next_hops.is_none(), without.path(0, 1)), (true, None));
}

#[test]
fn rows_of_given_sources_are_those_of_the_whole() {
    let edges: Vec<_> = (0..900u32).map(|e| (e % 90, e * e % 97, e % 11)).collect();
    let graph = graph(100, edges);
    let all = apsp(&graph, &ApspOptions::default()).unwrap();
    let sources = vec![42, 0, 99, 42];
    let options = ApspOptions { sources: Some(sources.clone()), ..ApspOptions::default() };
    let some = apsp(&graph, &options).unwrap();
    some.verify(&graph).unwrap();
    assert_eq!((some.rows(), some.strategy), (4, ApspStrategy::Sssp));
    let (PairDistances::U32(all), PairDistances::U32(rows)) = (&all.distances, &some.distances)
    else {
        panic!("not u32")
    };
    for (row, &source) in rows.chunks(100).zip(&sources) {
        assert_eq!(row, &all[source as usize * 100..][..100]);
    }
    assert_eq!(some.distance(1, 0), None);
    assert_eq!(some.distance(0, 0), Some(0.0));
    let mut file = Vec::new();
    some.write_npy(&mut file).unwrap();
    assert!(String::from_utf8_lossy(&file[..128]).contains("'shape': (4, 100)"));
    let none = ApspOptions { sources: Some(vec![]), ..ApspOptions::default() };
    assert!(apsp(&graph, &none).unwrap().distances.is_empty());
}

#[test]
fn options_that_contradict_sources_are_refused() {
    let graph = graph(3, vec![(0, 1)]);
    let from = |source, strategy, next_hops| {
        let options = ApspOptions {
            strategy,
            sources: Some(vec![source]),
            next_hops,
            ..ApspOptions::default()
        };
        apsp(&graph, &options).unwrap_err().to_string()
    };
    assert!(from(3, ApspStrategy::Auto, false).contains("vertex 3 does not exist"));
    assert!(from(1, ApspStrategy::Blocked, false).contains("by the strategy `sssp`"));
    assert!(from(1, ApspStrategy::Sssp, true).contains("they need all rows"));
}

#[test]
fn results_in_files_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let edges: Vec<_> = (0..400u32).map(|e| (e % 70, e * e % 71, e as f32 / 8.0)).collect();
    let graph = graph(71, edges);
    for strategy in ALL {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            let expected = apsp(&graph, &options).unwrap();
            let (lengths, hops) = (folder.path().join("d.npy"), folder.path().join("h.npy"));
            let output = ApspOutput {
                distances: Some(&lengths),
                next_hops: Some(&hops),
                ..ApspOutput::default()
            };
            let mut result = LoadedGraph::new(&OpenDevice::Cpu, &graph)
                .unwrap()
                .apsp_to(&options, &output)
                .unwrap();
            assert!(!lengths.exists(), "it is not saved yet");
            result.verify(&graph).unwrap();
            result.save().unwrap();
            assert_eq!(result.distances, expected.distances);
            assert_eq!(result.next_hops, expected.next_hops);
            let mut file = Vec::new();
            expected.write_npy(&mut file).unwrap();
            assert!(std::fs::read(&lengths).unwrap() == file, "{strategy}");
            assert_eq!(hops.exists(), next_hops);
            if next_hops {
                let mut file = Vec::new();
                expected.write_next_hops_npy(&mut file).unwrap();
                assert!(std::fs::read(&hops).unwrap() == file, "{strategy}");
                std::fs::remove_file(&hops).unwrap();
            }
            std::fs::remove_file(&lengths).unwrap();
        }
    }
}

#[test]
fn a_file_takes_no_main_memory_and_fails_by_name() {
    let graph = graph(1000, vec![(0, 1)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.npy");
    let options = ApspOptions {
        strategy: ApspStrategy::Naive,
        memory_limit: Some(100_000),
        ..ApspOptions::default()
    };
    let to = |path| {
        let output = ApspOutput { distances: Some(path), ..ApspOutput::default() };
        LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap().apsp_to(&options, &output)
    };
    to(path.as_path()).unwrap().verify(&graph).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it was never saved");
    assert!(matches!(apsp(&graph, &options).unwrap_err(), Error::Graph(OutOfMemory { .. })));
    let error = to("/nowhere/d.npy".as_ref()).unwrap_err().to_string();
    assert!(error.contains("/nowhere"), "{error}");
}
