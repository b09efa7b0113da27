//! The memory that algorithms and verifiers allocate, compared with the amount that they request beforehand.
//!
//! A separate program, because its allocator counts. A low limit of the process makes a request fail, and the error says its
//! size: nothing may be allocated before.

#![cfg(target_os = "linux")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

#[path = "../../../graph/tests/memory/allocator.rs"]
mod allocator;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise::{
    Error, Result,
    apsp::{ApspOptions, ApspStrategy, apsp},
    bfs::{BfsOptions, bfs_many},
    color::{ColorOptions, ColorStrategy, color},
    graph::{self, Graph, Matrix, io::ReadOptions, load, load_matrix},
    sparse::{Dense, SparseOptions, spgemm, spmm, spmv},
    sssp::{SsspOptions, sssp, sssp_many},
    traversal::Strategy,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use allocator::measured;

/// What the process may still allocate while requests are to fail: enough for small allocations.
const ROOM: u64 = 1 << 20;
/// Small allocations that no request contains: threads, traces, parts of the work.
const SMALL: u64 = 256 << 10;

fn generated(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

fn matrix(spec: &str) -> Matrix<f32> {
    load_matrix(spec, &ReadOptions::default()).unwrap()
}

/// The bytes that a refusal says are needed.
fn needed(refused: Result<()>) -> u64 {
    match refused.unwrap_err() {
        Error::Graph(graph::Error::OutOfMemory { needed, available, .. }) => {
            assert!(needed > available);
            needed
        }
        error => panic!("{error}"),
    }
}

/// The bytes that `work` requests.
fn requested(work: impl Fn() -> Result<()>) -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = pages.split_ascii_whitespace().nth(5).unwrap().parse().unwrap();
    let usual = getrlimit(Resource::Data);
    let current = Some(pages * rustix::param::page_size() as u64 + ROOM);
    setrlimit(Resource::Data, Rlimit { current, ..usual }).unwrap();
    let (refused, taken) = measured(work);
    setrlimit(Resource::Data, usual).unwrap();
    assert!(taken < SMALL, "{taken} bytes were allocated before the work was refused");
    needed(refused)
}

/// Requires that `work` allocates no more than `requested`, and not much less.
fn compare(what: &str, requested: u64, work: impl Fn() -> Result<()>) {
    // The first run starts threads, which keep their memory.
    work().unwrap();
    let (result, taken) = measured(&work);
    result.unwrap();
    println!("{what}: {taken} bytes allocated, {requested} requested");
    let is_right = taken <= requested + SMALL && requested <= 2 * taken + SMALL;
    FAILED.fetch_add(u32::from(!is_right), Relaxed);
}

/// The number of mismatches.
static FAILED: AtomicU32 = AtomicU32::new(0);

fn allocates_what_it_requests(what: &str, work: impl Fn() -> Result<()>) {
    compare(what, requested(&work), work);
}

/// One test: no other thread may allocate meanwhile.
#[test]
fn allocations_are_what_was_requested() {
    searches();
    colors();
    products();
    all_pairs();
    verifiers();
    assert_eq!(FAILED.load(Relaxed), 0, "some allocated more than they requested, or far less");
}

fn searches() {
    let whole = generated("er:n=120000,m=360000,weights=1..1000");
    let real = generated("er:n=120000,m=360000,weights=0.5..100.0");
    for sources in [&[0][..], &[0, 7, 9]] {
        allocates_what_it_requests("bfs", || {
            bfs_many(&whole, sources, &BfsOptions::default()).map(drop)
        });
    }
    for strategy in [Strategy::Delta, Strategy::Dijkstra] {
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        for (graph, sources) in [(&whole, &[0][..]), (&real, &[0]), (&whole, &[0, 7, 9])] {
            let work = || sssp_many(graph, sources, &options).map(drop);
            allocates_what_it_requests(&format!("{strategy} from {sources:?}"), work);
        }
    }
}

fn colors() {
    let graph = generated("er:n=120000,m=360000");
    for &strategy in ColorStrategy::ALL.iter().filter(|&&it| it != ColorStrategy::WorkStealing) {
        let options = ColorOptions { strategy, ..ColorOptions::default() };
        allocates_what_it_requests(strategy.name(), || color(&graph, &options).map(drop));
    }
}

fn products() {
    let (tall, options) =
        (matrix("band:rows=400000,columns=900,width=2"), SparseOptions::default());
    let x = vec![1.0; 900];
    allocates_what_it_requests("spmv", || spmv(&tall, &x, &options).map(drop));
    let dense = Dense::new(900, 8, vec![1.0; 7200]).unwrap();
    allocates_what_it_requests("spmm", || spmm(&tall, &dense, &options).map(drop));
    let square = matrix("er:n=60000,m=180000");
    let multiply = || spgemm(&square, &square, &options).map(drop);
    // The product is requested when its size is known.
    let product = spgemm(&square, &square, &options).unwrap().product;
    let of_product = product.entries() * 8;
    drop(product);
    compare("spgemm", requested(multiply) + of_product, multiply);
}

fn all_pairs() {
    let graph = generated("er:n=600,m=4000,weights=1..100");
    for strategy in [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp] {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            let tight = ApspOptions { memory_limit: Some(1), ..options.clone() };
            let requested = needed(apsp(&graph, &tight).map(drop));
            let what = format!("{strategy}, hops {next_hops}");
            compare(&what, requested, || apsp(&graph, &options).map(drop));
        }
    }
}

fn verifiers() {
    let flat = generated("er:n=400000,m=800000,weights=0..2");
    let options = SsspOptions::default();
    let paths = sssp(&flat, 0, &options).unwrap();
    allocates_what_it_requests("paths", || paths.verify(&flat, &options));
    drop(paths);

    let graph = generated("er:n=50000,m=200000,weights=1..100");
    let some = ApspOptions { sources: Some((0..20).collect()), ..ApspOptions::default() };
    let rows = apsp(&graph, &some).unwrap();
    allocates_what_it_requests("rows", || rows.verify(&graph));
    drop(rows);

    // One row with all multiplications. Plain sums of infinite products prove nothing.
    for (what, columns, first) in
        [("plain sums", 200_000, 1.0), ("sorted products", 5, f32::INFINITY)]
    {
        let weight = |column| if column == 0 { first } else { 1.0 };
        let wide: Vec<_> = (0..200_000).map(|column| (0, column, weight(column))).collect();
        let wide = Matrix::from_entries(2, 200_000, &wide).unwrap();
        let one: Vec<_> = (0..200_000).map(|row| (row, row % columns, 1.0f32)).collect();
        let one = Matrix::from_entries(200_000, columns, &one).unwrap();
        let product = spgemm(&wide, &one, &SparseOptions::default()).unwrap();
        allocates_what_it_requests(what, || product.verify(&wide, &one));
    }
}
