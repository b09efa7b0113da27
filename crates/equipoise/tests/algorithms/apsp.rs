//! All pairs by every strategy, compared with petgraph and three loops.

use equipoise::graph::Error::OutOfMemory;
use equipoise::{
    Error,
    apsp::{Apsp, ApspOptions, ApspStrategy, PairDistances, apsp},
    graph::{Graph, VertexIds},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph},
    in_pool,
    oracles::all_distances,
};

const ALL: [ApspStrategy; 3] = [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn options(strategy: ApspStrategy) -> ApspOptions {
    ApspOptions { strategy, ..ApspOptions::default() }
}

/// Verified distances.
fn run(graph: &Graph, strategy: ApspStrategy) -> Apsp {
    let result = apsp(graph, &options(strategy)).unwrap();
    result.verify(graph).unwrap();
    result
}

fn random(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as u32
}

fn random_edges(vertices: u32, degree: u32, max_weight: u32) -> Vec<(u32, u32, u32)> {
    let mut state = u64::from(vertices) << 32 | u64::from(degree);
    let mut next = |below: u32| random(&mut state) % below;
    (0..vertices * degree).map(|_| (next(vertices), next(vertices), next(max_weight + 1))).collect()
}

fn numbers(distances: &PairDistances) -> Vec<Option<f64>> {
    (0..distances.len()).map(|pair| distances.get(pair)).collect()
}

/// Compares all strategies with three loops, whose sums of whole numbers are exact in `f64`.
fn assert_exact(graph: &Graph) {
    let expected = all_distances(graph, true).concat();
    let finite = |&length: &f64| length.is_finite().then_some(length);
    let expected: Vec<_> = expected.iter().map(finite).collect();
    for strategy in ALL {
        let result = run(graph, strategy);
        assert_eq!(result.strategy, strategy);
        let is_equal = numbers(&result.distances) == expected;
        assert!(is_equal, "{strategy}, {} vertices", graph.vertices());
    }
}

fn any_edges() -> impl Strategy<Value = (u32, Vec<(u32, u32, u32)>, bool)> {
    (1..20u32).prop_flat_map(|vertices| {
        let weight = prop_oneof![0..4u32, 0..1000u32];
        let edges = prop::collection::vec((0..vertices, 0..vertices, weight), 0..60);
        (Just(vertices), edges, any::<bool>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_strategies_equal_petgraph((vertices, edges, undirected) in any_edges()) {
        let graph = graph(vertices, edges, undirected);
        let coo = graph.coo().unwrap();
        let edges = (0..coo.targets.len()).map(|edge| {
            (coo.sources[edge], coo.targets[edge], graph.weights().unwrap().get(edge) as u64)
        });
        let mut oracle = petgraph::graph::DiGraph::<(), u64, u32>::new();
        let nodes: Vec<_> = (0..vertices).map(|_| oracle.add_node(())).collect();
        oracle.extend_with_edges(edges);
        let expected =
            petgraph::algo::floyd_warshall(&oracle, |edge| *edge.weight()).unwrap();
        for strategy in ALL {
            let result = run(&graph, strategy);
            prop_assert!(matches!(result.distances, PairDistances::U32(_)));
            for (s, &source) in (0..).zip(&nodes) {
                for (t, &target) in (0..).zip(&nodes) {
                    let length = expected.get(&(source, target)).copied();
                    let length = length.filter(|&length| length < u64::from(u32::MAX));
                    prop_assert_eq!(result.distance(s, t), length.map(|length| length as f64));
                }
            }
        }
    }

    #[test]
    fn unweighted_edges_count_one((vertices, edges, undirected) in any_edges()) {
        let unweighted: Vec<_> = edges.iter().map(|&(a, b, _)| (a, b)).collect();
        let graph = graph(vertices, unweighted, undirected);
        assert_exact(&graph);
    }

    #[test]
    fn long_sums_are_made_with_64_bits((vertices, mut edges, undirected) in any_edges()) {
        edges.iter_mut().for_each(|edge| edge.2 = u32::MAX - edge.2);
        edges.push((0, 0, u32::MAX));
        let graph = graph(vertices, edges, undirected);
        assert_exact(&graph);
        let is_wide = matches!(run(&graph, ApspStrategy::Blocked).distances, PairDistances::U64(_));
        prop_assert_eq!(is_wide, vertices > 1);
    }

    #[test]
    fn floating_point_is_right_within_rounding((vertices, edges, undirected) in any_edges()) {
        let exact = graph(vertices, edges.clone(), undirected);
        let narrow: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, w as f32 * 0.1)).collect();
        let wide: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, f64::from(w) * 0.1)).collect();
        let (narrow, wide) = (graph(vertices, narrow, undirected), graph(vertices, wide, undirected));
        let expected = all_distances(&exact, true).concat();
        for (strategy, graph, near) in ALL.iter().flat_map(|&s| [(s, &narrow, 1e-5), (s, &wide, 1e-14)]) {
            let result = run(graph, strategy);
            let is_wide = matches!(result.distances, PairDistances::F64(_));
            prop_assert_eq!(is_wide, near < 1e-9);
            for (result, &expected) in numbers(&result.distances).iter().zip(&expected) {
                prop_assert_eq!(result.is_some(), expected.is_finite());
                let expected = expected * 0.1;
                prop_assert!(result.is_none_or(|result| (result - expected).abs() <= near * expected));
            }
        }
    }
}

