//! Products and PageRank on GPUs.

use equipoise_cluster::{PageRankOptions, SpmvOptions, gpu, pagerank, spmv};
use proptest::prelude::*;

use super::{cases, gpu_of, on_ranks};
use crate::whole::wholes;

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn products_are_near_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, seed in any::<u64>()) {
        let options = SpmvOptions { repeats: 2, seed };
        on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let result = gpu::spmv(comm, &graph, &gpu_of(comm), &options).unwrap();
            result.verify(comm, &graph).unwrap();
            let expected = spmv(comm, &graph, &options).unwrap();
            assert_eq!((result.y.len(), result.trace.steps.len()), (expected.y.len(), 2));
            for row in 0..result.y.len() {
                let [result, expected] = [&result, &expected].map(|product| product.y.get(row).unwrap());
                // At most 120 terms, each below 9.
                assert!((result - expected).abs() <= 1e-3, "row {row}: {result}, not {expected}");
            }
        });
    }

    #[test]
    fn ranks_are_near_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, unweighted in any::<bool>()) {
        let negative = matches!(whole.weights, Some(equipoise_graph::Weights::F64(_)));
        let options = PageRankOptions { unweighted: unweighted || negative, ..PageRankOptions::default() };
        on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let result = gpu::pagerank(comm, &graph, &gpu_of(comm), &options).unwrap();
            result.verify(comm, &graph, &options).unwrap();
            let expected = pagerank(comm, &graph, &options).unwrap();
            assert_eq!(result.iterations, expected.iterations);
            for (result, expected) in result.ranks.iter().zip(&expected.ranks) {
                assert!((result - expected).abs() <= 1e-12, "{result}, not {expected}");
            }
        });
    }
}
