//! Distances beyond `f32` are refused, not reported as unreachable.

use equipoise::{
    Distances, Error, Result,
    apsp::{ApspOptions, ApspStrategy, PairDistances, apsp},
    graph::{Graph, WeightType, io::ReadOptions, load},
    sssp::{SsspOptions, sssp},
    traversal::Strategy,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph},
    oracles::all_distances,
};

const SSSP: [Strategy; 2] = [Strategy::Delta, Strategy::Dijkstra];
const APSP: [ApspStrategy; 3] = [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn directed(vertices: u32, edges: Vec<(u32, u32, f32)>) -> Graph {
    graph(vertices, edges, false)
}

fn long_path() -> Graph {
    let options = ReadOptions { weights: WeightType::F32, ..ReadOptions::default() };
    load("path:n=6,weights=3e38..3.4e38", &options).unwrap()
}

/// Both kinds of all pairs, by every strategy.
fn all_pairs() -> impl Iterator<Item = ApspOptions> {
    let options = |strategy, next_hops| ApspOptions { strategy, next_hops, ..Default::default() };
    APSP.into_iter().flat_map(move |strategy| [false, true].map(|hops| options(strategy, hops)))
}

fn is_refused<T>(result: Result<T>) -> bool {
    matches!(result, Err(Error::TooFar { .. }))
}

#[test]
fn every_strategy_refuses_infinite_distances() {
    let graph = long_path();
    for strategy in SSSP {
        for target in [None, Some(5)] {
            let options = SsspOptions { strategy, target, ..SsspOptions::default() };
            assert!(is_refused(sssp(&graph, 0, &options)), "{strategy} {target:?}");
        }
    }
    for options in all_pairs() {
        assert!(is_refused(apsp(&graph, &options)), "{options:?}");
    }
    let sources = ApspOptions { sources: Some(vec![3, 0]), ..ApspOptions::default() };
    assert!(is_refused(apsp(&graph, &sources)));
}

#[test]
fn the_error_has_the_vertices_and_a_remedy() {
    let error = sssp(&long_path(), 0, &SsspOptions::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        "the distance from vertex 0 to vertex 2 does not fit the numbers of 32 bits that weights \
         are given in, up to 3.4e38: divide all weights by the same number"
    );
}

#[test]
fn equal_weights_are_refused_too() {
    let ring = directed(3, vec![(0, 1, f32::MAX), (1, 2, f32::MAX), (2, 0, f32::MAX)]);
    for options in all_pairs() {
        assert!(is_refused(apsp(&ring, &options)), "{options:?}");
    }
}

#[test]
fn nearer_targets_and_shorter_paths_are_not_refused() {
    // The sum over 1 is infinite, the edge to 2 is not; no path leads to 3.
    let graph = directed(4, vec![(0, 1, f32::MAX), (1, 2, f32::MAX), (0, 2, 7.0), (3, 0, 1.0)]);
    for strategy in SSSP {
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        let paths = sssp(&graph, 0, &options).unwrap();
        paths.verify(&graph, &options).unwrap();
        assert_eq!(paths.distances, Distances::F32(vec![0.0, f32::MAX, 7.0, f32::INFINITY]));
        let near = SsspOptions { strategy, target: Some(1), ..SsspOptions::default() };
        let paths = sssp(&long_path(), 0, &near).unwrap();
        paths.verify(&long_path(), &near).unwrap();
        assert!(paths.distances.get(1).is_some());
    }
    let from_zero = ApspOptions { sources: Some(vec![0]), ..ApspOptions::default() };
    let row = apsp(&graph, &from_zero).unwrap();
    row.verify(&graph).unwrap();
    assert_eq!(row.distance(0, 2), Some(7.0));
}

#[test]
fn the_verifier_distinguishes_infinity_from_no_path() {
    let graph = long_path();
    let options = SsspOptions { target: Some(1), ..SsspOptions::default() };
    // Right only for target 1.
    let paths = sssp(&graph, 0, &options).unwrap();
    paths.verify(&graph, &options).unwrap();
    assert!(paths.verify(&graph, &SsspOptions::default()).is_err());

    let scaled = generated("path:n=6,weights=3..3.4");
    let mut pairs = apsp(&scaled, &ApspOptions::default()).unwrap();
    let lengths: Vec<f32> = (0..36)
        .map(|pair: u32| match (pair / 6).abs_diff(pair % 6) {
            1 => graph.weights().unwrap().get(0) as f32,
            0 => 0.0,
            _ => f32::INFINITY,
        })
        .collect();
    pairs.distances = PairDistances::F32(lengths.into());
    assert!(pairs.verify(&graph).is_err());
}

proptest! {
    #[test]
    fn refused_exactly_where_a_double_is_too_large(
        edges in prop::collection::vec((0u32..7, 0u32..7, prop::sample::select(vec![
            0.0f32, 1.0, 1e38, 1.6e38, 2e38, 3e38,
        ])), 0..20),
    ) {
        let graph = directed(7, edges);
        let wide = all_distances(&graph, true);
        let too_far = |distance: &f64| *distance > 3.5e38 && *distance < f64::INFINITY;
        let near_the_limit = |distance: &f64| (3.4e38..=3.5e38).contains(distance);
        prop_assume!(!wide.iter().flatten().any(near_the_limit));
        for strategy in SSSP {
            let options = SsspOptions { strategy, ..SsspOptions::default() };
            let result = sssp(&graph, 0, &options);
            let refused = is_too_far(result.map(|result| result.verify(&graph, &options).unwrap()));
            prop_assert_eq!(refused, wide[0].iter().any(too_far));
        }
        for options in all_pairs() {
            let result = apsp(&graph, &options);
            let refused = is_too_far(result.map(|result| result.verify(&graph).unwrap()));
            prop_assert_eq!(refused, wide.iter().flatten().any(too_far));
        }
    }
}

/// Whether a run was refused because of a distance; panics on other errors.
fn is_too_far(result: Result<()>) -> bool {
    match result {
        Ok(()) => false,
        Err(Error::TooFar { .. }) => true,
        Err(error) => panic!("{error}"),
    }
}
