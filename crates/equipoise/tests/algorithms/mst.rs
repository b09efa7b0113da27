//! Spanning forests against Prim's algorithm, and the verifier against wrong forests.

use equipoise::{
    graph::{Edges, Graph, GraphBuilder, Weights},
    mst::{MstOptions, MstStrategy, SpanningForest, TotalWeight, mst},
};
use proptest::prelude::*;

use crate::graphs::{generated, multigraph};

fn graph(vertices: u32, edges: impl Into<Edges>) -> Graph {
    multigraph(vertices, edges, true)
}

/// A verified forest by a strategy.
fn verified(graph: &Graph, strategy: MstStrategy) -> SpanningForest {
    let forest = mst(graph, &MstOptions { strategy }).unwrap();
    forest.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    let taken: u64 = forest.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(taken, forest.edges.len() as u64, "{strategy}");
    assert_ne!(forest.strategy, MstStrategy::Auto);
    forest
}

/// Prim's algorithm from each vertex outside of all trees: it adds the edge leaving the tree that is least by weight, then by
/// ends.
fn expected(vertices: u32, edges: &[(u32, u32, f32)]) -> Vec<(u32, u32)> {
    let mut reached = vec![false; vertices as usize];
    let mut forest = Vec::new();
    for root in 0..vertices as usize {
        reached[root] = true;
        loop {
            let leaving =
                edges.iter().filter(|(a, b, _)| reached[*a as usize] != reached[*b as usize]);
            let order = |&(a, b, weight): &(u32, u32, f32)| (weight, a.min(b), a.max(b));
            let least = leaving.map(order).min_by(|x, y| x.partial_cmp(y).unwrap());
            let Some((_, a, b)) = least else { break };
            forest.push((a, b));
            (reached[a as usize], reached[b as usize]) = (true, true);
        }
    }
    forest.sort_unstable();
    forest
}

proptest! {
    #[test]
    fn any_graph_has_the_forest_of_prim(
        (vertices, edges) in (1..30u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, -4..5i32), 0..220))
        }),
    ) {
        let real: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, w as f32 / 2.0)).collect();
        let forest = expected(vertices, &real);
        let whole: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, (w + 4) as u32)).collect();
        let plain: Vec<_> = edges.iter().map(|&(a, b, _)| (a, b)).collect();
        let ones: Vec<_> = edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
        for &strategy in MstStrategy::ALL {
            let of_real = verified(&graph(vertices, real.clone()), strategy);
            prop_assert_eq!(&of_real.edges, &forest);
            let wide: Vec<_> = real.iter().map(|&(a, b, w)| (a, b, f64::from(w) / 3.0)).collect();
            prop_assert_eq!(&verified(&graph(vertices, wide), strategy).edges, &forest);
            let of_whole = verified(&graph(vertices, whole.clone()), strategy);
            prop_assert_eq!(&of_whole.edges, &forest);
            prop_assert_eq!(of_whole.total.get(), 2.0 * of_real.total.get() + 4.0 * forest.len() as f64);
            prop_assert_eq!(of_whole.trees, vertices - forest.len() as u32);
            let of_plain = verified(&graph(vertices, plain.clone()), strategy);
            prop_assert_eq!(of_plain.edges, expected(vertices, &ones));
            prop_assert_eq!(of_plain.total, TotalWeight::U64(forest.len() as u64));
        }
    }
}

/// In the first round each vertex joins the one before, which makes one tree of maximal depth.
#[test]
fn a_path_of_ascending_weights_is_one_round() {
    let edges: Vec<_> = (0..9000u32).map(|vertex| (vertex, vertex + 1, vertex)).collect();
    let forest = verified(&graph(9001, edges), MstStrategy::Boruvka);
    assert_eq!((forest.trace.steps.len(), forest.edges.len()), (1, 9000));
}

#[test]
fn heavy_edges_within_a_tree_are_not_listed() {
    let graph = generated("rmat:scale=12,edge-factor=32,weights=1..100000");
    assert_eq!(verified(&graph, MstStrategy::Auto).strategy, MstStrategy::FilterBoruvka);
    let [filtered, all] = [MstStrategy::FilterBoruvka, MstStrategy::Boruvka]
        .map(|strategy| verified(&graph, strategy));
    assert_eq!(filtered.edges, all.edges);
    assert!(filtered.trace.edges() * 2 < all.trace.edges());
    assert!(filtered.trace.steps.iter().any(|step| step.strategy == "heavy"));
}

