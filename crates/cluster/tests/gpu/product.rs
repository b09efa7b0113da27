//! Products and PageRank on GPUs.

use equipoise_cluster::{PageRankOptions, SpmvOptions, gpu, pagerank, spmv};
use proptest::prelude::*;

use crate::{cases, gpu_of, on_ranks, whole::wholes};

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn products_are_near_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, seed in any::<u64>()) {
        let options = SpmvOptions { repeats: 2, seed };
        on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let found = gpu::spmv(comm, &graph, &gpu_of(comm), &options).unwrap();
            found.verify(comm, &graph).unwrap();
            let expected = spmv(comm, &graph, &options).unwrap();
            assert_eq!((found.y.len(), found.trace.steps.len()), (expected.y.len(), 2));
            for row in 0..found.y.len() {
                let [found, expected] = [&found, &expected].map(|product| product.y.get(row).unwrap());
                // At most 120 terms, each below 9.
                assert!((found - expected).abs() <= 1e-3, "row {row}: {found}, not {expected}");
            }
        });
    }

    #[test]
    fn ranks_are_near_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, unweighted in any::<bool>()) {
        let negative = matches!(whole.weights, Some(equipoise_graph::Weights::F64(_)));
        let options = PageRankOptions { unweighted: unweighted || negative, ..PageRankOptions::default() };
        on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let found = gpu::pagerank(comm, &graph, &gpu_of(comm), &options).unwrap();
            found.verify(comm, &graph, &options).unwrap();
            let expected = pagerank(comm, &graph, &options).unwrap();
            assert_eq!(found.iterations, expected.iterations);
            for (found, expected) in found.ranks.iter().zip(&expected.ranks) {
                assert!((found - expected).abs() <= 1e-12, "{found}, not {expected}");
            }
        });
    }
}