#[test]
fn sizes_around_the_borders_of_tiles_are_right() {
    for vertices in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 130, 193] {
        for degree in [1, 3] {
            let graph = graph(vertices, random_edges(vertices, degree, 100), degree == 1);
            assert_exact(&graph);
        }
    }
}

#[test]
fn a_path_through_all_vertices_crosses_all_tiles() {
    let vertices = 200;
    // Visits 0, 77, 154, 31, …: neighbours on the path lie in different tiles.
    let edges = (0..vertices - 1).map(|v| (v * 77 % vertices, (v + 1) * 77 % vertices, 3u32));
    let graph = graph(vertices, edges.collect::<Vec<_>>(), false);
    for strategy in ALL {
        let result = run(&graph, strategy);
        assert_eq!(result.distance(0, (vertices - 1) * 77 % vertices), Some(3.0 * 199.0));
        assert_eq!(result.distance((vertices - 1) * 77 % vertices, 0), None);
    }
}

#[test]
fn the_empty_graph_has_no_distances() {
    for strategy in ApspStrategy::ALL.iter().copied() {
        let result = run(&generated("isolated:n=0"), strategy);
        assert_eq!(result.distances, PairDistances::U32(vec![].into()));
        assert_ne!(result.strategy, ApspStrategy::Auto);
    }
}

#[test]
fn negative_zero_becomes_zero() {
    let graph = graph(3, vec![(0, 1, -0.0f32), (1, 2, 0.5)], false);
    let (far, edges) = (f32::INFINITY.to_bits(), 0.5f32.to_bits());
    for strategy in ALL {
        let PairDistances::F32(result) = run(&graph, strategy).distances else { panic!("not f32") };
        let bits: Vec<u32> = result.iter().map(|length| length.to_bits()).collect();
        assert_eq!(bits, [0, 0, edges, far, 0, edges, far, far, 0]);
    }
}

#[test]
fn the_last_sum_that_fits_is_kept_in_32_bits() {
    let path = |weight: u32| graph(3, vec![(0, 1, weight), (1, 2, weight)], true);
    // (n − 1) · w has to be less than 2³¹ − 1.
    for (weight, wide) in [((1 << 30) - 1, false), (1 << 30, true)] {
        for strategy in ALL {
            let result = run(&path(weight), strategy);
            assert_eq!(result.distance(0, 2), Some(2.0 * f64::from(weight)));
            assert_eq!(matches!(result.distances, PairDistances::U64(_)), wide);
        }
    }
}

#[test]
fn large_graphs_agree_and_pass_their_sampled_check() {
    let edges = random_edges(700, 4, 1000);
    let floats: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, w as f32 / 7.0)).collect();
    let whole = graph(700, edges, false);
    let expected = run(&whole, ApspStrategy::Sssp).distances;
    ALL.into_iter().for_each(|strategy| assert_eq!(run(&whole, strategy).distances, expected));
    let floats = graph(700, floats, false);
    ALL.into_iter().for_each(|strategy| drop(run(&floats, strategy)));
}

#[test]
fn what_does_not_fit_is_refused_with_its_size() {
    let small = graph(10, vec![(0, 1)], false);
    for strategy in ApspStrategy::ALL.iter().copied() {
        let limited = |memory_limit| ApspOptions { memory_limit, ..options(strategy) };
        let error = apsp(&small, &limited(Some(399))).unwrap_err();
        let Error::Graph(OutOfMemory { needed, available: 399, .. }) = error else {
            panic!("{error}")
        };
        assert!(needed >= 400);
        assert!(apsp(&small, &limited(Some(needed))).is_ok());
    }
    // The matrix of so many is larger than what a process can address.
    let many = graph(20_000_000, vec![(0, 1)], false);
    for strategy in ApspStrategy::ALL.iter().copied() {
        let error = apsp(&many, &options(strategy)).unwrap_err();
        assert!(
            matches!(error, Error::Graph(OutOfMemory { needed: 1_600_000_000_000_000.., .. })),
            "{error}"
        );
        let memory_limit = Some(u64::MAX);
        let error = apsp(&many, &ApspOptions { memory_limit, ..options(strategy) }).unwrap_err();
        assert!(matches!(error, Error::Graph(OutOfMemory { .. })), "{error}");
    }
}

