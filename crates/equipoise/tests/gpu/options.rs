//! Every number of every option, on a GPU: a verified result or an error, and soon.
#![cfg(feature = "serde")]

#[path = "../support/sweep.rs"]
mod sweep;

use crate::on::apsp_on;
use crate::on::color_on;
use equipoise::{
    LoadedGraph, LoadedMatrix,
    apsp::{ApspOptions, ApspStrategy},
    bfs::BfsOptions,
    color::{ColorOptions, ColorStrategy},
    graph::Matrix,
    sparse::{Dense, SparseOptions, SparseSchedule},
    sssp::SsspOptions,
};
use sweep::{ends_well, swept};

use super::search::{bfs_strategies, device, made, sssp_strategies};

const TINY: &str = "er:n=20,m=60,weights=1..9";

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn searches() {
    let graph = made(TINY);
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    for strategy in bfs_strategies() {
        for (what, options) in swept(&BfsOptions { strategy, ..BfsOptions::default() }) {
            let run = || there.bfs(0, &options)?.download()?.verify(&graph, &options);
            ends_well(format!("{strategy} {what}"), run);
        }
    }
    for (what, options) in swept(&BfsOptions::default()) {
        ends_well(what, || {
            let searches = there.bfs_batch(&[3, 0], &options)?;
            searches.iter().try_for_each(|search| search.verify(&graph, &options))
        });
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn shortest_paths() {
    for graph in [made(TINY), made("er:n=20,m=60,weights=0.5..9.5")] {
        let there = LoadedGraph::new(&device(), &graph).unwrap();
        for strategy in sssp_strategies() {
            let base = SsspOptions { strategy, ..SsspOptions::default() };
            let run =
                |options: &SsspOptions| there.sssp(0, options)?.download()?.verify(&graph, options);
            for (what, options) in swept(&base) {
                ends_well(format!("{strategy} {what}"), || run(&options));
            }
            for delta in [f64::NAN, f64::INFINITY, -0.0] {
                let options = SsspOptions { delta: Some(delta), ..base.clone() };
                assert!(!ends_well(delta, || run(&options)), "a delta of {delta}");
            }
        }
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn all_pairs_and_colors() {
    let (graph, device) = (made(TINY), device());
    for &strategy in ApspStrategy::ALL {
        for (what, options) in swept(&ApspOptions { strategy, ..ApspOptions::default() }) {
            let run = || apsp_on(&device, &graph, &options)?.verify(&graph);
            ends_well(format!("{strategy} {what}"), run);
        }
    }
    for &strategy in ColorStrategy::ALL {
        for (what, options) in swept(&ColorOptions { strategy, ..ColorOptions::default() }) {
            let run = || color_on(&device, &graph, &options)?.verify(&graph);
            ends_well(format!("{strategy} {what}"), run);
        }
    }
    // The largest that are possible.
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
    let there = LoadedMatrix::new(&device(), &matrix).unwrap();
    for &schedule in SparseSchedule::ALL {
        let base = SparseOptions { schedule, ..SparseOptions::default() };
        let mut all = swept(&base);
        let largest = SparseOptions { group: Some(1 << 10), coarsening: Some(1 << 16), ..base };
        all.push(("the largest".into(), largest));
        for (what, options) in all {
            let what = format!("{schedule} {what}");
            ends_well(&what, || there.spmv(&options)?.run(&x)?.verify(&matrix, &x));
            ends_well(&what, || there.spmm(2, &options)?.run(&dense)?.verify(&matrix, &dense));
        }
    }
    for (what, options) in swept(&SparseOptions::default()) {
        let run = || there.spgemm(&there, &options)?.run()?.verify(&matrix, &matrix);
        ends_well(what, run);
    }
}
