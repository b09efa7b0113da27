//! PageRank against plain iterations in `f64`, and ranks that are not right against the verifier.

use equipoise::{
    graph::{Duplicates, Edges, Graph, GraphBuilder, io::ReadOptions, load},
    pagerank::{PageRank, PageRankOptions, pagerank},
};
use proptest::prelude::*;

fn found(graph: &Graph, options: &PageRankOptions) -> PageRank {
    let found = pagerank(graph, options).unwrap();
    found.verify(graph, options).unwrap_or_else(|error| panic!("{error}"));
    found
}

/// The ranks after so many iterations over these edges, each with its weight.
fn expected(vertices: u32, edges: &[(u32, u32, f64)], options: &PageRankOptions) -> Vec<f64> {
    let count = vertices as usize;
    let mut leaving = vec![0.0; count];
    edges.iter().for_each(|&(source, _, weight)| leaving[source as usize] += weight);
    let start = match &options.personalization {
        None => vec![1.0 / count as f64; count],
        Some(shares) => {
            let sum: f64 = shares.iter().sum();
            shares.iter().map(|share| share / sum).collect()
        }
    };
    let mut ranks = vec![1.0 / count as f64; count];
    for _ in 0..500 {
        let of_dangling = ranks.iter().zip(&leaving).filter(|(_, leaving)| **leaving == 0.0);
        let dangling: f64 = of_dangling.map(|(rank, _)| rank).sum();
        let anew = 1.0 - options.damping + options.damping * dangling;
        let mut next: Vec<f64> = start.iter().map(|share| share * anew).collect();
        for &(source, target, weight) in edges.iter().filter(|edge| edge.2 > 0.0) {
            let share = weight / leaving[source as usize];
            next[target as usize] += options.damping * ranks[source as usize] * share;
        }
        ranks = next;
    }
    ranks
}

fn apart(found: &PageRank, expected: &[f64]) -> f64 {
    found
        .ranks
        .iter()
        .zip(expected)
        .map(|(&rank, expected)| (f64::from(rank) - expected).abs())
        .sum()
}

proptest! {
    #[test]
    fn any_graph_has_the_ranks_of_plain_iterations(
        (vertices, edges) in (1..30u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..9u32), 0..80))
        }),
        undirected in any::<bool>(),
        unweighted in any::<bool>(),
        damping in 0.0..0.95f64,
        personal in any::<bool>(),
    ) {
        let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
        let builder = builder.duplicates(Duplicates::Keep);
        let graph = builder.build(Edges::from(edges.clone())).unwrap();
        let shares = (0..vertices).map(|vertex| f64::from((vertex * 7 + 1) % 5)).collect();
        let options = PageRankOptions {
            damping,
            unweighted,
            personalization: (personal && vertices > 1).then_some(shares),
            max_iterations: 1000,
            ..PageRankOptions::default()
        };
        let mut each = Vec::new();
        for (source, target, weight) in edges {
            let weight = if unweighted { 1.0 } else { f64::from(weight) };
            each.push((source, target, weight));
            if undirected && source != target {
                each.push((target, source, weight));
            }
        }
        let found = found(&graph, &options);
        prop_assert!(found.converged);
        let apart = apart(&found, &expected(vertices, &each, &options));
        prop_assert!(apart <= options.tolerance / (1.0 - damping) + 1e-5, "{}", apart);
    }
}

