//! Shortest paths on GPUs.

use equipoise_cluster::{Alone, DistGraph, EdgeSlice, SsspOptions, gpu, sssp};
use equipoise_graph::Weights;
use proptest::prelude::*;

use super::{cases, gpu_of, on_ranks};
use crate::whole::{Whole, wholes};

/// Some whole weights are 0, so that distances may be equal along a path.
fn with_zeros(mut whole: Whole) -> Whole {
    if let Some(Weights::U32(weights)) = &whole.weights {
        whole.weights = Some(weights.iter().map(|weight| weight % 3).collect::<Vec<u32>>().into());
    }
    whole
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn distances_are_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, source in any::<u64>()) {
        prop_assume!(whole.vertices > 0 && !matches!(whole.weights, Some(Weights::F64(_))));
        let (whole, source) = (with_zeros(whole.clone()), source % whole.vertices);
        let options = SsspOptions::default();
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let paths = gpu::ShortestPaths::new(comm, &graph, &gpu_of(comm), &options).unwrap();
            // The second search must not depend on the first.
            paths.search(0).unwrap().verify(comm, &graph).unwrap();
            let result = paths.search(source).unwrap();
            result.verify(comm, &graph).unwrap();
            (result.distances, sssp(comm, &graph, source, &options).unwrap().distances)
        });
        for (result, expected) in pairs {
            prop_assert_eq!(result, expected);
        }
    }
}

#[test]
fn what_does_not_fit_32_bits_is_refused() {
    let refused = |weights: Weights| {
        let weights = Some(weights);
        let slice =
            EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], weights, ..EdgeSlice::new(3) };
        let graph = DistGraph::build(&Alone, slice).unwrap();
        let options = SsspOptions::default();
        let paths = gpu::ShortestPaths::new(&Alone, &graph, &gpu_of(&Alone), &options);
        paths.and_then(|paths| paths.search(0)).unwrap_err().to_string()
    };
    let whole = refused(vec![u32::MAX - 1, 1].into());
    assert!(whole.starts_with("the distance of vertex 2 needs more than the 32 bits"), "{whole}");
    let real = refused(vec![f32::MAX, f32::MAX].into());
    assert!(real.contains('2'), "{real}");
    let wide = refused(vec![1.0f64, 1.0].into());
    assert!(wide.contains("these have 64 (f64): use the cpu"), "{wide}");
}
