//! PageRank against plain iterations in `f64`, and the verifier against wrong ranks.

use equipoise::{
    Error,
    graph::Graph,
    pagerank::{PageRank, PageRankOptions, pagerank},
};
use proptest::prelude::*;

use crate::graphs::{generated, graph, multigraph};

fn verified(graph: &Graph, options: &PageRankOptions) -> PageRank {
    let result = pagerank(graph, options).unwrap();
    result.verify(graph, options).unwrap_or_else(|error| panic!("{error}"));
    result
}

/// The ranks after 500 iterations over these weighted edges.
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

fn apart(result: &PageRank, expected: &[f64]) -> f64 {
    result
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
        let graph = multigraph(vertices, edges.clone(), undirected);
        let shares = (0..vertices).map(|vertex| f64::from((vertex * 7 + 1) % 5)).collect();
        let options = PageRankOptions {
            damping,
            unweighted,
            personalization: (personal && vertices > 1).then_some(shares),
            max_iterations: 1000,
            ..PageRankOptions::default()
        };
        let mut directed = Vec::new();
        for (source, target, weight) in edges {
            let weight = if unweighted { 1.0 } else { f64::from(weight) };
            directed.push((source, target, weight));
            if undirected && source != target {
                directed.push((target, source, weight));
            }
        }
        let result = verified(&graph, &options);
        prop_assert!(result.converged);
        let apart = apart(&result, &expected(vertices, &directed, &options));
        prop_assert!(apart <= options.tolerance / (1.0 - damping) + 1e-5, "{}", apart);
    }
}

#[test]
fn a_star_has_the_ranks_of_its_equations() {
    // With L the rank of a leaf: L = (0.15 + 0.85·C) / 4, C = L + 0.85·3·L = 3.55·L, and C + 3·L = 1.
    let star = graph(4, vec![(1, 0), (2, 0), (3, 0)], false);
    let ranks = verified(&star, &PageRankOptions::default()).ranks;
    assert!(
        (ranks[0] - 0.541_985).abs() < 1e-5 && (ranks[1] - 0.152_672).abs() < 1e-5,
        "{ranks:?}"
    );
}

#[test]
fn options_limit_iterations() {
    let graph = generated("rmat:scale=10");
    let options =
        PageRankOptions { max_iterations: 3, tolerance: 0.0, ..PageRankOptions::default() };
    let three = verified(&graph, &options);
    assert_eq!((three.iterations, three.converged, three.trace.steps.len()), (3, false, 3));
    let exactly = PageRankOptions { iterations: Some(3), ..PageRankOptions::default() };
    assert_eq!(verified(&graph, &exactly).ranks, three.ranks);
    // The ranks of a cycle never change; a requested number of iterations is made nevertheless.
    let cycle = generated("cycle:n=9");
    let still = verified(&cycle, &exactly);
    assert_eq!((still.iterations, still.converged), (3, true));
    let loose = verified(
        &graph,
        &PageRankOptions { tolerance: 1e-1, max_iterations: 5, ..options.clone() },
    );
    let tight =
        verified(&graph, &PageRankOptions { tolerance: 1e-6, max_iterations: 500, ..options });
    assert!(tight.change <= 1e-6 && loose.iterations <= 5 && tight.iterations > 5);
}

/// The center of the star converges to rank 0.5, slowly: 100 iterations do not suffice.
#[test]
fn ranks_that_do_not_converge_are_an_error_unless_iterations_are_given() {
    let graph = generated("star:n=50");
    let plain = PageRankOptions { damping: 0.99, ..PageRankOptions::default() };
    let error = pagerank(&graph, &plain).unwrap_err();
    let expected = "the ranks did not converge: iteration 100 still changed them by";
    assert!(matches!(error, Error::NotConverged { iterations: 100, .. }), "{error}");
    assert!(error.to_string().starts_with(expected), "{error}");
    let asked = PageRankOptions { iterations: Some(100), ..plain.clone() };
    let unfinished = verified(&graph, &asked);
    assert!(!unfinished.converged);
    assert!(!verified(&graph, &PageRankOptions { tolerance: 0.0, ..plain.clone() }).converged);
    // With options that refuse them, the verifier refuses these ranks, too.
    let error = unfinished.verify(&graph, &plain).unwrap_err().to_string();
    assert!(error.contains("the last iteration changed the ranks by"), "{error}");
    // This damping amplifies the rounding of an iteration to f32 a hundredfold.
    let patient = PageRankOptions { max_iterations: 10_000, tolerance: 1e-5, ..plain };
    let patient = verified(&graph, &patient);
    assert!((patient.ranks[0] - 0.5).abs() < 0.01, "{}", patient.ranks[0]);
}

/// The sum of two such weights is infinite.
#[test]
fn the_largest_weights_have_the_ranks_of_small_ones() {
    for (huge, small) in [([1e308, 1e308], [1.0, 1.0]), ([1.7e308, 0.85e308], [2.0, 1.0])] {
        let with = |weights: [f64; 2]| {
            let edges = vec![(0, 1, weights[0]), (0, 2, weights[1]), (1, 0, 5.0), (2, 0, 1e-300)];
            graph(3, edges, false)
        };
        let plain = PageRankOptions::default();
        assert_eq!(verified(&with(huge), &plain).ranks, verified(&with(small), &plain).ranks);
    }
    let shares =
        PageRankOptions { personalization: Some(vec![1e308, 1e308]), ..PageRankOptions::default() };
    let graph = generated("path:n=2");
    let error = pagerank(&graph, &shares).unwrap_err().to_string();
    assert!(error.contains("add up to more than an f64 holds"), "{error}");
}

#[test]
fn invalid_weights_and_options_are_refused() {
    let graph = graph(2, vec![(0, 1, 2.0f32), (1, 0, -1.0)], false);
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
        (PageRankOptions { iterations: Some(0), ..plain.clone() }, "`iterations` is 0"),
        (shares(&[1.0]), "1 shares to start anew, 2 vertices"),
        (shares(&[1.0, -1.0]), "not zero or more"),
        (shares(&[0.0, 0.0]), "add up to 0"),
    ] {
        let error = pagerank(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn wrong_ranks_are_refused() {
    let graph = generated("rmat:scale=8,directed=true");
    let options = PageRankOptions::default();
    let right = verified(&graph, &options);
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
        (PageRank { converged: false, ..right.clone() }, "converged is false, with a change of"),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let other = PageRankOptions { damping: 0.5, ..options };
    assert!(right.verify(&graph, &other).is_err());
}
