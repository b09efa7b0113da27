//! Distances between vertices on a GPU: the same numbers as on the cpu, however levels are found.

use equipoise::{
    LoadedGraph,
    graph::Graph,
    paths::{Paths, PathsOptions, paths},
};
use proptest::prelude::*;

use crate::{
    common::{device, with_memory},
    graphs::{generated, graph, multigraph, odd_graphs},
};

fn assert_same(graph: &Graph, options: &PathsOptions) -> Paths {
    let expected = paths(graph, options).unwrap();
    let result = LoadedGraph::new(&device(), graph).unwrap().paths(options).unwrap();
    assert_eq!(result.sources, expected.sources);
    assert_eq!(result.eccentricities, expected.eccentricities);
    assert_eq!(result.within, expected.within);
    assert_eq!(result.connected, expected.connected);
    assert_eq!(result.diameter, expected.diameter);
    assert_eq!(result.closeness, expected.closeness);
    assert_eq!(result.harmonic, expected.harmonic);
    let found = |paths: &Paths| paths.trace.steps.iter().map(|step| step.found).collect::<Vec<_>>();
    assert_eq!(found(&result), found(&expected));
    result
}

fn from_sources(sources: impl IntoIterator<Item = u32>, within: Option<f64>) -> PathsOptions {
    PathsOptions { sources: Some(sources.into_iter().collect()), within, ..PathsOptions::default() }
}

#[test]
fn whole_graphs_have_the_distances_of_the_cpu() {
    let within = |within| PathsOptions { within: Some(within), ..PathsOptions::default() };
    for (spec, options) in [
        ("rmat:scale=9", within(2.0)),
        ("rmat:scale=9,edge-factor=8,directed=true", within(0.0)),
        ("grid:width=20,height=25,drop=0.3", within(7.0)),
        ("path:n=500", within(f64::INFINITY)),
    ] {
        assert_same(&generated(spec), &options);
    }
    for graph in odd_graphs() {
        assert_same(&graph, &within(1.0));
    }
    assert_same(&graph(3, Vec::<(u32, u32)>::new(), true), &within(1.0));
}

/// Two hubs of 3000 leaves with one in common, and vertices of 200 edges: units, planes and cubes pull.
#[test]
fn hubs_pull_with_several_cubes() {
    let leaves = (0..6000u32).map(|leaf| (leaf / 3000, 2 + leaf % 5999));
    let some = (0..2000u32).map(|edge| (6100 + edge % 10, 6200 + edge / 10));
    let bridges = [(2, 6100), (9, 6200), (6400, 0), (6401, 6402)];
    let edges: Vec<_> = leaves.chain(some).chain(bridges).collect();
    for undirected in [true, false] {
        let graph = graph(6500, edges.clone(), undirected);
        assert_same(&graph, &from_sources([0], Some(2.0)));
        assert_same(&graph, &from_sources((0..150).map(|source| source * 43 % 6500), Some(3.0)));
        assert_same(&graph, &from_sources([6300, 6400, 6401, 6499, 6400], None));
    }
}

/// A path behind a dense part: vertices push, pull and push again.
#[test]
fn a_long_path_behind_a_dense_part_is_pushed_along() {
    let dense =
        (0..300u32).flat_map(|from| (1..40).map(move |step| (from, (from * 7 + step) % 300)));
    let path = (300..1500u32).map(|vertex| (vertex - 1, vertex));
    let graph = graph(1500, dense.chain(path).collect::<Vec<_>>(), true);
    let result = assert_same(&graph, &from_sources([0, 50, 299, 700], Some(600.0)));
    assert!(result.diameter > 1200.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_graph_has_the_distances_of_the_cpu(
        (vertices, edges) in (1..200u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..500))
        }),
        undirected in any::<bool>(),
        within in 0..4u32,
        step in 1..4usize,
    ) {
        let graph = multigraph(vertices, edges, undirected);
        assert_same(&graph, &PathsOptions { within: Some(within.into()), ..PathsOptions::default() });
        assert_same(&graph, &from_sources((0..vertices).rev().step_by(step), None));
    }
}

#[test]
fn searches_that_do_not_fit_are_refused() {
    let graph = generated("path:n=100000");
    let device = with_memory(4 << 20);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    let error = loaded.paths(&from_sources([0], None)).unwrap_err().to_string();
    assert!(error.contains("64 searches at once"), "{error}");
}

#[test]
fn diameters_are_those_of_the_cpu() {
    for (spec, weighted) in [
        ("er:n=400,m=1600", false),
        ("grid:width=9,height=8,drop=0.2,weights=1..9", true),
        ("components:n=60", false),
    ] {
        let graph = generated(spec);
        let options = PathsOptions { weighted, diameter: true, ..PathsOptions::default() };
        let expected = paths(&graph, &options).unwrap();
        let result = LoadedGraph::new(&device(), &graph).unwrap().paths(&options).unwrap();
        assert_eq!((result.diameter, result.ends), (expected.diameter, expected.ends), "{spec}");
        assert_eq!(result.sources, expected.sources, "{spec}");
        assert_eq!(result.eccentricities, expected.eccentricities, "{spec}");
    }
}
