//! Components on GPUs.

use equipoise_cluster::{ComponentsOptions, components, gpu};
use proptest::prelude::*;

use super::{cases, gpu_of, on_ranks};
use crate::whole::wholes;

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn labels_are_those_of_the_cpu(whole in wholes(), ranks in 1..4usize) {
        let options = ComponentsOptions::default();
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let result = gpu::components(comm, &graph, &gpu_of(comm), &options).unwrap();
            result.verify(comm, &graph).unwrap();
            (result.labels, components(comm, &graph, &options).unwrap().labels)
        });
        for (result, expected) in pairs {
            prop_assert_eq!(result, expected);
        }
    }
}
