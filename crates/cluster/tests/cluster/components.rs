//! Components over ranks, compared with a search on one machine.

use equipoise_cluster::{
    Comm, ComponentsOptions, ComponentsResult, DistGraph, EdgeSlice, components, run_threads,
};
use equipoise_graph::Graph;
use proptest::prelude::*;

use crate::whole::{ranks, wholes};

/// The smallest vertex of the component of each vertex.
fn labels_by_search(graph: &Graph) -> Vec<u64> {
    let mut labels = vec![u64::MAX; graph.vertices() as usize];
    for first in 0..graph.vertices() {
        let mut stack = vec![first];
        while let Some(vertex) = stack.pop() {
            if labels[vertex as usize] == u64::MAX {
                labels[vertex as usize] = first.into();
                stack.extend(graph.neighbors(vertex));
                stack.extend(graph.transpose().unwrap().neighbors(vertex));
            }
        }
    }
    labels
}

proptest! {
    #[test]
    fn labels_are_the_smallest_vertices(whole in wholes(), ranks in ranks()) {
        let parts = ranks.run(|comm| {
            let graph = whole.build(comm);
            let result = components(comm, &graph, &ComponentsOptions::default()).unwrap();
            result.verify(comm, &graph).unwrap();
            (result.labels, result.count, result.largest)
        });
        let labels = labels_by_search(&whole.on_one_machine());
        let count = labels.iter().zip(0..).filter(|&(&label, vertex)| label == vertex).count();
        let sizes = (0..whole.vertices).map(|label| labels.iter().filter(|&&other| other == label).count());
        let largest = sizes.max().unwrap_or(0);
        for part in &parts {
            prop_assert_eq!((part.1, part.2), (count as u64, largest as u64));
        }
        let result: Vec<u64> = parts.into_iter().flat_map(|part| part.0).collect();
        prop_assert_eq!(result, labels);
    }
}

#[test]
fn a_long_path_over_all_ranks_takes_few_rounds() {
    const LENGTH: u64 = 1 << 13;
    // Neighbours on the path have distant numbers, and are on different ranks.
    let index = |step: u64| step.wrapping_mul(2_654_435_761) % LENGTH;
    let rounds = run_threads(4, 1 << 20, |comm| {
        let share = LENGTH / 4;
        let steps = share * comm.rank() as u64..(share * (comm.rank() as u64 + 1)).min(LENGTH - 1);
        let slice = EdgeSlice {
            sources: steps.clone().map(index).collect(),
            targets: steps.map(|step| index(step + 1)).collect(),
            undirected: true,
            ..EdgeSlice::new(LENGTH)
        };
        let graph = DistGraph::build(comm, slice).unwrap();
        let result = components(comm, &graph, &ComponentsOptions::default()).unwrap();
        result.verify(comm, &graph).unwrap();
        assert_eq!((result.count, result.largest), (1, LENGTH));
        result.trace.steps.len()
    });
    assert!(rounds[0] < 40, "{} rounds", rounds[0]);
}

/// A corruption of a result.
type Change = fn(&mut ComponentsResult);

/// Two paths, one over both ranks; `change` is made to the result of rank 1.
fn verdicts(change: impl Fn(&mut ComponentsResult) + Sync) -> Vec<String> {
    run_threads(2, 64, |comm| {
        let (sources, targets) = match comm.rank() {
            0 => (vec![0, 2], vec![2, 4]),
            _ => (vec![1, 3], vec![3, 5]),
        };
        let slice = EdgeSlice { sources, targets, ..EdgeSlice::new(6) };
        let graph = DistGraph::build(comm, slice).unwrap();
        let mut result = components(comm, &graph, &ComponentsOptions::default()).unwrap();
        change(&mut result);
        let verdict = result.verify(comm, &graph);
        verdict.err().map(|error| error.to_string()).unwrap_or_default()
    })
}

#[test]
fn a_correct_result_passes() {
    assert_eq!(verdicts(|_| ()), ["", ""]);
}

#[test]
fn every_wrong_result_is_refused_on_all_ranks() {
    let changes: [(&str, Change); 5] = [
        ("all in one", |result| result.labels.fill(0)),
        ("a label that is not its own", |result| {
            result.labels.iter_mut().for_each(|label| *label = 3.max(*label))
        }),
        ("each alone", |result| result.labels.last_mut().into_iter().for_each(|label| *label = 5)),
        ("counts", |result| result.count += 1),
        ("a label less", |result| {
            result.labels.pop();
        }),
    ];
    for (what, change) in changes {
        let verdicts = verdicts(change);
        assert!(!verdicts[0].is_empty() && verdicts[0] == verdicts[1], "{what}: {verdicts:?}");
    }
}
