//! Extreme numbers in options on a GPU.

use crate::{
    common::{color_on, device, generated_in_32_bits},
    graphs::generated,
    sweep::{algorithms_end_well, ends_well, products_end_well},
};
use equipoise::color::{ColorOptions, ColorStrategy};

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn the_largest_options_of_colors() {
    let (graph, device) = (generated("er:n=20,m=60,weights=1..9"), device());
    let (queues, passes) = (Some(1 << 12), Some(1 << 10));
    for strategy in [ColorStrategy::WorkStealing, ColorStrategy::Speculative] {
        let options = ColorOptions { strategy, queues, passes, ..ColorOptions::default() };
        let run = || color_on(&device, &graph, &options)?.verify(&graph);
        assert!(ends_well(strategy, run), "{strategy}");
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn every_number_gives_a_verified_result_or_an_error() {
    algorithms_end_well(&device(), &generated("er:n=20,m=60,weights=1..9"));
    algorithms_end_well(&device(), &generated_in_32_bits("er:n=20,m=60,weights=0.5..9.5"));
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn products() {
    products_end_well(&device());
}
