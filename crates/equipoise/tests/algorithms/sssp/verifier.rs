//! Wrong results that mutants of small weights do not contain.

use equipoise::{
    Distances, NONE,
    graph::Weights,
    sssp::{Sssp, SsspOptions},
};

use super::{graph, verified};

#[test]
fn a_distance_beyond_32_bits_is_not_unreached() {
    let far = graph(3, vec![(0, 1, u32::MAX - 1), (1, 2, 5)], false);
    let right = verified(&far, 0, &SsspOptions::default());
    let distances = Distances::U32(vec![0, u32::MAX - 1, u32::MAX]);
    let predecessors = vec![0, 0, NONE];
    let wrong = Sssp { distances, predecessors, reached: 2, edges: 2, ..right };
    assert!(wrong.verify(&far, &SsspOptions::default()).is_err());
}

#[test]
fn distances_by_other_weights_are_wrong() {
    let edges =
        vec![(0, 1, 4u32), (0, 4, 9), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 2), (5, 0, 1)];
    let light = graph(6, edges, false);
    let paths = verified(&light, 0, &SsspOptions::default());
    let weights = Weights::from(vec![4u32, 9, 1, 0, 0, 2, 1]);
    let heavy = light.with_weights(Some(weights)).unwrap();
    assert!(paths.verify(&heavy, &SsspOptions::default()).is_err());
}
