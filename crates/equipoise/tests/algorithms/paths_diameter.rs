//! Diameters against all sources and brute force, and the verifier against wrong ones.

use equipoise::{
    algorithm::{Algorithm, Verdict},
    graph::Graph,
    paths::{Paths, PathsOptions, paths},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph, multigraph, odd_graphs},
    oracles::all_distances,
};

fn options(weighted: bool) -> PathsOptions {
    PathsOptions { weighted, diameter: true, ..PathsOptions::default() }
}

fn verified(graph: &Graph, weighted: bool) -> Paths {
    let result = paths(graph, &options(weighted)).unwrap();
    result.verify(graph, &options(weighted)).unwrap_or_else(|error| panic!("{error}"));
    result
}

fn assert_right(graph: &Graph, weighted: bool) -> Paths {
    let result = verified(graph, weighted);
    let far = all_distances(graph, weighted);
    let finite =
        |row: &Vec<f64>| row.iter().copied().filter(|far| far.is_finite()).fold(0.0, f64::max);
    let eccentricities: Vec<f64> = far.iter().map(finite).collect();
    let diameter = eccentricities.iter().copied().fold(0.0, f64::max);
    let radius = eccentricities.iter().copied().reduce(f64::min).unwrap_or(0.0);
    assert_eq!((result.diameter, result.most_diameter), (diameter, Some(diameter)));
    assert!(result.least_radius.unwrap() <= radius && radius <= result.radius);
    let found = result.ends.map_or(0.0, |[start, end]| far[start as usize][end as usize]);
    assert_eq!(found, diameter);
    assert_eq!(result.connected, far.iter().flatten().all(|far| far.is_finite()));
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_graph_has_the_diameter_of_brute_force(
        (vertices, edges) in (1..40u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..80))
        }),
        weighted in any::<bool>(),
    ) {
        assert_right(&multigraph(vertices, edges, true), weighted);
    }
}

#[test]
fn odd_graphs_have_the_diameter_of_brute_force() {
    for graph in odd_graphs().iter().filter(|graph| graph.is_undirected()) {
        assert_right(graph, false);
        assert_right(graph, true);
    }
    let none = graph(0, Vec::<(u32, u32)>::new(), true);
    assert_eq!(assert_right(&none, false).ends, None);
    let alone = graph(300, Vec::<(u32, u32)>::new(), true);
    assert!(assert_right(&alone, false).sources.is_empty());
}

/// More vertices than are compared with all pairs: the searches are repeated.
#[test]
fn whole_graphs_have_the_diameter_of_all_sources() {
    for (spec, most_searches) in [
        ("path:n=3000", 4),
        ("star:n=1000", 3),
        ("grid:width=40,height=30,drop=0.2", 400),
        ("rmat:scale=10,edge-factor=4", 400),
        ("er:n=1500,m=6000", 1500),
        ("components:n=600", 600),
    ] {
        let graph = generated(spec);
        let (result, all) =
            (verified(&graph, false), paths(&graph, &PathsOptions::default()).unwrap());
        assert_eq!(result.diameter, all.diameter, "{spec}");
        assert!(
            result.radius >= all.radius && result.least_radius.unwrap() <= all.radius,
            "{spec}"
        );
        assert!(result.sources.len() <= most_searches, "{spec}: {} searches", result.sources.len());
        assert_eq!(result.connected, all.connected);
        let verdict = result.check(&graph, &options(false)).unwrap();
        assert!(matches!(verdict, Verdict::Proved { .. }), "{spec}");
    }
}

/// The eccentricities of a random graph hardly differ, so that groups of vertices are searched from.
#[test]
fn bounds_that_hardly_improve_lead_to_groups() {
    let result = verified(&generated("er:n=1500,m=6000"), false);
    let steps = result.trace.steps.iter();
    let of_groups = steps.filter(|step| step.strategy == "group").map(|step| step.frontier);
    assert!(of_groups.sum::<u64>() > 64);
}

#[test]
fn other_sources_and_directed_graphs_are_refused() {
    let undirected = generated("path:n=9");
    let directed = graph(3, vec![(0, 1), (1, 2)], false);
    let plain = options(false);
    for (graph, options, problem) in [
        (
            &undirected,
            PathsOptions { sources: Some(vec![1]), ..plain.clone() },
            "chooses the sources",
        ),
        (&undirected, PathsOptions { within: Some(1.0), ..plain.clone() }, "chooses the sources"),
        (&directed, plain.clone(), "needs an undirected graph"),
    ] {
        let error = paths(graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn wrong_diameters_are_refused() {
    for spec in ["grid:width=8,height=9", "grid:width=40,height=30"] {
        let graph = generated(spec);
        let right = verified(&graph, false);
        let mut wrong = vec![right.clone(); 10];
        wrong[0].diameter += 1.0;
        wrong[1].most_diameter = None;
        wrong[2].ends = Some([0, 1]);
        wrong[3].ends = None;
        wrong[4].eccentricities[0] -= 1.0;
        wrong[5].connected = false;
        wrong[6].radius -= right.radius;
        wrong[7].least_radius = Some(right.radius + 1.0);
        // A single search from a corner or the middle bounds nothing, or not enough.
        wrong[8] = Paths {
            sources: right.sources[..1].to_vec(),
            eccentricities: right.eccentricities[..1].to_vec(),
            diameter: right.eccentricities[0],
            most_diameter: Some(right.eccentricities[0]),
            ..right.clone()
        };
        wrong[9].sources.pop();
        for (index, wrong) in wrong.iter().enumerate() {
            assert!(wrong.verify(&graph, &options(false)).is_err(), "{spec}: {index}");
        }
    }
}

/// Every end of a long path behind the known part is found to be missing.
#[test]
fn a_diameter_of_a_part_is_refused() {
    let edges = (1..400u32).map(|vertex| (vertex - 1, vertex));
    let whole = graph(400, edges.clone().collect::<Vec<_>>(), true);
    let part = graph(400, edges.take(300).collect::<Vec<_>>(), true);
    let short = verified(&part, false);
    assert!(short.verify(&whole, &options(false)).is_err());
}
