//! Work that is asked to stop does.

use std::{thread, time::Duration};

use equipoise::{
    apsp::{ApspOptions, ApspStrategy, apsp},
    betweenness::{BetweennessOptions, betweenness},
    bfs::{BfsOptions, bfs},
    cancel::{Cancel, Cancelled},
    color::{ColorOptions, ColorStrategy, color},
    communities::{CommunitiesOptions, communities},
    components::{ComponentsOptions, components},
    graph::{Graph, Matrix, io::ReadOptions, load},
    kcore::kcore,
    mis::{MisOptions, mis},
    mst::{MstOptions, mst},
    pagerank::{PageRankOptions, pagerank},
    paths::{PathsOptions, paths},
    sparse::{Dense, SparseOptions, spgemm, spmm},
    sssp::{SsspOptions, sssp},
    traversal::Strategy,
    triangles::{TrianglesOptions, triangles},
};

fn made(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// Whether work that is to stop before it begins leaves off before it is done.
fn leaves_off<T>(work: impl FnOnce() -> T) -> bool {
    let cancel = Cancel::new();
    cancel.cancel();
    let mut is_done = false;
    let outcome = cancel.run(|| {
        work();
        is_done = true;
    });
    assert_eq!(outcome, Err(Cancelled));
    !is_done
}

#[test]
fn every_algorithm_leaves_off() {
    let graph = &made("rmat:scale=9,weights=1..9");
    let directed = &made("er:n=400,m=3000,directed=true");
    let strong = ComponentsOptions { strong: true, ..ComponentsOptions::default() };
    let weighted = BetweennessOptions { weighted: true, ..BetweennessOptions::default() };
    let paths_by_weight = PathsOptions { weighted: true, ..PathsOptions::default() };
    let by = |strategy| SsspOptions { strategy, ..SsspOptions::default() };
    assert!(leaves_off(|| bfs(graph, 0, &BfsOptions::default())), "bfs");
    assert!(leaves_off(|| sssp(graph, 0, &by(Strategy::Delta))), "delta");
    assert!(leaves_off(|| betweenness(graph, &BetweennessOptions::default())), "betweenness");
    assert!(leaves_off(|| betweenness(graph, &weighted)), "weighted betweenness");
    for &strategy in ColorStrategy::ALL {
        let options = ColorOptions { strategy, ..ColorOptions::default() };
        if color(graph, &options).is_ok() {
            assert!(leaves_off(|| color(graph, &options)), "color by {strategy}");
        }
    }
    assert!(leaves_off(|| communities(graph, &CommunitiesOptions::default())), "communities");
    assert!(leaves_off(|| components(graph, &ComponentsOptions::default())), "components");
    assert!(leaves_off(|| components(directed, &strong)), "strong components");
    assert!(leaves_off(|| kcore(graph)), "kcore");
    assert!(leaves_off(|| mis(graph, &MisOptions::default())), "mis");
    assert!(leaves_off(|| mst(graph, &MstOptions::default())), "mst");
    assert!(leaves_off(|| pagerank(graph, &PageRankOptions::default())), "pagerank");
    assert!(leaves_off(|| paths(graph, &PathsOptions::default())), "paths");
    assert!(leaves_off(|| paths(graph, &paths_by_weight)), "weighted paths");
    assert!(leaves_off(|| triangles(graph, &TrianglesOptions::default())), "triangles");
    for &strategy in ApspStrategy::ALL {
        let options = ApspOptions { strategy, ..ApspOptions::default() };
        if apsp(graph, &options).is_ok() {
            assert!(leaves_off(|| apsp(graph, &options)), "apsp by {strategy}");
        }
    }
}

#[test]
fn products_leave_off() {
    let matrix = Matrix::<f32>::from_graph(&made("rmat:scale=9")).unwrap();
    let dense = Dense::new(512, 4, vec![1.0; 2048]).unwrap();
    assert!(leaves_off(|| spgemm(&matrix, &matrix, &SparseOptions::default())), "spgemm");
    assert!(leaves_off(|| spmm(&matrix, &dense, &SparseOptions::default())), "spmm");
}

#[test]
fn graphs_are_not_made_to_the_end() {
    assert!(leaves_off(|| made("rmat:scale=9")));
}

/// It would take hours.
#[test]
fn another_thread_stops_what_is_under_way() {
    let graph = made("rmat:scale=17");
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

/// Two at once, of which one is asked to stop: the other's result is whole.
#[test]
fn what_is_not_asked_to_stop_goes_on() {
    let graph = made("rmat:scale=10");
    let options = BetweennessOptions::default();
    thread::scope(|scope| {
        let other = scope.spawn(|| Cancel::new().run(|| betweenness(&graph, &options)));
        while !other.is_finished() {
            assert!(leaves_off(|| betweenness(&graph, &options)));
        }
        other.join().unwrap().unwrap().unwrap().verify(&graph, &options).unwrap();
    });
}
