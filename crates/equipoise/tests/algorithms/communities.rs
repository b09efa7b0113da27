//! Communities against a modularity from the matrix of weights, and the verifier against wrong results.

use equipoise::{
    algorithm::Algorithm,
    communities::{Communities, CommunitiesOptions, CommunitiesStrategy, communities},
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, multigraph as graph},
    in_pool,
};

const EACH: [CommunitiesStrategy; 3] = [
    CommunitiesStrategy::Louvain,
    CommunitiesStrategy::Leiden,
    CommunitiesStrategy::LabelPropagation,
];

fn by(strategy: CommunitiesStrategy) -> CommunitiesOptions {
    CommunitiesOptions { strategy, ..CommunitiesOptions::default() }
}

/// Verified communities.
fn verified(graph: &Graph, options: &CommunitiesOptions) -> Communities {
    let result = communities(graph, options).unwrap();
    result.verify(graph, options).unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    result
}

/// The matrix of weights. Each edge counts in both directions, a self-loop twice.
fn matrix(vertices: u32, edges: &[(u32, u32, f64)]) -> Vec<Vec<f64>> {
    let mut weights = vec![vec![0.0; vertices as usize]; vertices as usize];
    for &(a, b, weight) in edges {
        weights[a as usize][b as usize] += weight;
        weights[b as usize][a as usize] += weight;
    }
    weights
}

/// The modularity by its definition: a sum over all pairs of vertices of one community.
fn modularity(weights: &[Vec<f64>], communities: &[u32], resolution: f64) -> f64 {
    let degrees: Vec<f64> = weights.iter().map(|row| row.iter().sum()).collect();
    let all: f64 = degrees.iter().sum();
    let mut sum = 0.0;
    for (a, row) in weights.iter().enumerate() {
        for (b, weight) in row.iter().enumerate() {
            if communities[a] == communities[b] {
                sum += weight - resolution * degrees[a] * degrees[b] / all;
            }
        }
    }
    if all == 0.0 { 0.0 } else { sum / all }
}

proptest! {
    #[test]
    fn modularity_is_that_of_the_definition(
        (vertices, edges) in (1..30u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..9u32), 0..60))
        }),
        undirected in any::<bool>(),
        halves in any::<bool>(),
        resolution in 0.0..3.0f64,
    ) {
        let scale = if halves { 0.5 } else { 1.0 };
        let weighted = |&(a, b, weight): &(u32, u32, u32)| (a, b, f64::from(weight) * scale);
        let weights = matrix(vertices, &edges.iter().map(weighted).collect::<Vec<_>>());
        let graph = if halves {
            let halves = edges.iter().map(|&(a, b, w)| (a, b, w as f32 * 0.5));
            graph(vertices, halves.collect::<Vec<_>>(), undirected)
        } else {
            graph(vertices, edges.clone(), undirected)
        };
        for strategy in EACH {
            let options = CommunitiesOptions { resolution, ..by(strategy) };
            let result = verified(&graph, &options);
            let expected = modularity(&weights, &result.communities, resolution);
            prop_assert!((result.modularity - expected).abs() < 1e-9, "{} {expected}", result.modularity);
            prop_assert!(result.converged);
            // Louvain and Leiden start with every vertex alone.
            let alone: Vec<u32> = (0..vertices).collect();
            if strategy != CommunitiesStrategy::LabelPropagation {
                prop_assert!(result.modularity >= modularity(&weights, &alone, resolution) - 1e-9);
            }
        }
    }

    #[test]
    fn merging_two_communities_improves_nothing(
        (vertices, edges) in (2..25u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 1..9u32), 1..60))
        }),
    ) {
        let weights = matrix(vertices, &edges.iter().map(|&(a, b, w)| (a, b, w.into())).collect::<Vec<_>>());
        let graph = graph(vertices, edges, true);
        for strategy in [CommunitiesStrategy::Louvain, CommunitiesStrategy::Leiden] {
        let result = verified(&graph, &by(strategy));
        for keep in 0..result.count {
            for drop in keep + 1..result.count {
                let joined: Vec<u32> =
                    result.communities.iter().map(|&c| if c == drop { keep } else { c }).collect();
                prop_assert!(modularity(&weights, &joined, 1.0) <= result.modularity + 1e-6);
            }
        }
        }
    }
}