#[test]
fn totals_are_exact_beyond_32_bits_and_rounded_once_a_sum() {
    let forest = verified(&graph(3, vec![(0, 1, u32::MAX), (1, 2, u32::MAX)]), MstStrategy::Auto);
    assert_eq!(forest.total, TotalWeight::U64(2 * u64::from(u32::MAX)));
    let close = vec![(0, 1, 1.0 + f64::EPSILON), (1, 2, 1.0), (0, 2, 1.0 + f64::EPSILON)];
    let forest = verified(&graph(3, close), MstStrategy::Auto);
    assert_eq!((forest.edges[1], forest.total), ((1, 2), TotalWeight::F64(2.0 + f64::EPSILON)));
    let forest = verified(&graph(3, vec![(0, 1, 1e30f32), (1, 2, 1.0)]), MstStrategy::Auto);
    assert_eq!(forest.total, TotalWeight::F64(f64::from(1e30f32) + 1.0));
    let extreme = vec![(0, 1, f32::INFINITY), (1, 2, f32::NEG_INFINITY), (0, 2, -0.0), (0, 2, 0.0)];
    assert_eq!(verified(&graph(3, extreme), MstStrategy::Auto).edges, [(0, 2), (1, 2)]);
}

#[test]
fn directed_graphs_are_refused_unless_each_edge_has_its_reverse() {
    let directed =
        |edges: Vec<(u32, u32, u32)>| GraphBuilder::new().build(Edges::from(edges)).unwrap();
    let both = directed(vec![(0, 1, 5), (1, 0, 5), (1, 2, 3), (2, 1, 3)]);
    assert_eq!(verified(&both, MstStrategy::Auto).total, TotalWeight::U64(8));
    for edges in [vec![(0, 1, 5), (2, 1, 3)], vec![(0, 1, 5), (1, 0, 4)]] {
        let error = mst(&directed(edges), &MstOptions::default()).unwrap_err().to_string();
        assert!(error.contains("needs an undirected graph"), "{error}");
        assert!(error.contains("as an undirected one"), "{error}");
    }
}

#[test]
fn nan_weights_are_refused() {
    let graph = graph(3, vec![(0, 1, 1.0f32), (1, 2, f32::NAN)]);
    let error = mst(&graph, &MstOptions::default()).unwrap_err().to_string();
    assert!(error.contains("from 1 to 2 is not a number"), "{error}");
}

#[test]
fn wrong_forests_are_refused() {
    let graph = graph(6, vec![(0, 1, 1u32), (1, 2, 2), (0, 2, 3), (3, 4, 4), (3, 4, 5), (2, 2, 0)]);
    let right = verified(&graph, MstStrategy::Auto);
    assert_eq!(right.edges, [(0, 1), (1, 2), (3, 4)]);
    let with = |edges: &[(u32, u32)], weights: &[u32]| {
        let weights = weights.to_vec();
        let total = TotalWeight::U64(weights.iter().map(|&weight| u64::from(weight)).sum());
        let trees = 6 - edges.len() as u32;
        let (edges, weights) = (edges.to_vec(), Weights::from(weights));
        SpanningForest { edges, weights, total, trees, ..right.clone() }
    };
    for (wrong, problem) in [
        (with(&[(0, 1), (1, 2), (3, 4)], &[1, 2]), "2 weights for 3 edges"),
        (with(&[(1, 2), (0, 1), (3, 4)], &[2, 1, 4]), "the edges do not ascend"),
        (with(&[(0, 1), (0, 1), (3, 4)], &[1, 1, 4]), "the edges do not ascend"),
        (with(&[(0, 1), (2, 1), (3, 4)], &[1, 2, 4]), "no edge joins the vertices 2 and 1"),
        (with(&[(0, 1), (1, 2), (3, 9)], &[1, 2, 4]), "no edge joins the vertices 3 and 9"),
        (with(&[(0, 1), (1, 2), (3, 5)], &[1, 2, 4]), "no edge joins the vertices 3 and 5"),
        (
            with(&[(0, 1), (1, 2), (3, 4)], &[1, 7, 4]),
            "no edge joins the vertices 1 and 2 with weight 7",
        ),
        (with(&[(0, 1), (0, 2), (1, 2), (3, 4)], &[1, 3, 2, 4]), "0 and 2 closes a circle"),
        (with(&[(0, 1), (1, 2)], &[1, 2]), "the edge between the vertices 3 and 4 joins two trees"),
        (
            with(&[(0, 1), (0, 2), (3, 4)], &[1, 3, 4]),
            "the edge between the vertices 1 and 2 with weight 2 goes before",
        ),
        (
            with(&[(0, 1), (1, 2), (3, 4)], &[1, 2, 5]),
            "the edge between the vertices 3 and 4 with weight 4 goes before",
        ),
        (
            SpanningForest { trees: 2, ..right.clone() },
            "the number of trees is 2, but the edges leave 3",
        ),
        (SpanningForest { total: TotalWeight::U64(8), ..right.clone() }, "add up to 7, not to 8"),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error} instead of {problem}");
    }
}
