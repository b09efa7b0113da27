//! Every strategy refuses distances that do not fit the 32 bits of a label.

use equipoise::{
    Error, LoadedGraph, Result,
    apsp::{ApspOptions, ApspStrategy},
    sssp::{SsspOptions, SsspSearch},
};

use crate::common::*;

const APSP: [ApspStrategy; 3] = [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn is_refused<T>(result: Result<T>) -> bool {
    matches!(result, Err(Error::TooFar { .. }))
}

#[test]
fn infinite_sums_are_refused() {
    let graph = generated_in_32_bits("path:n=6,weights=3e38..3.4e38");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    for strategy in sssp_strategies() {
        for target in [None, Some(5)] {
            let options = SsspOptions { strategy, target, ..SsspOptions::default() };
            assert!(
                is_refused(loaded.sssp(0, &options).and_then(SsspSearch::download)),
                "{strategy} {target:?}"
            );
        }
        let near = SsspOptions { strategy, target: Some(1), ..SsspOptions::default() };
        assert_eq!(verified_sssp(&graph, 0, &near).reached, 2, "{strategy}");
    }
    for strategy in APSP {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            assert!(is_refused(apsp_on(&device(), &graph, &options)), "{strategy} {next_hops}");
        }
    }
}

#[test]
fn infinite_sums_of_longer_paths_are_ignored() {
    let edges = vec![(0, 1, f32::MAX), (1, 2, f32::MAX), (0, 2, 7.0), (2, 1, 1.0), (3, 3, 1.0)];
    let graph = directed(4, edges);
    for strategy in sssp_strategies() {
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        assert_eq!(verified_sssp(&graph, 0, &options).distances.get(1), Some(8.0), "{strategy}");
    }
    for strategy in APSP {
        let options = ApspOptions { strategy, ..ApspOptions::default() };
        apsp_on(&device(), &graph, &options).unwrap().verify(&graph).unwrap();
    }
}

#[test]
fn whole_sums_are_refused_unless_they_are_beyond_the_target() {
    let graph = directed(4, vec![(0, 1, u32::MAX - 2), (1, 2, 1), (2, 3, u32::MAX)]);
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    for strategy in sssp_strategies() {
        let to = |target| SsspOptions { strategy, target, ..SsspOptions::default() };
        assert!(is_refused(loaded.sssp(0, &to(None)).and_then(SsspSearch::download)), "{strategy}");
        assert!(
            is_refused(loaded.sssp(0, &to(Some(2))).and_then(SsspSearch::download)),
            "{strategy}"
        );
        assert_eq!(verified_sssp(&graph, 0, &to(Some(1))).reached, 2, "{strategy}");
    }
    assert!(is_refused(apsp_on(&device(), &graph, &ApspOptions::default())));
}