#[test]
fn shapes_with_known_communities() {
    for (spec, count, largest) in [
        ("isolated:n=0", 0, 0),
        ("isolated:n=1", 1, 1),
        ("isolated:n=9", 9, 1),
        ("cliques:count=8,size=10", 8, 10),
        ("complete:n=30", 1, 30),
        ("star:n=400", 1, 400),
    ] {
        for strategy in EACH {
            let result = verified(&generated(spec), &by(strategy));
            assert_eq!((result.count, result.largest), (count, largest), "{spec} by {strategy}");
            assert_eq!(result.strategy, strategy);
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same_communities() {
    for spec in ["rmat:scale=13", "grid:width=120,height=120", "small-world:n=9000,k=8,rewire=0.1"]
    {
        let graph = generated(spec);
        for strategy in EACH {
            let of = |threads| in_pool(threads, || verified(&graph, &by(strategy)).communities);
            let alone = of(1);
            assert!(of(2) == alone && of(5) == alone, "{spec} by {strategy}");
        }
    }
}

#[test]
fn karate_club_is_as_modular_as_with_networkx() {
    let edges: Vec<(u32, u32)> =
        KARATE.iter().flat_map(|&(a, others)| others.iter().map(move |&b| (a, b))).collect();
    assert_eq!(edges.len(), 78);
    let graph = graph(34, edges, true);
    let options = CommunitiesOptions::default();
    let best = (0..5).map(|seed| verified(&graph, &CommunitiesOptions { seed, ..options.clone() }));
    let best = best.map(|result| result.modularity).fold(0.0, f64::max);
    // The largest known modularity is 0.4198; NetworkX reaches 0.41 to 0.42.
    assert!(best > 0.40, "{best}");
}

const KARATE: [(u32, &[u32]); 26] = [
    (0, &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31]),
    (1, &[2, 3, 7, 13, 17, 19, 21, 30]),
    (2, &[3, 7, 8, 9, 13, 27, 28, 32]),
    (3, &[7, 12, 13]),
    (4, &[6, 10]),
    (5, &[6, 10, 16]),
    (6, &[16]),
    (8, &[30, 32, 33]),
    (9, &[33]),
    (13, &[33]),
    (14, &[32, 33]),
    (15, &[32, 33]),
    (18, &[32, 33]),
    (19, &[33]),
    (20, &[32, 33]),
    (22, &[32, 33]),
    (23, &[25, 27, 29, 32, 33]),
    (24, &[25, 27, 31]),
    (25, &[31]),
    (26, &[29, 33]),
    (27, &[33]),
    (28, &[31, 33]),
    (29, &[32, 33]),
    (30, &[32, 33]),
    (31, &[32, 33]),
    (32, &[33]),
];

#[test]
fn louvain_reports_the_modularity_of_each_level() {
    let result = verified(&generated("grid:width=40,height=40"), &by(CommunitiesStrategy::Auto));
    assert_eq!(result.strategy, CommunitiesStrategy::Louvain);
    assert!(result.levels.len() > 1 && result.modularity > 0.8, "{:?}", result.levels);
    assert_eq!(result.levels.len(), result.trace.steps.len());
    let merged: u64 = result.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(merged, 1600 - u64::from(result.count));
    assert!(result.trace.steps[0].strategy.starts_with("modularity 0."));
}

#[test]
fn resolution_makes_communities_small_or_large() {
    let graph = generated("grid:width=30,height=30");
    let count = |resolution| {
        verified(&graph, &CommunitiesOptions { resolution, ..CommunitiesOptions::default() }).count
    };
    assert!(count(0.1) < count(1.0) && count(1.0) < count(8.0));
}

#[test]
fn the_most_iterations_end_label_propagation() {
    let options =
        CommunitiesOptions { max_iterations: 1, ..by(CommunitiesStrategy::LabelPropagation) };
    let result = verified(&generated("rmat:scale=9"), &options);
    assert_eq!((result.converged, result.trace.steps.len()), (false, 1));
    // The library names options without the dashes of the command line.
    let report = result.report(&generated("rmat:scale=9"), &options);
    let lines = report.lines.into_iter().map(|(_, text)| text).chain(result.warning(&options));
    let lines: Vec<String> = lines.filter(|line| line.contains("max-iterations")).collect();
    assert!(lines.len() == 2 && !lines.iter().any(|line| line.contains("--")), "{lines:?}");
}

#[test]
fn weights_and_options_out_of_bounds_are_refused() {
    let refused = |graph: &Graph, options: &CommunitiesOptions| {
        communities(graph, options).unwrap_err().to_string()
    };
    let plain = CommunitiesOptions::default();
    let negative = graph(3, vec![(0, 1, 1.0f32), (1, 2, -2.5)], false);
    let error = refused(&negative, &plain);
    assert!(error.contains("the edge from 1 to 2 has weight -2.5"), "{error}");
    let infinite = graph(2, vec![(0, 1, f32::INFINITY)], false);
    assert!(refused(&infinite, &plain).contains("from 0 to 1 has weight inf"));
    for weight in [1e308, 1e-200] {
        let odd = graph(3, vec![(0, 1, weight), (1, 2, weight)], true);
        for options in [&plain, &by(CommunitiesStrategy::LabelPropagation)] {
            let error = refused(&odd, options);
            assert!(error.contains("multiply all weights by the same number"), "{error}");
        }
    }
    verified(&graph(3, vec![(0, 1, 1e130), (1, 2, 1e130)], true), &plain);
    let path = generated("path:n=3");
    for (options, problem) in [
        (CommunitiesOptions { resolution: f64::NAN, ..plain.clone() }, "`resolution` is NaN"),
        (CommunitiesOptions { resolution: -1.0, ..plain.clone() }, "`resolution` is -1"),
        (CommunitiesOptions { tolerance: -0.5, ..plain.clone() }, "`tolerance` is -0.5"),
        (CommunitiesOptions { max_iterations: 0, ..plain.clone() }, "`max-iterations` is 0"),
    ] {
        let error = refused(&path, &options);
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn wrong_communities_are_refused() {
    // Two triangles, joined by an edge.
    let edges = vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
    let graph = graph(6, edges, true);
    let options = by(CommunitiesStrategy::LabelPropagation);
    let louvain = verified(&graph, &CommunitiesOptions::default());
    let labels = Communities {
        strategy: CommunitiesStrategy::LabelPropagation,
        levels: Vec::new(),
        ..louvain.clone()
    };
    labels.verify(&graph, &options).unwrap();
    let with = |communities: [u32; 6], modularity| Communities {
        communities: communities.to_vec(),
        modularity,
        ..labels.clone()
    };
    // Vertex 2 with the other triangle: four of seven edges within, and degrees of 4 and 10.
    let torn = with([0, 0, 1, 1, 1, 1], 5.0 / 7.0 - (16.0 + 100.0) / 196.0);
    let torn = Communities { largest: 4, ..torn };
    let modularity = -34.0 / 196.0;
    let alone = Communities {
        communities: (0..6).collect(),
        modularity,
        count: 6,
        largest: 1,
        levels: vec![modularity],
        ..louvain.clone()
    };
    for (wrong, problem) in [
        (Communities { communities: vec![0; 5], ..labels.clone() }, "5 communities for 6 vertices"),
        (
            with([1, 1, 1, 0, 0, 0], labels.modularity),
            "vertex 0 is in community 1, and only 0 came",
        ),
        (
            with([0, 0, 0, 2, 2, 2], labels.modularity),
            "vertex 3 is in community 2, and only 1 came",
        ),
        (Communities { count: 3, ..labels.clone() }, "3 communities, not 2"),
        (Communities { largest: 4, ..labels.clone() }, "the largest has 3 vertices, not 4"),
        (Communities { modularity: 0.36, ..labels.clone() }, "the modularity is 0.357"),
        (torn, "vertex 2 is in community 1, but community 0 has more"),
        (Communities { levels: vec![0.4, 0.3], ..louvain.clone() }, "falls from 0.4 to 0.3"),
        (Communities { levels: vec![0.3], ..louvain.clone() }, "the last level has a modularity"),
        (Communities { levels: Vec::new(), ..louvain.clone() }, "the last level has a modularity"),
        (alone, "communities that join others gain"),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
