//! Cancelled work ends early.

use std::{thread, time::Duration};

use equipoise::{
    betweenness::{BetweennessOptions, betweenness},
    cancel::{Cancel, Cancelled},
    graph::Matrix,
    sparse::{Dense, SparseOptions, spgemm, spmm},
};

use crate::{every_algorithm::ends_early, graphs::generated};

#[test]
fn cancelled_products_end_early() {
    let matrix = Matrix::<f32>::from_graph(&generated("rmat:scale=9")).unwrap();
    let dense = Dense::new(512, 4, vec![1.0; 2048]).unwrap();
    assert!(ends_early(|| spgemm(&matrix, &matrix, &SparseOptions::default())), "spgemm");
    assert!(ends_early(|| spmm(&matrix, &dense, &SparseOptions::default())), "spmm");
}

#[test]
fn cancelled_generators_end_early() {
    assert!(ends_early(|| generated("rmat:scale=9")));
}

/// Without the cancellation it takes hours.
#[test]
fn another_thread_cancels_running_work() {
    let graph = generated("rmat:scale=17");
    let cancel = Cancel::new();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        cancel.run(|| betweenness(&graph, &BetweennessOptions::default()).map(drop))
    });
    assert!(matches!(outcome, Err(Cancelled)));
}

/// Cancels one of two runs: the result of the other is whole.
#[test]
fn a_cancelled_run_does_not_affect_another() {
    let graph = generated("rmat:scale=10");
    let options = BetweennessOptions::default();
    thread::scope(|scope| {
        let other = scope.spawn(|| Cancel::new().run(|| betweenness(&graph, &options)));
        while !other.is_finished() {
            assert!(ends_early(|| betweenness(&graph, &options)));
        }
        other.join().unwrap().unwrap().unwrap().verify(&graph, &options).unwrap();
    });
}
