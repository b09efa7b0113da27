//! Labels against the definition of the benchmark, and the verifier against wrong labels.

use std::collections::BTreeMap;

use equipoise::{
    cdlp::{Cdlp, CdlpOptions, cdlp},
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph, multigraph, multigraphs},
    in_pool,
};

fn verified(graph: &Graph, max_iterations: u32) -> Cdlp {
    let options = CdlpOptions { max_iterations };
    let found = cdlp(graph, &options).unwrap();
    found.verify(graph, &options).unwrap_or_else(|error| panic!("{error}"));
    found
}

/// The labels by the definition: a histogram per vertex and iteration.
fn expected(graph: &Graph, iterations: u32) -> Vec<u32> {
    let vertices = 0..graph.vertices();
    let mut labels: Vec<u32> = vertices.clone().collect();
    for _ in 0..iterations {
        let mut histograms = vec![BTreeMap::new(); labels.len()];
        for from in vertices.clone() {
            for &to in graph.neighbors(from).iter().filter(|&&to| to != from) {
                let mut count = |vertex: u32, label: u32| {
                    *histograms[vertex as usize].entry(label).or_insert(0u32) += 1;
                };
                count(from, labels[to as usize]);
                // Rows of an undirected graph have each edge twice.
                if !graph.is_undirected() {
                    count(to, labels[from as usize]);
                }
            }
        }
        for (label, histogram) in labels.iter_mut().zip(histograms) {
            let most = histogram.values().max().copied();
            let first = histogram.iter().find(|(_, count)| Some(**count) == most);
            *label = first.map_or(*label, |(&first, _)| first);
        }
    }
    labels
}

proptest! {
    #[test]
    fn any_graph_has_the_labels_of_the_definition(
        graph in multigraphs(20, 60),
        iterations in 1..6u32,
    ) {
        prop_assert_eq!(verified(&graph, iterations).labels, expected(&graph, iterations));
    }
}

#[test]
fn a_neighbour_over_both_directions_counts_twice() {
    // 3 has one edge with 0, one with 1, and two with 2.
    let edges = vec![(0, 3), (3, 1), (2, 3), (3, 2)];
    assert_eq!(verified(&graph(4, edges.clone(), false), 1).labels, [3, 3, 3, 2]);
    // As undirected edges, each of them counts once.
    let edges: Vec<_> = edges.into_iter().filter(|edge| *edge != (3, 2)).collect();
    assert_eq!(verified(&graph(4, edges, true), 1).labels, [3, 3, 3, 0]);
}

#[test]
fn all_vertices_change_at_once() {
    // In a path that swaps, no vertex sees a label of the same iteration.
    let path = generated("path:n=4");
    assert_eq!(verified(&path, 1).labels, [1, 0, 1, 2]);
    assert_eq!(verified(&path, 2).labels, [0, 1, 0, 1]);
    assert_eq!(verified(&path, 3).labels, [1, 0, 1, 0]);
    assert!(!verified(&path, 1000).converged);
}

#[test]
fn iterations_end_once_no_label_changes() {
    let found = verified(&generated("complete:n=6"), 50);
    assert_eq!((&found.labels[..], found.converged), (&[0; 6][..], true));
    assert_eq!(found.trace.steps.len(), 3);
    assert_eq!(found.trace.steps.iter().map(|step| step.found).collect::<Vec<_>>(), [6, 1, 0]);
    let alone = verified(&graph(3, vec![(0, 0)], true), 5);
    assert_eq!((&alone.labels[..], alone.converged, alone.count), (&[0, 1, 2][..], true, 3));
    assert!(verified(&graph(0, Vec::<(u32, u32)>::new(), false), 5).converged);
}

#[test]
fn threads_do_not_matter() {
    for spec in ["rmat:scale=12", "rmat:scale=11,directed=true"] {
        let graph = generated(spec);
        let [one, many] = [1, 5].map(|threads| in_pool(threads, || verified(&graph, 6)));
        assert_eq!(one.labels, many.labels, "{spec}");
        assert_eq!(one.labels, expected(&graph, 6), "{spec}");
    }
}

#[test]
fn wrong_results_are_refused() {
    let graph = multigraph(5, vec![(0, 1), (1, 2), (2, 0), (3, 2), (3, 2), (1, 1)], false);
    let options = CdlpOptions { max_iterations: 3 };
    let right = cdlp(&graph, &options).unwrap();
    for vertex in 0..5 {
        for label in (0..6).chain([u32::MAX]).filter(|&label| label != right.labels[vertex]) {
            let mut labels = right.labels.clone();
            labels[vertex] = label;
            let wrong = Cdlp { labels, ..right.clone() };
            assert!(wrong.verify(&graph, &options).is_err(), "{vertex}: {label}");
        }
    }
    let mut fewer = right.clone();
    fewer.labels.pop();
    let others = [
        fewer,
        Cdlp { converged: !right.converged, ..right.clone() },
        Cdlp { count: right.count + 1, ..right.clone() },
        Cdlp { largest: right.largest + 1, ..right.clone() },
    ];
    for wrong in others {
        assert!(wrong.verify(&graph, &options).is_err(), "{wrong:?}");
    }
    // The labels of another number of iterations.
    let path = generated("path:n=9");
    let found = cdlp(&path, &options).unwrap();
    assert!(found.verify(&path, &CdlpOptions { max_iterations: 4 }).is_err());
}

#[test]
fn no_iterations_are_refused() {
    let graph = generated("path:n=3");
    let error = cdlp(&graph, &CdlpOptions { max_iterations: 0 }).unwrap_err().to_string();
    assert_eq!(error, "`max-iterations` is 0: 1 to 100000 are possible");
}
