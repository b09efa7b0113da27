//! Distances between vertices against brute force, and the verifier against wrong sums.

use equipoise::{
    graph::Graph,
    paths::{Paths, PathsOptions, paths},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph, multigraph},
    oracles::all_distances,
};

fn verified(graph: &Graph, options: &PathsOptions) -> Paths {
    let result = paths(graph, options).unwrap();
    result.verify(graph, options).unwrap_or_else(|error| panic!("{error}"));
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_graph_has_the_paths_of_brute_force(
        (vertices, edges) in (1..24u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..60))
        }),
        undirected in any::<bool>(),
        weighted in any::<bool>(),
        within in 0..4u32,
        sampled in any::<bool>(),
    ) {
        let graph = multigraph(vertices, edges, undirected);
        let sources: Vec<u32> = (0..vertices).step_by(if sampled { 3 } else { 1 }).collect();
        let options = PathsOptions {
            sources: sampled.then(|| sources.clone()),
            weighted,
            within: Some(within.into()),
            diameter: false,
        };
        let far = all_distances(&graph, weighted);
        let result = verified(&graph, &options);
        for (index, &source) in sources.iter().enumerate() {
            let row = far[source as usize].iter().filter(|far| far.is_finite());
            let most = row.clone().copied().fold(0.0, f64::max);
            prop_assert_eq!(result.eccentricities[index], most);
            let near = row.filter(|far| **far <= f64::from(within)).count() as u32 - 1;
            prop_assert_eq!(result.within.as_ref().unwrap()[index], near);
        }
        let longest = far.iter().flatten().filter(|far| far.is_finite()).copied().fold(0.0, f64::max);
        prop_assert!(result.diameter <= longest && result.most_diameter.is_none_or(|most| most >= longest));
        let eccentricity = |row: &Vec<f64>| row.iter().filter(|far| far.is_finite()).copied().fold(0.0, f64::max);
        let radius = far.iter().map(eccentricity).fold(f64::INFINITY, f64::min);
        prop_assert!(result.radius >= radius && result.least_radius.is_none_or(|least| least <= radius));
        if !sampled {
            prop_assert_eq!(result.diameter, longest);
            prop_assert_eq!((result.radius, result.least_radius), (radius, Some(radius)));
            for vertex in 0..vertices as usize {
                let to = |source: u32| far[source as usize][vertex];
                let others = sources.iter().filter(|&&source| source as usize != vertex);
                let reach: Vec<f64> = others.map(|&source| to(source)).filter(|far| far.is_finite()).collect();
                let (count, sum) = (reach.len() as f64, reach.iter().sum::<f64>());
                let all = f64::from(vertices - 1).max(1.0);
                let closeness = if sum > 0.0 { count / sum * (count / all) } else { 0.0 };
                prop_assert!((result.closeness[vertex] - closeness).abs() < 1e-12);
                let harmonic: f64 = reach.iter().filter(|far| **far > 0.0).map(|far| 1.0 / far).sum();
                prop_assert!((result.harmonic[vertex] - harmonic).abs() < 1e-9);
            }
        }
    }
}

/// A search from the middle of a path reaches half of its length, and the one from the farthest vertex all of it.
#[test]
fn bounds_hold_and_the_farthest_vertex_is_searched_from() {
    let graph = generated("path:n=1001");
    let options = PathsOptions { sources: Some(vec![500]), ..PathsOptions::default() };
    let result = verified(&graph, &options);
    assert_eq!((result.eccentricities[0], result.diameter), (500.0, 1000.0));
    assert_eq!((result.most_diameter, result.exact), (Some(1000.0), false));
    assert_eq!((result.radius, result.least_radius), (500.0, Some(500.0)));
    let options = PathsOptions { sources: Some(vec![350]), ..PathsOptions::default() };
    let result = self::verified(&graph, &options);
    assert_eq!((result.radius, result.least_radius), (650.0, Some(500.0)));
}

