//! Nested searches in several pools, with more threads than cores, do not deadlock.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

use equipoise::{
    bfs::{BfsOptions, bfs, bfs_pulled_at},
    graph::Graph,
    sssp::{SsspOptions, sssp},
};
use rayon::prelude::*;

use crate::{graphs::generated, in_pool};

/// Far longer than any run, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

/// Wide and narrow levels, which use all ways to distribute a level.
const GRAPHS: [&str; 3] = [
    "rmat:scale=12,weights=1..255",
    "grid:width=150,height=150,drop=0.1,weights=1..1000",
    "star:n=40000,weights=1..9",
];

struct Expected {
    graph: Graph,
    levels: Vec<Vec<u32>>,
    distances: Vec<equipoise::Distances>,
}

const SOURCES: u32 = 6;

fn expected(spec: &str) -> Expected {
    let graph = generated(spec);
    let levels = |source| bfs(&graph, source, &BfsOptions::default()).unwrap().levels;
    let distances = |source| sssp(&graph, source, &SsspOptions::default()).unwrap().distances;
    let (levels, distances) =
        in_pool(1, || ((0..SOURCES).map(levels).collect(), (0..SOURCES).map(distances).collect()));
    Expected { graph, levels, distances }
}

fn search_all(Expected { graph, levels, distances }: &Expected) {
    (0..3 * SOURCES).into_par_iter().for_each(|number| {
        let source = number % SOURCES;
        let (result, paths) = rayon::join(
            || {
                if number % 3 == 0 {
                    bfs_pulled_at(graph, &[source], &|level| level % 2 == 1).unwrap().remove(0)
                } else {
                    bfs(graph, source, &BfsOptions::default()).unwrap()
                }
            },
            || sssp(graph, source, &SsspOptions::default()).unwrap(),
        );
        assert_eq!(result.levels, levels[source as usize]);
        assert_eq!(paths.distances, distances[source as usize]);
        result.verify(graph, &BfsOptions::default()).unwrap();
        paths.verify(graph, &SsspOptions::default()).unwrap();
    });
}

/// Runs `work` in a thread of its own, for [`LIMIT`] at most.
fn in_time(work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        done.send(()).unwrap();
    });
    if let Err(mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(LIMIT) {
        panic!("searches wait for each other");
    }
    worker.join().unwrap();
}

#[test]
fn searches_inside_tasks_of_several_pools_at_once_end() {
    in_time(|| {
        let graphs = GRAPHS.map(expected);
        thread::scope(|scope| {
            for threads in [1, 2, 3, 8] {
                let graphs = &graphs;
                scope.spawn(move || in_pool(threads, || graphs.par_iter().for_each(search_all)));
            }
        });
    });
}

#[test]
fn a_search_ends_where_all_other_threads_are_busy() {
    in_time(|| {
        let Expected { graph, levels, distances } = expected(GRAPHS[0]);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (all_run, done) = (Barrier::new(3), AtomicBool::new(false));
        pool.scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|_| {
                    all_run.wait();
                    while !done.load(Relaxed) {
                        thread::sleep(Duration::from_millis(1));
                    }
                });
            }
            scope.spawn(|_| {
                all_run.wait();
                let result = bfs(&graph, 1, &BfsOptions::default()).unwrap();
                assert_eq!(result.levels, levels[1]);
                let paths = sssp(&graph, 1, &SsspOptions::default()).unwrap();
                assert_eq!(paths.distances, distances[1]);
                done.store(true, Relaxed);
            });
        });
    });
}
