//! Core numbers against plain peeling, cores as graphs, and the verifier against wrong numbers.

use std::collections::BTreeSet;

use equipoise::{
    graph::{Edges, Graph, GraphBuilder, VertexIds, VertexNames},
    kcore::{KCore, kcore},
};
use proptest::prelude::*;

use crate::graphs::{generated, graph};

/// Verified cores.
fn verified(graph: &Graph) -> KCore {
    let result = kcore(graph).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{error}"));
    let peeled: u64 = result.trace.steps.iter().map(|step| step.frontier).sum();
    assert_eq!(peeled, u64::from(graph.vertices()));
    for step in &result.trace.steps {
        assert_eq!(step.found, u64::from(result.size(step.index + 1)));
    }
    result
}

/// For each k, removes vertices with fewer than k neighbours until none is left that has.
fn expected(vertices: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    let mut cores = vec![0; vertices as usize];
    let mut left: BTreeSet<u32> = (0..vertices).collect();
    for k in 1..=vertices {
        loop {
            let degree = |vertex: u32| {
                let others = edges.iter().filter_map(|&(a, b)| match (a == vertex, b == vertex) {
                    (true, false) => Some(b),
                    (false, true) => Some(a),
                    _ => None,
                });
                others.filter(|other| left.contains(other)).collect::<BTreeSet<_>>().len()
            };
            let few: Vec<u32> =
                left.iter().copied().filter(|&vertex| degree(vertex) < k as usize).collect();
            if few.is_empty() {
                break;
            }
            few.iter().for_each(|vertex| _ = left.remove(vertex));
        }
        left.iter().for_each(|&vertex| cores[vertex as usize] = k);
    }
    cores
}

proptest! {
    #[test]
    fn any_graph_has_the_cores_of_brute_force(
        (vertices, edges) in (1..20u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..110))
        }),
        undirected in any::<bool>(),
    ) {
        let graph = graph(vertices, edges.clone(), undirected);
        prop_assert_eq!(verified(&graph).cores, expected(vertices, &edges));
    }
}

/// Levels between those of a clique and of its tail have no vertices, so the trace has two steps.
#[test]
fn empty_levels_are_skipped() {
    let clique = (0..100u32).flat_map(|a| (0..a).map(move |b| (a, b)));
    let edges: Vec<_> = clique.chain([(99, 100), (100, 101)]).collect();
    let result = verified(&graph(102, edges, true));
    assert_eq!(result.trace.steps.iter().map(|step| step.index).collect::<Vec<_>>(), [1, 99]);
    assert_eq!((result.cores[99], result.cores[100], result.cores[101]), (99, 1, 1));
}

/// Several threads share a round, in which hubs lose many neighbours.
#[test]
fn large_graphs() {
    for spec in ["rmat:scale=14", "er:n=20000,m=200000", "grid:width=300,height=300,drop=0.1"] {
        verified(&generated(spec));
    }
}

#[test]
fn a_core_keeps_names_weights_loops_and_directions() {
    let names = VertexNames::new(["Ann", "Bob", "Eve", "Kim"]).unwrap();
    let edges = vec![(0, 1, 1u32), (1, 2, 2), (2, 0, 3), (2, 2, 4), (2, 3, 5), (0, 1, 6)];
    let graph = GraphBuilder::new().ids(VertexIds::Names(names)).build(Edges::from(edges)).unwrap();
    let result = verified(&graph);
    let core = result.subgraph(&graph, 2).unwrap();
    assert_eq!((core.vertices(), core.edges(), core.is_undirected()), (3, 5, false));
    assert_eq!(core.ids().id(2), "Eve");
    assert_eq!(core.neighbors(2), [0, 2]);
    let weights: Vec<f64> = (0..5).map(|edge| core.weights().unwrap().get(edge)).collect();
    assert_eq!(weights, [1.0, 6.0, 2.0, 3.0, 4.0]);
    let all = result.subgraph(&graph, 0).unwrap();
    assert_eq!((all.edges(), all.ids()), (6, graph.ids()));
    assert_eq!(result.subgraph(&graph, 3).unwrap().vertices(), 0);
    let other = generated("path:n=3");
    let error = result.subgraph(&other, 1).unwrap_err().to_string();
    assert!(error.contains("4 core numbers for a graph of 3 vertices"), "{error}");
}

#[test]
fn wrong_cores_are_refused() {
    let graph = graph(5, vec![(0, 1), (1, 2), (2, 0), (2, 3)], true);
    let right = verified(&graph);
    assert_eq!(right.cores, [2, 2, 2, 1, 0]);
    let with = |cores: &[u32]| KCore { cores: cores.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (with(&[2, 2, 2, 1]), "4 core numbers for 5 vertices"),
        (KCore { degeneracy: 3, ..right.clone() }, "the largest core number is 2, not 3"),
        (with(&[2, 2, 2, 2, 0]), "vertex 3 has 1 neighbours in the 2-core"),
        (with(&[2, 2, 2, 1, 1]), "vertex 4 has 0 neighbours in the 1-core"),
        (with(&[2, 2, 2, 0, 0]), "the core number 0 of vertex 3 is too small"),
        (
            KCore { degeneracy: 1, ..with(&[1, 1, 1, 1, 0]) },
            "the core number 1 of vertex 0 is too small",
        ),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
