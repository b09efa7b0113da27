//! Connected communities, the constant Potts model, and the options that Louvain and Leiden have in common.

use equipoise::{
    algorithm::Algorithm,
    communities::{
        Communities, CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy, communities,
    },
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, multigraph as graph, odd_graphs},
    in_pool,
};

const BOTH: [CommunitiesStrategy; 2] = [CommunitiesStrategy::Louvain, CommunitiesStrategy::Leiden];

fn by(strategy: CommunitiesStrategy) -> CommunitiesOptions {
    CommunitiesOptions { strategy, ..CommunitiesOptions::default() }
}

fn by_cpm(strategy: CommunitiesStrategy, resolution: f64) -> CommunitiesOptions {
    CommunitiesOptions { objective: CommunitiesObjective::Cpm, resolution, ..by(strategy) }
}

/// Verified communities.
fn verified(graph: &Graph, options: &CommunitiesOptions) -> Communities {
    let result = communities(graph, options).unwrap();
    result.verify(graph, options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    result
}

type Edges = Vec<(u32, u32, u32)>;

/// Cliques in a circle, with an edge from each to the next.
fn ring_of_cliques(count: u32, size: u32) -> Edges {
    let first = |clique| clique % count * size;
    let within = |clique| {
        let members = first(clique)..first(clique) + size;
        members.clone().flat_map(move |a| (a + 1..members.end).map(move |b| (a, b, 1)))
    };
    let between = (0..count).map(|clique| (first(clique), first(clique + 1) + 1, 1));
    (0..count).flat_map(within).chain(between).collect()
}

/// The community of each vertex of a ring of cliques.
fn cliques(count: u32, size: u32) -> Vec<u32> {
    (0..count * size).map(|vertex| vertex / size).collect()
}

/// The constant Potts model by its definition.
fn cpm(edges: &Edges, communities: &[u32], resolution: f64) -> f64 {
    let same = |a: usize, b: usize| communities[a] == communities[b];
    let inside = edges.iter().filter(|(a, b, _)| same(*a as usize, *b as usize));
    let inside: f64 = inside.map(|&(_, _, weight)| f64::from(weight)).sum();
    let pairs = (0..communities.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    inside - resolution * pairs.filter(|&(a, b)| same(a, b)).count() as f64
}

/// The modularity of a directed graph by its definition: a sum over all pairs of vertices of one community.
fn directed_modularity(edges: &Edges, communities: &[u32], resolution: f64) -> f64 {
    let mut matrix = vec![vec![0.0; communities.len()]; communities.len()];
    for &(from, to, weight) in edges {
        matrix[from as usize][to as usize] += f64::from(weight);
    }
    let leaving = |v: usize| matrix[v].iter().sum::<f64>();
    let entering = |v: usize| matrix.iter().map(|row| row[v]).sum::<f64>();
    let all: f64 = (0..communities.len()).map(leaving).sum();
    let pairs = (0..communities.len()).flat_map(|a| (0..communities.len()).map(move |b| (a, b)));
    let same = pairs.filter(|&(a, b)| communities[a] == communities[b]);
    let sum: f64 =
        same.map(|(a, b)| matrix[a][b] - resolution * leaving(a) * entering(b) / all).sum();
    if all == 0.0 { 0.0 } else { sum / all }
}

/// The largest value over all partitions of the vertices.
fn best(vertices: usize, value: &dyn Fn(&[u32]) -> f64) -> f64 {
    fn extend(labels: &mut Vec<u32>, vertices: usize, value: &dyn Fn(&[u32]) -> f64) -> f64 {
        if labels.len() == vertices {
            return value(labels);
        }
        let next = labels.iter().max().map_or(0, |most| most + 1);
        let tried = (0..=next).map(|label| {
            labels.push(label);
            let best = extend(labels, vertices, value);
            labels.pop();
            best
        });
        tried.fold(f64::NEG_INFINITY, f64::max)
    }
    extend(&mut Vec::new(), vertices, value)
}

/// Whether edges within each community connect it.
fn are_connected(edges: &Edges, communities: &[u32]) -> bool {
    let mut reached = vec![false; communities.len()];
    for community in communities.iter().copied().collect::<std::collections::BTreeSet<_>>() {
        reached[communities.iter().position(|&it| it == community).unwrap()] = true;
    }
    for _ in 0..communities.len() {
        for &(a, b, _) in edges {
            let (a, b) = (a as usize, b as usize);
            if communities[a] == communities[b] && (reached[a] || reached[b]) {
                (reached[a], reached[b]) = (true, true);
            }
        }
    }
    reached.into_iter().all(|reached| reached)
}

fn any_edges(most: u32) -> impl proptest::strategy::Strategy<Value = (u32, Edges)> {
    (2..most).prop_flat_map(|vertices| {
        let edge = (0..vertices, 0..vertices, 0..5u32);
        (Just(vertices), prop::collection::vec(edge, 0..50))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn communities_of_leiden_are_connected(
        (vertices, edges) in any_edges(30),
        undirected in any::<bool>(),
        resolution in 0.0..2.0f64,
        objective in prop::sample::select(CommunitiesObjective::ALL),
        seed in 0..99u64,
        max_community_size in 0..9u32,
    ) {
        let strategy = CommunitiesStrategy::Leiden;
        let options = CommunitiesOptions { objective, resolution, seed, max_community_size, ..by(strategy) };
        let result = verified(&graph(vertices, edges.clone(), undirected), &options);
        prop_assert!(are_connected(&edges, &result.communities));
        prop_assert!(result.converged);
    }

    #[test]
    fn directed_modularity_is_that_of_the_definition(
        (vertices, edges) in any_edges(8),
        resolution in 0.0..3.0f64,
    ) {
        let objective = CommunitiesObjective::DirectedModularity;
        let value = |labels: &[u32]| directed_modularity(&edges, labels, resolution);
        let best = best(vertices as usize, &value);
        for strategy in BOTH {
            let options = CommunitiesOptions { objective, resolution, ..by(strategy) };
            let result = verified(&graph(vertices, edges.clone(), false), &options);
            let quality = result.quality.unwrap();
            prop_assert!((quality - value(&result.communities)).abs() < 1e-9, "{quality}");
            prop_assert!(quality <= best + 1e-9);
            // Both find a local maximum.
            let alone: Vec<u32> = (0..vertices).collect();
            prop_assert!(quality >= value(&alone) - 1e-9);
            // Without directions it is modularity.
            let undirected = graph(vertices, edges.clone(), true);
            let result = verified(&undirected, &options);
            prop_assert_eq!(result.quality, Some(result.modularity));
        }
    }

    #[test]
    fn cpm_is_that_of_the_definition((vertices, edges) in any_edges(8), resolution in 0.0..3.0f64) {
        let best = best(vertices as usize, &|labels| cpm(&edges, labels, resolution));
        for strategy in BOTH {
            let result = verified(&graph(vertices, edges.clone(), true), &by_cpm(strategy, resolution));
            let quality = result.quality.unwrap();
            prop_assert!((quality - cpm(&edges, &result.communities, resolution)).abs() < 1e-9);
            prop_assert!(quality <= best + 1e-9);
            // Vertices alone are worth their loops.
            let alone: Vec<u32> = (0..vertices).collect();
            prop_assert!(quality >= cpm(&edges, &alone, resolution) - 1e-9);
        }
    }

    #[test]
    fn no_community_is_larger_than_allowed(
        (vertices, edges) in any_edges(40),
        max_community_size in 1..6u32,
    ) {
        let graph = graph(vertices, edges, false);
        for strategy in BOTH {
            let result = verified(&graph, &CommunitiesOptions { max_community_size, ..by(strategy) });
            prop_assert!(result.sizes().into_iter().all(|size| size <= max_community_size));
        }
    }
}

#[test]
fn cliques_in_a_ring_are_communities() {
    let (ring, truth) = (graph(60, ring_of_cliques(12, 5), true), cliques(12, 5));
    for strategy in BOTH {
        let result = verified(&ring, &by_cpm(strategy, 0.5));
        assert_eq!(result.communities, truth, "{strategy}");
        assert_eq!(result.quality, Some(12.0 * (10.0 - 0.5 * 10.0)));
        let limited = CommunitiesOptions { max_community_size: 5, ..by(strategy) };
        assert_eq!(verified(&ring, &limited).communities, truth, "{strategy}");
    }
    let edges = ring_of_cliques(2, 4);
    let result =
        verified(&graph(8, edges.clone(), true), &by_cpm(CommunitiesStrategy::Leiden, 0.5));
    assert_eq!(result.quality, Some(best(8, &|labels| cpm(&edges, labels, 0.5))));
}

#[test]
fn leiden_is_no_worse_than_louvain() {
    for spec in ["grid:width=60,height=60", "rmat:scale=11", "small-world:n=4000,k=8,rewire=0.1"] {
        let graph = generated(spec);
        let [louvain, leiden] = BOTH.map(|strategy| verified(&graph, &by(strategy)).modularity);
        assert!(leiden > louvain - 0.002, "{spec}: {leiden} {louvain}");
    }
}

#[test]
fn the_true_communities_stay() {
    let (ring, truth) = (graph(60, ring_of_cliques(12, 5), true), cliques(12, 5));
    let shifted: Vec<u32> = truth.iter().map(|&clique| u32::MAX - 7 * clique).collect();
    for strategy in BOTH {
        for options in
            [by_cpm(strategy, 0.5), CommunitiesOptions { resolution: 4.0, ..by(strategy) }]
        {
            let options = CommunitiesOptions { initial: Some(shifted.clone()), ..options };
            assert_eq!(verified(&ring, &options).communities, truth, "{strategy}");
        }
        // Everything in one community falls apart.
        let options = CommunitiesOptions { initial: Some(vec![3; 60]), ..by_cpm(strategy, 0.5) };
        assert_eq!(verified(&ring, &options).communities, truth, "{strategy}");
    }
}

#[test]
fn odd_graphs_have_communities_with_all_options() {
    let shapes = ["isolated:n=0", "isolated:n=1", "isolated:n=7", "star:n=30"].map(generated);
    for graph in odd_graphs().into_iter().chain(shapes) {
        for strategy in BOTH {
            for options in [by(strategy), by_cpm(strategy, 0.0), by_cpm(strategy, 2.0)] {
                let initial = Some((0..graph.vertices()).map(|vertex| vertex % 2).collect());
                verified(&graph, &options);
                verified(&graph, &CommunitiesOptions { initial, levels: true, ..options.clone() });
                verified(&graph, &CommunitiesOptions { max_community_size: 2, ..options });
            }
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same_communities_with_all_options() {
    let graph = generated("rmat:scale=12,weights=0.1..9.9");
    let initial = Some((0..graph.vertices()).map(|vertex| vertex / 9).collect());
    for strategy in BOTH {
        for options in [
            by_cpm(strategy, 0.01),
            CommunitiesOptions { max_community_size: 50, ..by(strategy) },
            CommunitiesOptions { initial: initial.clone(), ..by(strategy) },
        ] {
            let of = |threads| in_pool(threads, || verified(&graph, &options).communities);
            let alone = of(1);
            assert!(of(2) == alone && of(5) == alone, "{strategy}");
        }
    }
}

#[test]
fn ten_runs_find_the_same_communities() {
    // A hub has more edges than a thread adds up alone.
    let hub = (1..5000).map(|vertex| (0, vertex, 1 + vertex % 5));
    let ring = (1..5000).map(|vertex| (vertex, 1 + vertex * 7 % 4999, vertex % 3));
    let edges: Edges = hub.chain(ring).collect();
    let directed = graph(5000, edges, false);
    for strategy in BOTH {
        for objective in CommunitiesObjective::ALL {
            let options = CommunitiesOptions { objective: *objective, ..by(strategy) };
            let first = in_pool(1, || verified(&directed, &options).communities);
            for _ in 0..10 {
                assert!(
                    verified(&directed, &options).communities == first,
                    "{strategy} {objective}"
                );
            }
        }
    }
}

#[test]
fn levels_are_reported() {
    let graph = generated("grid:width=30,height=30");
    for strategy in BOTH {
        let options = CommunitiesOptions { levels: true, ..by(strategy) };
        let result = verified(&graph, &options);
        assert_eq!(result.hierarchy.len(), result.levels.len());
        assert_eq!(result.hierarchy.last(), Some(&result.communities));
        let report = result.report(&graph, &options);
        let [matrix, columns] = &report.tables[..] else { panic!("{}", report.tables.len()) };
        assert_eq!(matrix.matrix, Some([result.levels.len(), 900]));
        let names: Vec<&str> = columns.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names[..3], ["community", "level1", "level2"]);
        assert!(verified(&graph, &by(strategy)).hierarchy.is_empty());
    }
}

#[test]
fn options_without_a_meaning_are_refused() {
    let graph = generated("path:n=3");
    let labels = by(CommunitiesStrategy::LabelPropagation);
    let initial = |labels: &[u32]| Some(labels.to_vec());
    for (options, problem) in [
        (CommunitiesOptions { levels: true, ..labels.clone() }, "`levels` is for louvain"),
        (CommunitiesOptions { initial: initial(&[1; 3]), ..labels.clone() }, "`initial` is for"),
        (CommunitiesOptions { max_community_size: 1, ..labels }, "`max-community-size` is for"),
        (by_cpm(CommunitiesStrategy::LabelPropagation, 1.0), "`objective` is for"),
        (
            CommunitiesOptions { initial: initial(&[1; 2]), ..CommunitiesOptions::default() },
            "2 initial communities, 3 vertices",
        ),
        (
            CommunitiesOptions {
                initial: initial(&[1; 3]),
                max_community_size: 2,
                ..CommunitiesOptions::default()
            },
            "an initial community has 3 vertices",
        ),
    ] {
        let error = communities(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// A result with other communities, and the values of these.
fn with(
    result: &Communities,
    edges: &Edges,
    communities: Vec<u32>,
    resolution: f64,
) -> Communities {
    let count = communities.iter().max().unwrap() + 1;
    let size = |community| communities.iter().filter(|&&it| it == community).count() as u32;
    let quality = cpm(edges, &communities, resolution);
    let graph = graph(communities.len() as u32, edges.clone(), true);
    let modularity = modularity(&graph, &communities, resolution);
    Communities {
        largest: (0..count).map(size).max().unwrap(),
        count,
        communities,
        modularity,
        quality: Some(quality),
        levels: vec![quality],
        ..result.clone()
    }
}

fn modularity(graph: &Graph, communities: &[u32], resolution: f64) -> f64 {
    let degree = |vertex| graph.degree(vertex) as f64;
    let all = graph.edges() as f64;
    let vertices = 0..graph.vertices();
    let inside = vertices.clone().flat_map(|a| graph.neighbors(a).iter().map(move |&b| (a, b)));
    let inside = inside.filter(|&(a, b)| communities[a as usize] == communities[b as usize]);
    let count = communities.iter().max().map_or(0, |most| most + 1);
    let strength = |community: u32| -> f64 {
        vertices.clone().filter(|&v| communities[v as usize] == community).map(degree).sum()
    };
    let expected: f64 = (0..count).map(|community| (strength(community) / all).powi(2)).sum();
    inside.count() as f64 / all - resolution * expected
}

#[test]
fn wrong_communities_of_leiden_are_refused() {
    let resolution = 0.5;
    let (edges, truth) = (ring_of_cliques(4, 5), cliques(4, 5));
    let ring = graph(20, edges.clone(), true);
    let options = by_cpm(CommunitiesStrategy::Leiden, resolution);
    let right = verified(&ring, &options);
    let changed = |communities| with(&right, &edges, communities, resolution);
    changed(truth.clone()).verify(&ring, &options).unwrap();
    let merged: Vec<u32> = truth.iter().map(|&clique| clique / 2).collect();
    let opposite: Vec<u32> = truth.iter().map(|&clique| clique % 2).collect();
    let mut split = truth.clone();
    split[18..].fill(4);
    let small = CommunitiesOptions { max_community_size: 4, ..options.clone() };
    for (wrong, options, problem) in [
        (changed(opposite), &options, "is not connected: no path within it leads from vertex 0 to"),
        (changed(split), &options, "communities that join others gain"),
        (Communities { quality: Some(20.1), ..right.clone() }, &options, "the cpm is 20, not"),
        (Communities { quality: None, ..right.clone() }, &options, "the cpm is 20, not None"),
        (Communities { quality: right.quality, ..changed(merged) }, &options, "the cpm is"),
        (Communities { levels: vec![19.0], ..right.clone() }, &options, "the last level has a cpm"),
        (Communities { levels: vec![21.0, 20.0], ..right.clone() }, &options, "cpm falls from 21"),
        (right.clone(), &small, "a community has 5 vertices, and 4 are allowed"),
        (Communities { modularity: 0.1, ..right.clone() }, &options, "the modularity is"),
    ] {
        let error = wrong.verify(&ring, options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let objective = CommunitiesObjective::DirectedModularity;
    let (cycles, directed) = (graph(20, edges, false), CommunitiesOptions { objective, ..options });
    let right = verified(&cycles, &directed);
    let quality = right.quality.map(|quality| quality + 1e-6);
    let error = Communities { quality, ..right }.verify(&cycles, &directed).unwrap_err();
    assert!(error.to_string().contains("the directed-modularity is"), "{error}");
}
