//! Colors on GPUs.

use equipoise_cluster::{Alone, ColorOptions, DistGraph, EdgeSlice, color, gpu};
use proptest::prelude::*;

use super::{cases, gpu_of, on_ranks};
use crate::whole::wholes;

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn colors_are_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, seed in any::<u64>()) {
        let options = ColorOptions { seed };
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let result = gpu::color(comm, &graph, &gpu_of(comm), &options).unwrap();
            result.verify(comm, &graph).unwrap();
            let expected = color(comm, &graph, &options).unwrap();
            ((result.colors, result.count), (expected.colors, expected.count))
        });
        for (result, expected) in pairs {
            prop_assert_eq!(result, expected);
        }
    }
}

#[test]
fn a_vertex_may_need_more_colors_than_a_word_has_bits() {
    let pairs = (0..40u64).flat_map(|one| (0..one).map(move |other| (one, other)));
    let (sources, targets) = pairs.unzip();
    let slice = EdgeSlice { sources, targets, ..EdgeSlice::new(40) };
    let complete = DistGraph::build(&Alone, slice).unwrap();
    let result = gpu::color(&Alone, &complete, &gpu_of(&Alone), &ColorOptions::default()).unwrap();
    assert_eq!(result.count, 40);
    result.verify(&Alone, &complete).unwrap();
}
