//! Colors on GPUs.

use equipoise_cluster::{Alone, ColorOptions, DistGraph, EdgeSlice, color, gpu};
use proptest::prelude::*;

use crate::{cases, gpu_of, on_ranks, whole::wholes};

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn colors_are_those_of_the_cpu(whole in wholes(), ranks in 1..4usize, seed in any::<u64>()) {
        let options = ColorOptions { seed };
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let found = gpu::color(comm, &graph, &gpu_of(comm), &options).unwrap();
            found.verify(comm, &graph).unwrap();
            let expected = color(comm, &graph, &options).unwrap();
            ((found.colors, found.count), (expected.colors, expected.count))
        });
        for (found, expected) in pairs {
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_vertex_may_need_more_colors_than_a_word_has_bits() {
    let pairs = (0..40u64).flat_map(|one| (0..one).map(move |other| (one, other)));
    let (sources, targets) = pairs.unzip();
    let slice = EdgeSlice { sources, targets, ..EdgeSlice::of(40) };
    let complete = DistGraph::build(&Alone, slice).unwrap();
    let found = gpu::color(&Alone, &complete, &gpu_of(&Alone), &ColorOptions::default()).unwrap();
    assert_eq!(found.count, 40);
    found.verify(&Alone, &complete).unwrap();
}
