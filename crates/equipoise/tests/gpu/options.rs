//! Extreme numbers in the options of colors and of products on a GPU.

use crate::{
    common::{color_on, device},
    graphs::generated,
    sweep::{ends_well, swept},
};
use equipoise::{
    LoadedMatrix,
    color::{ColorOptions, ColorStrategy},
    graph::Matrix,
    sparse::{Dense, SparseOptions, SparseSchedule},
};

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
fn products() {
    let entries: Vec<_> = (0..40u32).map(|e| (e * 7 % 12, e * e % 12, e as f32)).collect();
    let matrix = Matrix::from_entries(12, 12, &entries).unwrap();
    let (x, dense) = (vec![1.0; 12], Dense::new(12, 2, vec![1.0; 24]).unwrap());
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    for &schedule in SparseSchedule::ALL {
        let base = SparseOptions { schedule, ..SparseOptions::default() };
        let mut all = swept(&base);
        let largest = SparseOptions { group: Some(1 << 10), coarsening: Some(1 << 16), ..base };
        all.push(("the largest".into(), largest));
        for (change, options) in all {
            let what = format!("{schedule} {change}");
            ends_well(&what, || loaded.spmv(&options)?.run(&x)?.verify(&matrix, &x));
            ends_well(&what, || loaded.spmm(2, &options)?.run(&dense)?.verify(&matrix, &dense));
        }
    }
    for (change, options) in swept(&SparseOptions::default()) {
        let run = || loaded.spgemm(&loaded, &options)?.run()?.verify(&matrix, &matrix);
        ends_well(change, run);
    }
}
