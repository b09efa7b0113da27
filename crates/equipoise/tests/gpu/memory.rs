//! Little memory on a GPU: whatever the limit, a result is verified or refused with both numbers.

use crate::on::apsp_on;
use crate::on::color_on;
use equipoise::{
    Error, LoadedGraph, LoadedMatrix, Result,
    apsp::{ApspOptions, ApspStrategy},
    bfs::BfsOptions,
    color::{ColorOptions, ColorStrategy},
    device::OpenDevice,
    graph::{Graph, Matrix},
    sparse::{Dense, SparseOptions, SparseSchedule},
    sssp::SsspOptions,
};
use equipoise_schedule::Error as DeviceError;

use super::search::{bfs_strategies, device, directed, made, sssp_strategies, with_memory};

/// Limits from nothing to what is enough, closer to each other where it gets interesting.
fn limits(enough: u64) -> impl Iterator<Item = u64> {
    let powers = (0..).map(|power| 1u64 << (3 * power)).take_while(move |&limit| limit < enough);
    powers.chain((1..8).map(move |part| enough * part / 8)).chain([0, enough - 1, enough])
}

/// What a run needs and has, if it was refused for memory before anything was allocated.
fn refusal(result: &Result<()>) -> Option<(u64, u64)> {
    match result {
        Ok(()) => None,
        Err(Error::Device(DeviceError::OutOfMemory { what, needed, available })) => {
            assert!(needed > available, "{what} needs {needed} of {available}");
            assert_ne!(what, "a buffer", "started without {needed} bytes of {available}");
            Some((*needed, *available))
        }
        Err(error) => panic!("{error}"),
    }
}

/// Demands that all pairs are solved and verified where there is memory for the least that they say
/// they need, and refused before they start where there is not.
fn all_pairs(graph: &Graph, options: &ApspOptions, enough: u64) {
    let with_limit = |limit| apsp_on(&with_memory(limit), graph, options)?.verify(graph);
    let by_option = |limit| {
        let options = ApspOptions { memory_limit: Some(limit), ..options.clone() };
        apsp_on(&device(), graph, &options)?.verify(graph)
    };
    let (needed, _) = refusal(&with_limit(0)).unwrap();
    for limit in limits(enough).chain([needed - 1, needed]) {
        for result in [with_limit(limit), by_option(limit)] {
            let refused = refusal(&result);
            assert_eq!(refused.is_some(), limit < needed, "{options:?}, {limit}: {result:?}");
        }
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn all_pairs_with_any_memory() {
    let whole = made("er:n=300,m=900,directed=true,weights=0..9");
    let real = directed(150, (0..600u32).map(|e| (e * 7 % 149, e * e % 150, 0.5f32)).collect());
    for graph in [&whole, &real] {
        for strategy in [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp] {
            for next_hops in [false, true] {
                let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
                all_pairs(graph, &options, 3_000_000);
            }
        }
    }
    // What is chosen depends on the memory, too.
    all_pairs(&whole, &ApspOptions::default(), 3_000_000);
    let some = ApspOptions { sources: Some(vec![5, 9, 250]), ..ApspOptions::default() };
    all_pairs(&whole, &some, 100_000);
}

/// Demands that a run is verified or refused with both numbers at every limit, and verified at the
/// largest.
fn any_limit(what: &str, enough: u64, run: impl Fn(&OpenDevice) -> Result<()>) {
    for limit in limits(enough) {
        match run(&with_memory(limit)) {
            Ok(()) => {}
            Err(Error::Device(DeviceError::OutOfMemory { needed, available, .. })) => {
                assert!(needed > available && limit < enough, "{what}: {needed} of {available}");
            }
            Err(error) => panic!("{what} with {limit} bytes: {error}"),
        }
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn searches_with_any_memory() {
    let graph = made("er:n=200,m=800,directed=true,weights=1..9");
    for strategy in bfs_strategies() {
        let options = BfsOptions { strategy, ..BfsOptions::default() };
        any_limit(strategy.name(), 60_000, |open| {
            LoadedGraph::new(open, &graph)?.bfs(0, &options)?.download()?.verify(&graph, &options)
        });
    }
    for strategy in sssp_strategies() {
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        any_limit(strategy.name(), 80_000, |open| {
            LoadedGraph::new(open, &graph)?.sssp(0, &options)?.download()?.verify(&graph, &options)
        });
    }
    let options = BfsOptions::default();
    any_limit("a batch", 200_000, |open| {
        let there = LoadedGraph::new(open, &graph)?;
        let searches = there.bfs_batch(&[0, 3, 199], &options)?;
        searches.iter().try_for_each(|search| search.verify(&graph, &options))
    });
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn colors_with_any_memory() {
    let graph = made("er:n=200,m=800");
    let of_gpu = |&&strategy: &&ColorStrategy| {
        !matches!(strategy, ColorStrategy::Greedy | ColorStrategy::LargestDegreeFirst)
    };
    for &strategy in ColorStrategy::ALL.iter().filter(of_gpu) {
        let options = ColorOptions { strategy, ..ColorOptions::default() };
        any_limit(strategy.name(), 80_000, |open| color_on(open, &graph, &options)?.verify(&graph));
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn products_with_any_memory() {
    let entries: Vec<_> = (0..900u32).map(|e| (e * 7 % 120, e * e % 120, e as f32)).collect();
    let matrix = Matrix::from_entries(120, 120, &entries).unwrap();
    let (x, dense) = (vec![1.0; 120], Dense::new(120, 8, vec![1.0; 960]).unwrap());
    for &schedule in SparseSchedule::ALL {
        let options = SparseOptions { schedule, ..SparseOptions::default() };
        any_limit(schedule.name(), 60_000, |open| {
            LoadedMatrix::new(open, &matrix)?.spmv(&options)?.run(&x)?.verify(&matrix, &x)
        });
        any_limit(schedule.name(), 80_000, |open| {
            let there = LoadedMatrix::new(open, &matrix)?;
            there.spmm(8, &options)?.run(&dense)?.verify(&matrix, &dense)
        });
    }
    any_limit("spgemm", 4_000_000, |open| {
        let there = LoadedMatrix::new(open, &matrix)?;
        there.spgemm(&there, &SparseOptions::default())?.run()?.verify(&matrix, &matrix)
    });
}