#[test]
fn known_shapes() {
    let plain = PageRankOptions::default();
    for (spec, converged) in [
        ("isolated:n=0", true),
        ("isolated:n=1", true),
        ("isolated:n=9", true),
        ("cycle:n=77", true),
    ] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        let found = found(&graph, &plain);
        assert_eq!(found.converged, converged, "{spec}");
        let each = 1.0 / graph.vertices().max(1) as f32;
        assert!(found.ranks.iter().all(|rank| (rank - each).abs() < 1e-6 * each), "{spec}");
    }
    // With L the rank of a leaf: L = (0.15 + 0.85·C) / 4, C = L + 0.85·3·L = 3.55·L, and C + 3·L = 1.
    let star = GraphBuilder::new().build(Edges::from(vec![(1, 0), (2, 0), (3, 0)])).unwrap();
    let ranks = found(&star, &plain).ranks;
    assert!(
        (ranks[0] - 0.541_985).abs() < 1e-5 && (ranks[1] - 0.152_672).abs() < 1e-5,
        "{ranks:?}"
    );
}

#[test]
fn ranks_do_not_depend_on_the_number_of_threads() {
    let graph = load("rmat:scale=12,weights=1..9", &ReadOptions::default()).unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| found(&graph, &PageRankOptions::default()).ranks)
    };
    let one = with(1);
    assert!([2, 3, 7].into_iter().all(|threads| with(threads) == one));
}

#[test]
fn iterations_end_where_they_are_told_to() {
    let graph = load("rmat:scale=10", &ReadOptions::default()).unwrap();
    let options =
        PageRankOptions { max_iterations: 3, tolerance: 0.0, ..PageRankOptions::default() };
    let three = found(&graph, &options);
    assert_eq!((three.iterations, three.converged, three.trace.steps.len()), (3, false, 3));
    let loose = found(&graph, &PageRankOptions { tolerance: 1e-2, ..options.clone() });
    let tight = found(&graph, &PageRankOptions { tolerance: 1e-6, max_iterations: 500, ..options });
    assert!(tight.change <= 1e-6 && loose.iterations <= 3 && tight.iterations > 3);
}

#[test]
fn what_cannot_be_is_refused() {
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 2.0f32), (1, 0, -1.0)])).unwrap();
    let plain = PageRankOptions::default();
    let shares = |shares: &[f64]| PageRankOptions {
        unweighted: true,
        personalization: Some(shares.to_vec()),
        ..plain.clone()
    };
    for (options, problem) in [
        (plain.clone(), "the edge from 1 to 0 has weight -1"),
        (PageRankOptions { damping: 1.5, ..plain.clone() }, "`damping` is 1.5"),
        (PageRankOptions { damping: f64::NAN, ..plain.clone() }, "`damping` is NaN"),
        (PageRankOptions { tolerance: -1.0, ..plain.clone() }, "`tolerance` is -1"),
        (PageRankOptions { max_iterations: 0, ..plain.clone() }, "`max-iterations` is 0"),
        (shares(&[1.0]), "1 shares to start anew, 2 vertices"),
        (shares(&[1.0, -1.0]), "not zero or more"),
        (shares(&[0.0, 0.0]), "add up to 0"),
    ] {
        let error = pagerank(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn wrong_ranks_are_told() {
    let graph = load("rmat:scale=8,directed=true", &ReadOptions::default()).unwrap();
    let options = PageRankOptions::default();
    let right = found(&graph, &options);
    let with = |change: &dyn Fn(&mut Vec<f32>)| {
        let mut ranks = right.ranks.clone();
        change(&mut ranks);
        PageRank { ranks, ..right.clone() }
    };
    let highest = right.highest(2);
    for (wrong, problem) in [
        (with(&|ranks| ranks.truncate(255)), "255 ranks for 256 vertices"),
        (with(&|ranks| ranks[7] = f32::NAN), "vertex 7 has the rank NaN"),
        (with(&|ranks| ranks[7] = -0.1), "vertex 7 has the rank -0.1"),
        (with(&|ranks| ranks[7] += 0.01), "the ranks add up to 1.01"),
        (with(&|ranks| ranks.swap(highest[0] as usize, highest[1] as usize)), "one more iteration"),
        (PageRank { converged: false, ..right.clone() }, "is said to be what it is not"),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let other = PageRankOptions { damping: 0.5, ..options };
    assert!(right.verify(&graph, &other).is_err());
}
