//! Searches over ranks, compared with a queue on one machine.

use std::collections::VecDeque;

use equipoise_cluster::{
    Alone, Bfs, BfsDirection, BfsOptions, BfsResult, Comm, DistGraph, EdgeSlice, bfs, run_threads,
};
use equipoise_graph::{Graph, io::ReadOptions};
use proptest::prelude::*;

use crate::whole::{ranks, wholes};

fn levels_by_queue(graph: &Graph, source: u32, max_depth: Option<u32>) -> Vec<u32> {
    let mut levels = vec![u32::MAX; graph.vertices() as usize];
    levels[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        let level = levels[vertex as usize];
        if max_depth == Some(level) {
            continue;
        }
        for &target in graph.neighbors(vertex) {
            if levels[target as usize] == u32::MAX {
                levels[target as usize] = level + 1;
                queue.push_back(target);
            }
        }
    }
    levels
}

fn directions() -> impl Strategy<Value = BfsDirection> {
    prop_oneof![Just(BfsDirection::Auto), Just(BfsDirection::Push), Just(BfsDirection::Pull)]
}

proptest! {
    #[test]
    fn levels_are_those_of_a_queue(
        whole in wholes(),
        ranks in ranks(),
        direction in directions(),
        max_depth in proptest::option::of(0..4u32),
        source in any::<u32>(),
    ) {
        prop_assume!(whole.vertices > 0);
        let source = source % whole.vertices as u32;
        let options = BfsOptions { direction, max_depth };
        let parts = ranks.run(|comm| {
            let graph = whole.build(comm);
            let mut searches = Bfs::new(comm, &graph, &options).unwrap();
            // The second search must not depend on the first.
            searches.search(0).unwrap().verify(comm, &graph, &options).unwrap();
            let result = searches.search(source.into()).unwrap();
            result.verify(comm, &graph, &options).unwrap();
            result.levels
        });
        prop_assert_eq!(parts.concat(), levels_by_queue(&whole.on_one_machine(), source, max_depth));
    }
}

#[test]
fn threads_within_a_rank_change_nothing() {
    let graph = equipoise_graph::load("rmat:scale=12", &ReadOptions::default()).unwrap();
    let coo = graph.coo().unwrap();
    let slice = EdgeSlice {
        sources: coo.sources.iter().map(|&vertex| vertex.into()).collect(),
        targets: coo.targets.iter().map(|&vertex| vertex.into()).collect(),
        ..EdgeSlice::new(graph.vertices().into())
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for direction in [BfsDirection::Auto, BfsDirection::Push, BfsDirection::Pull] {
        let options = BfsOptions { direction, max_depth: None };
        let result = pool.install(|| {
            let part = DistGraph::build(&Alone, slice.clone()).unwrap();
            let result = bfs(&Alone, &part, 0, &options).unwrap();
            result.verify(&Alone, &part, &options).unwrap();
            result
        });
        assert_eq!(result.levels, levels_by_queue(&graph, 0, None));
    }
}

/// A corruption of a result.
type Change = fn(&mut BfsResult);

/// A path of six vertices, searched from its middle on two ranks; `change` is made to the result of rank 1.
fn verdicts(change: impl Fn(&mut BfsResult) + Sync) -> Vec<String> {
    run_threads(2, 64, |comm| {
        let (sources, targets) = match comm.rank() {
            0 => (vec![0, 1], vec![1, 2]),
            _ => (vec![2, 3], vec![3, 4]),
        };
        let slice = EdgeSlice { sources, targets, undirected: true, ..EdgeSlice::new(6) };
        let graph = DistGraph::build(comm, slice).unwrap();
        let options = BfsOptions::default();
        let mut result = bfs(comm, &graph, 2, &options).unwrap();
        if comm.rank() == 1 {
            change(&mut result);
        }
        let verdict = result.verify(comm, &graph, &options);
        verdict.err().map(|error| error.to_string()).unwrap_or_default()
    })
}

#[test]
fn a_correct_result_passes() {
    assert_eq!(verdicts(|_| ()), ["", ""]);
}

#[test]
fn every_wrong_result_is_refused_on_all_ranks() {
    let changes: [(&str, Change); 8] = [
        ("level too large", |result| result.levels[1] = 3),
        ("level too small", |result| result.levels[1] = 1),
        ("no level", |result| result.levels[1] = u32::MAX),
        ("not reached", |result| (result.levels[1], result.parents[1]) = (u32::MAX, u64::MAX)),
        ("no edge to the parent", |result| result.parents[1] = 1),
        ("no such parent", |result| result.parents[1] = 77),
        ("counts", |result| result.reached += 1),
        ("a level less", |result| {
            result.levels.pop();
        }),
    ];
    for (what, change) in changes {
        let verdicts = verdicts(change);
        assert!(
            verdicts.iter().all(|verdict| verdict.contains("rank 1: ")),
            "{what}: {verdicts:?}"
        );
        assert_eq!(verdicts[0], verdicts[1], "{what}");
    }
}

#[test]
fn a_source_that_does_not_exist_is_refused() {
    let errors = run_threads(2, 64, |comm| {
        let graph = DistGraph::build(comm, EdgeSlice::new(3)).unwrap();
        bfs(comm, &graph, 3, &BfsOptions::default()).unwrap_err().to_string()
    });
    assert_eq!(errors, ["vertex 3 does not exist: the graph has 3 vertices, numbered from 0"; 2]);
}
