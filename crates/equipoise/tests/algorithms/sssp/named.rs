//! Small graphs with answers written by hand.

use equipoise::{
    Distances, Error, NONE,
    sssp::{SsspOptions, sssp, sssp_many},
};

use super::{all_options, distances, expected, graph, in_pool, path5, verified};
use crate::graphs::generated;

#[test]
fn path_of_five_vertices() {
    for options in all_options(None) {
        let paths = verified(&path5(), 0, &options);
        assert_eq!(paths.distances, Distances::U32(vec![0, 2, 5, 10, 17]));
        assert_eq!(paths.predecessors, [0, 0, 1, 2, 3]);
        assert_eq!((paths.reached, paths.edges), (5, 8));
        assert_eq!(paths.path_to(3), Some(vec![0, 1, 2, 3]));
    }
}

#[test]
fn star_with_a_million_leaves() {
    let edges = (1..=1_000_000u32).map(|leaf| (0, leaf, leaf % 1000));
    let star = graph(1_000_001, edges.collect::<Vec<_>>(), true);
    let paths = in_pool(2, || verified(&star, 7, &Default::default()));
    assert_eq!(paths.reached, 1_000_001);
    assert_eq!(paths.distances.get(999), Some(1006.0));
    assert_eq!(paths.path_to(9), Some(vec![7, 0, 9]));
}

#[test]
fn vertices_and_delta_out_of_range() {
    let fails = |source, options: SsspOptions| sssp(&path5(), source, &options).unwrap_err();
    let error = fails(5, SsspOptions::default()).to_string();
    assert_eq!(error, "vertex 5 does not exist: the graph has 5 vertices");
    let error = fails(0, SsspOptions { target: Some(8), ..Default::default() });
    assert!(matches!(error, Error::NoSuchVertex { vertex: 8, .. }));
    for delta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = fails(0, SsspOptions { delta: Some(delta), ..Default::default() });
        assert!(matches!(error, Error::Option(_)), "{delta}");
    }
    let empty = generated("isolated:n=0");
    assert!(sssp(&empty, 0, &Default::default()).is_err());
    assert!(sssp_many(&empty, &[], &Default::default()).unwrap().is_empty());
}

#[test]
fn weights_that_shortest_paths_cannot_have() {
    for bad in [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let graph = graph(3, vec![(0, 1, 1.0), (0, 2, 2.0), (2, 1, bad)], false);
        for options in all_options(None) {
            let error = sssp(&graph, 0, &options).unwrap_err();
            let is_edge = |a: &str, b: &str| (a, b) == ("2", "1");
            assert!(
                matches!(&error, Error::BadWeight { source_id, target_id, .. } if is_edge(source_id, target_id)),
                "{bad}: {error}"
            );
        }
    }
    let fine = graph(2, vec![(0, 1, -0.0f32)], false);
    assert_eq!(verified(&fine, 0, &Default::default()).distances.get(1), Some(0.0));
}

#[test]
fn sums_too_large_for_32_bits() {
    let big = u32::MAX - 1;
    let far = graph(5, vec![(0, 1, big), (1, 2, big), (2, 3, 0), (3, 2, 0)], false);
    for options in all_options(None) {
        let paths = verified(&far, 0, &options);
        let two = 2 * u64::from(big);
        assert_eq!(paths.distances, Distances::U64(vec![0, big.into(), two, two, u64::MAX]));
        assert_eq!(paths.predecessors, [0, 0, 1, 2, NONE]);
    }
    // The sum is the mark of vertices not reached, and one less.
    for (weight, wide) in [(1, true), (0, false)] {
        let edge = graph(3, vec![(0, 1, big), (1, 2, weight)], false);
        for options in all_options(None) {
            let paths = verified(&edge, 0, &options);
            assert_eq!(matches!(paths.distances, Distances::U64(_)), wide);
            assert_eq!(paths.distances.get(2), Some(f64::from(big) + f64::from(weight)));
        }
    }
    // A long way that does not fit, to a vertex with a short one.
    let short = graph(3, vec![(0, 1, big), (1, 2, big), (0, 2, 1)], false);
    let paths = verified(&short, 0, &Default::default());
    assert_eq!(paths.distances, Distances::U32(vec![0, big, 1]));
    // A target nearer than all that does not fit.
    let options = SsspOptions { target: Some(1), ..Default::default() };
    assert!(matches!(verified(&far, 0, &options).distances, Distances::U32(_)));
}

#[test]
fn many_sources_in_one_call() {
    let sources = [4, 0, 2, 0];
    for options in all_options(None) {
        let searches = sssp_many(&path5(), &sources, &options).unwrap();
        for (paths, source) in searches.iter().zip(sources) {
            assert_eq!(paths.source, source);
            assert_eq!(distances(paths), expected(&path5(), source));
        }
    }
}