#[test]
fn bad_weights_are_refused_by_name() {
    for weight in [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let ids = VertexIds::Dense { first: 1 };
        let edges = vec![(0, 1, 1.0f32), (1, 2, weight), (2, 0, weight)];
        let graph = graph(3, edges, false).with_ids(ids).unwrap();
        for strategy in ApspStrategy::ALL.iter().copied() {
            let error = apsp(&graph, &options(strategy)).unwrap_err();
            let is_edge = |a: &str, b: &str| (a, b) == ("2", "3");
            assert!(
                matches!(&error, Error::BadWeight { source_id, target_id, .. } if is_edge(source_id, target_id)),
                "{error}"
            );
        }
        let wide = graph.with_weights(Some(vec![1.0, f64::from(weight), 1.0].into())).unwrap();
        assert!(matches!(apsp(&wide, &ApspOptions::default()), Err(Error::BadWeight { .. })));
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let edges = random_edges(300, 5, 1000);
    let edges: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, w as f32 * 0.37)).collect();
    let graph = graph(300, edges, false);
    for strategy in ALL {
        let results = [1, 2, 5].map(|threads| in_pool(threads, || run(&graph, strategy).distances));
        assert!(results.iter().all(|result| *result == results[0]));
    }
}

#[test]
fn auto_says_why_it_takes_a_strategy() {
    let choose = |graph: &Graph, options: &ApspOptions| {
        let result = apsp(graph, options).unwrap();
        (result.strategy, result.reason)
    };
    let auto = ApspOptions::default();
    let dense = graph(65, random_edges(65, 40, 50), false);
    let (strategy, reason) = choose(&dense, &auto);
    assert_eq!(strategy, ApspStrategy::Blocked);
    assert!(reason.contains("Floyd-Warshall takes 2.7e5 steps"), "{reason}");
    let (strategy, reason) = choose(&generated("path:n=3000,directed=true"), &auto);
    assert_eq!(strategy, ApspStrategy::Sssp);
    assert!(reason.contains("searches should cost as much as"), "{reason}");
    assert_eq!(choose(&dense, &options(ApspStrategy::Sssp)).1, "as asked");
    // Floyd-Warshall works on 128 by 128.
    let tight = ApspOptions { memory_limit: Some(128 * 128 * 4), ..auto };
    let (strategy, reason) = in_pool(1, || choose(&dense, &tight));
    assert_eq!(strategy, ApspStrategy::Sssp);
    assert_eq!(reason, "Floyd-Warshall does not fit in memory");
}

#[test]
fn arrays_are_written_for_numpy() {
    let graphs = [
        (graph(3, vec![(0, 1)], false), "<u4"),
        (graph(3, vec![(0, 1, u32::MAX)], false), "<u8"),
        (graph(3, vec![(0, 1, 0.5f32)], false), "<f4"),
        (graph(3, vec![(0, 1, 0.5f64)], false), "<f8"),
    ];
    for (graph, descr) in graphs {
        let result = run(&graph, ApspStrategy::Auto);
        let mut file = Vec::new();
        result.write_npy(&mut file).unwrap();
        assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
        let length = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
        assert_eq!(length % 64, 0);
        let header = std::str::from_utf8(&file[10..length]).unwrap();
        let dictionary =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (3, 3), }}");
        assert_eq!(header.trim_end(), dictionary);
        assert!(header.ends_with('\n'));
        let bytes: Vec<u8> = match &result.distances {
            PairDistances::U32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            PairDistances::U64(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            PairDistances::F32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            PairDistances::F64(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        assert_eq!(file[length..], bytes);
    }
}

#[test]
fn equal_weights_are_added_up_as_along_a_path() {
    let edges: Vec<(u32, u32, f64)> = (0..30).map(|vertex| (vertex, vertex + 1, 0.1)).collect();
    let result = run(&graph(31, edges, false), ApspStrategy::Sssp);
    let sums = (0..=30).map(|edges| (0..edges).fold(0.0, |sum, _| sum + 0.1));
    let result: Vec<Option<f64>> = numbers(&result.distances)[..31].to_vec();
    assert_eq!(result, sums.map(Some).collect::<Vec<_>>());
}
