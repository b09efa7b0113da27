//! Limits of memory on a GPU: a result is verified, or refused with both numbers.

use equipoise::{
    Error, LoadedGraph, LoadedMatrix, Result,
    apsp::{ApspOptions, ApspStrategy},
    bfs::BfsOptions,
    device::OpenDevice,
    graph::{Graph, Matrix},
    sparse::{Dense, SparseOptions, SparseSchedule},
};
use equipoise_schedule::Error as DeviceError;

use crate::{
    common::{apsp_on, device, directed, with_memory},
    graphs::generated,
};

/// Limits from nothing to enough: powers of 8, and eighths of what is enough.
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

/// Requires that all pairs are verified with at least the memory that the first refusal says is needed, and refused before
/// they start with less.
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
    let whole = generated("er:n=300,m=900,directed=true,weights=0..9");
    let real = directed(150, (0..600u32).map(|e| (e * 7 % 149, e * e % 150, 0.5f32)).collect());
    for graph in [&whole, &real] {
        for strategy in [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp] {
            for next_hops in [false, true] {
                let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
                all_pairs(graph, &options, 3_000_000);
            }
        }
    }
    // The automatic choice depends on the memory.
    all_pairs(&whole, &ApspOptions::default(), 3_000_000);
    let rows = ApspOptions { sources: Some(vec![5, 9, 250]), ..ApspOptions::default() };
    all_pairs(&whole, &rows, 100_000);
}

/// Requires that a run is verified or refused with both numbers at every limit, and verified at the
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
fn batches_of_searches_with_any_memory() {
    let graph = generated("er:n=200,m=800,directed=true,weights=1..9");
    let options = BfsOptions::default();
    any_limit("a batch", 200_000, |device| {
        let loaded = LoadedGraph::new(device, &graph)?;
        let searches = loaded.bfs_batch(&[0, 3, 199], &options)?;
        searches.iter().try_for_each(|search| search.verify(&graph, &options))
    });
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn products_with_any_memory() {
    let entries: Vec<_> = (0..900u32).map(|e| (e * 7 % 120, e * e % 120, e as f32)).collect();
    let matrix = Matrix::from_entries(120, 120, &entries).unwrap();
    let (x, dense) = (vec![1.0; 120], Dense::new(120, 8, vec![1.0; 960]).unwrap());
    for &schedule in SparseSchedule::ALL {
        let options = SparseOptions { schedule, ..SparseOptions::default() };
        any_limit(schedule.name(), 60_000, |device| {
            LoadedMatrix::new(device, &matrix)?.spmv(&options)?.run(&x)?.verify(&matrix, &x)
        });
        any_limit(schedule.name(), 80_000, |device| {
            let loaded = LoadedMatrix::new(device, &matrix)?;
            loaded.spmm(8, &options)?.run(&dense)?.verify(&matrix, &dense)
        });
    }
    any_limit("spgemm", 4_000_000, |device| {
        let loaded = LoadedMatrix::new(device, &matrix)?;
        loaded.spgemm(&loaded, &SparseOptions::default())?.run()?.verify(&matrix, &matrix)
    });
}
