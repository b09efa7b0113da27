//! Components on GPUs.

use equipoise_cluster::{ComponentsOptions, components, gpu};
use proptest::prelude::*;

use crate::{cases, gpu_of, on_ranks, whole::wholes};

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn labels_are_those_of_the_cpu(whole in wholes(), ranks in 1..4usize) {
        let options = ComponentsOptions::default();
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let found = gpu::components(comm, &graph, &gpu_of(comm), &options).unwrap();
            found.verify(comm, &graph).unwrap();
            (found.labels, components(comm, &graph, &options).unwrap().labels)
        });
        for (found, expected) in pairs {
            prop_assert_eq!(found, expected);
        }
    }
}
