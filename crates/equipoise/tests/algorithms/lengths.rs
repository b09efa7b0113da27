//! Decimal weights are read, generated and added up in 64 bits.

use equipoise::{
    Distances,
    apsp::{ApspOptions, ApspStrategy, PairDistances, apsp},
    betweenness::{BetweennessOptions, betweenness},
    graph::{
        WeightType,
        io::{Format, ReadOptions, parse_graph},
    },
    mst::{MstOptions, TotalWeight, mst},
    paths::{PathsOptions, paths},
    sssp::{SsspOptions, sssp},
    traversal::Strategy,
};

use crate::graphs::generated;

/// The relative tolerance of sums of 64 bits, which sums of 32 bits exceed.
const NEAR: f64 = 1e-12;

fn assert_near(result: f64, expected: f64, what: &str) {
    assert!((result - expected).abs() <= NEAR * expected.abs(), "{what}: {result}, not {expected}");
}

#[test]
fn a_path_of_tenths_is_as_long_as_it_has_tenths() {
    let graph = generated("path:n=5001,weights=0.1..0.1");
    for strategy in [Strategy::Auto, Strategy::Delta, Strategy::Dijkstra] {
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        let result = sssp(&graph, 0, &options).unwrap();
        result.verify(&graph, &options).unwrap();
        for vertex in [1, 7, 1234, 5000] {
            let expected = f64::from(vertex) / 10.0;
            assert_near(result.distances.get(vertex as usize).unwrap(), expected, strategy.name());
        }
    }
    let forest = mst(&graph, &MstOptions::default()).unwrap();
    forest.verify(&graph).unwrap();
    assert_near(forest.total.get(), 500.0, "the total of the forest");
    assert!(matches!(forest.total, TotalWeight::F64(_)));
    let from_an_end =
        PathsOptions { weighted: true, sources: Some(vec![0]), ..PathsOptions::default() };
    let result = paths(&graph, &from_an_end).unwrap();
    result.verify(&graph, &from_an_end).unwrap();
    assert_near(result.eccentricities[0], 500.0, "the eccentricity");
}

#[test]
fn all_pairs_of_a_path_of_tenths_are_as_far_as_it_has_tenths() {
    let graph = generated("path:n=300,weights=0.1..0.1");
    for &strategy in ApspStrategy::ALL {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            let result = apsp(&graph, &options).unwrap();
            result.verify(&graph).unwrap();
            assert!(matches!(result.distances, PairDistances::F64(_)));
            for (source, target) in [(0, 299), (17, 200), (250, 3)] {
                let expected = f64::from(u32::abs_diff(source, target)) / 10.0;
                assert_near(result.distance(source, target).unwrap(), expected, strategy.name());
            }
        }
    }
}

/// Two ways of ten thousand edges, of which one is longer by less than 32 bits tell.
#[test]
fn betweenness_tells_apart_what_32_bits_do_not() {
    const LENGTH: u32 = 10_000;
    let mut text = String::new();
    for edge in 0..LENGTH {
        let end = |way: u32| match edge + 1 {
            LENGTH => LENGTH,
            inner => inner + way * LENGTH,
        };
        let start = |way: u32| if edge == 0 { 0 } else { edge + way * LENGTH };
        let longer = if edge == LENGTH / 2 { "0.1000000001" } else { "0.1" };
        text += &format!("{} {} 0.1\n{} {} {longer}\n", start(0), end(0), start(1), end(1));
    }
    let graph = parse_graph(text.as_bytes(), Format::GapWeightedEdges, &ReadOptions::default());
    let graph = graph.unwrap();
    let options = BetweennessOptions {
        weighted: true,
        sources: Some(vec![0]),
        unnormalized: true,
        ..BetweennessOptions::default()
    };
    let result = betweenness(&graph, &options).unwrap();
    result.verify(&graph, &options).unwrap();
    // All paths to the far end go by the shorter way: that end is behind each of its inner vertices.
    let behind = |vertex: u32| result.vertices[vertex as usize];
    let scale = behind(1) / f64::from(LENGTH - 1);
    assert_near(behind(LENGTH - 1), scale, "the last inner vertex of the shorter way");
    assert_eq!(behind(2 * LENGTH - 1), 0.0);
}