/// Sources without leaving edges reach nothing: the other sources determine all centralities.
#[test]
fn all_sources_that_an_edge_leaves_give_exact_centralities() {
    for (edges, undirected) in [
        (vec![(0, 1), (1, 2), (2, 3), (3, 4)], true),
        (vec![(0, 1), (1, 2), (2, 3), (4, 2), (3, 5), (5, 3)], false),
    ] {
        let graph = graph(1000, edges, undirected);
        let exact = verified(&graph, &PathsOptions::default());
        let with_edge: Vec<u32> =
            (0..graph.vertices()).filter(|&vertex| graph.degree(vertex) > 0).collect();
        let with_some_isolated = [&with_edge[..], &[700, 800, 900]].concat();
        for sources in [with_edge, with_some_isolated] {
            let options = PathsOptions { sources: Some(sources), ..PathsOptions::default() };
            let sampled = verified(&graph, &options);
            assert_eq!(sampled.closeness, exact.closeness);
            assert_eq!(sampled.harmonic, exact.harmonic);
        }
    }
}

/// The mean of the estimates over all pairs of sources is the harmonic centrality.
#[test]
fn estimates_of_harmonic_centrality_have_no_bias() {
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6), (6, 7)];
    let graph = graph(40, edges, true);
    let exact = verified(&graph, &PathsOptions::default()).harmonic;
    // Vertices from 8 on have no edge and are never sources.
    let pairs: Vec<[u32; 2]> = (0..8).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    let mut sums = vec![0.0; 40];
    for pair in &pairs {
        let options = PathsOptions { sources: Some(pair.to_vec()), ..PathsOptions::default() };
        let sampled = verified(&graph, &options).harmonic;
        sums.iter_mut().zip(sampled).for_each(|(sum, value)| *sum += value);
    }
    for (vertex, (sum, exact)) in sums.into_iter().zip(exact).enumerate() {
        // Pairs with the vertex itself have one other source, not two; their mean is equal.
        let mean = sum / pairs.len() as f64;
        assert!((mean - exact).abs() < 1e-12, "{vertex}: {mean}, not {exact}");
    }
}

#[test]
fn a_source_may_be_named_twice() {
    let sources = Some(vec![3, 3, 1]);
    verified(&generated("path:n=9"), &PathsOptions { sources, ..PathsOptions::default() });
}

#[test]
fn invalid_weights_and_options_are_refused() {
    let graph = graph(2, vec![(0, 1, 2.0f32), (1, 0, -1.0)], false);
    let plain = PathsOptions::default();
    for (options, problem) in [
        (PathsOptions { weighted: true, ..plain.clone() }, "has weight -1"),
        (PathsOptions { sources: Some(vec![0, 7]), ..plain.clone() }, "vertex 7 does not exist"),
        (PathsOptions { sources: Some(vec![]), ..plain.clone() }, "`sources` is empty"),
        (PathsOptions { within: Some(-1.0), ..plain.clone() }, "`within` is -1"),
        (PathsOptions { within: Some(f64::NAN), ..plain.clone() }, "`within` is NaN"),
    ] {
        let error = paths(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    verified(&graph, &plain);
}

#[test]
fn wrong_paths_are_refused() {
    for spec in ["path:n=40", "path:n=400"] {
        let graph = generated(spec);
        let options = PathsOptions { within: Some(2.0), ..PathsOptions::default() };
        let right = verified(&graph, &options);
        let mut wrong = vec![right.clone(); 9];
        wrong[0].eccentricities[0] += 1.0;
        wrong[1].closeness[0] *= 1.001;
        wrong[2].harmonic[0] *= 1.001;
        wrong[3].within.as_mut().unwrap()[0] += 1;
        wrong[4].diameter += 1.0;
        wrong[5].radius -= 1.0;
        wrong[6].harmonic.pop();
        wrong[7].most_diameter = Some(1.0);
        wrong[8].least_radius = Some(right.radius + 1.0);
        for (index, wrong) in wrong.iter().enumerate() {
            assert!(wrong.verify(&graph, &options).is_err(), "{spec}: {index}");
        }
        let torn = generated("components:n=20");
        let whole = Paths { connected: true, ..verified(&torn, &options) };
        let error = whole.verify(&torn, &options).unwrap_err().to_string();
        assert!(error.contains("not all vertices can be reached"), "{error}");
    }
}