/// An oracle adds up weights that Rust's own parser read.
#[test]
fn a_file_of_decimals_is_added_up_as_an_oracle_does() {
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let vertices = 400;
    let mut edges: Vec<(u32, u32, String)> = (1..vertices)
        .map(|vertex| (vertex - 1, vertex, format!("{}.{:03}", random(9), random(1000))))
        .collect();
    for _ in 0..800 {
        let [from, to] = [random(400), random(400)].map(|end| end as u32);
        edges.push((from, to, format!("{}.{:04}", random(90), random(10_000))));
    }
    let text: String = edges.iter().map(|(a, b, weight)| format!("{a} {b} {weight}\n")).collect();
    let options = ReadOptions { undirected: true, ..ReadOptions::default() };
    let graph = parse_graph(text.as_bytes(), Format::EdgeList, &options).unwrap();
    let expected = oracle(vertices as usize, &edges);

    let options = SsspOptions::default();
    let result = sssp(&graph, 0, &options).unwrap();
    result.verify(&graph, &options).unwrap();
    let pairs = apsp(&graph, &ApspOptions::default()).unwrap();
    for (vertex, &expected) in (0..).zip(&expected) {
        assert_near(result.distances.get(vertex as usize).unwrap(), expected, "sssp");
        assert_near(pairs.distance(0, vertex).unwrap(), expected, "apsp");
    }
}

/// Distances from vertex 0 by relaxing all edges until none improves any.
fn oracle(vertices: usize, edges: &[(u32, u32, String)]) -> Vec<f64> {
    let mut all = vec![f64::INFINITY; vertices];
    all[0] = 0.0;
    loop {
        let before = all.clone();
        for (a, b, weight) in edges {
            let weight: f64 = weight.parse().unwrap();
            let (a, b) = (*a as usize, *b as usize);
            all[b] = all[b].min(all[a] + weight);
            all[a] = all[a].min(all[b] + weight);
        }
        if all == before {
            return all;
        }
    }
}

#[test]
fn a_verifier_refuses_sums_of_32_bits() {
    let graph = generated("path:n=2001,weights=0.1..0.1");
    let options = SsspOptions::default();
    let right = sssp(&graph, 0, &options).unwrap();
    let narrow = graph.clone().with_weight_type(WeightType::F32).unwrap();
    let rounded = sssp(&narrow, 0, &options).unwrap();
    assert!((rounded.distances.get(2000).unwrap() - 200.0).abs() > 1e-6);
    rounded.verify(&narrow, &options).unwrap();
    let widened = (0..2001).map(|vertex| rounded.distances.get(vertex).unwrap()).collect();
    for wrong in [rounded.distances, Distances::F64(widened)] {
        let mut changed = right.clone();
        changed.distances = wrong;
        assert!(changed.verify(&graph, &options).is_err());
    }
    right.verify(&graph, &options).unwrap();
}

/// A product of 32 bits accepts weights of 64 bits unless they become infinite or zero.
#[test]
fn weights_of_64_bits_are_values_of_32_where_they_fit() {
    use equipoise::graph::Matrix;
    let graph = generated("path:n=3,weights=0.1..0.1");
    assert_eq!(Matrix::<f32>::from_graph(&graph).unwrap().values()[0], 0.1);
    for weight in ["1e300", "1e-300"] {
        let graph = generated(&format!("path:n=3,weights={weight}..{weight}"));
        assert!(Matrix::<f32>::from_graph(&graph).is_err());
        let kept = Matrix::<f64>::from_graph(&graph).unwrap().values()[0];
        assert_eq!(kept.to_string(), weight.parse::<f64>().unwrap().to_string());
    }
}
