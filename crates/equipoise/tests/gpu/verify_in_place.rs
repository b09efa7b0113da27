//! Verifiers on a GPU refuse the same results as those of the host.

use equipoise::{
    LoadedGraph, NONE,
    algorithm::Algorithm,
    betweenness::{Betweenness, BetweennessOptions},
    color::{ColorOptions, Coloring},
    components::{Components, ComponentsOptions},
    graph::{Graph, Weights},
    kcore::{KCore, KCoreOptions},
    mis::{Mis, MisOptions, MisPriority},
    mst::{MstOptions, SpanningForest, TotalWeight},
    pagerank::{PageRank, PageRankOptions},
    triangles::{Triangles, TrianglesOptions},
};

use crate::{common::device, graphs::generated};

/// Undirected graphs without loops and parallel edges, of several components and with vertices without edges.
const GRAPHS: [&str; 4] =
    ["grid:width=6,height=5,drop=0.4", "er:n=40,m=50", "cliques:count=3,size=6", "isolated:n=2"];

/// Every change of one value to these, the exchange of two neighbouring ones, and all in reverse order.
fn changed(right: &[u32], values: &[u32]) -> Vec<Vec<u32>> {
    let mut tables = vec![right.to_vec(), right.iter().rev().copied().collect()];
    for index in 0..right.len() {
        let mut swapped = right.to_vec();
        swapped.swap(index, (index + 1) % right.len());
        tables.push(swapped);
        for &value in values {
            let mut table = right.to_vec();
            table[index] = value;
            tables.push(table);
        }
    }
    tables
}

/// Fails unless GPU and host accept and refuse the same results, the right one among them.
fn verdicts_agree<A: Algorithm>(graph: &Graph, options: &A::Options, results: Vec<A>) {
    let loaded = LoadedGraph::new(&device(), graph).unwrap();
    let (mut right, mut wrong) = (0, 0);
    for (index, result) in results.iter().enumerate() {
        let on_host = result.check(graph, options);
        match result.check_in_place(&loaded, options) {
            Ok(verdict) => {
                right += 1;
                assert!(on_host.is_ok(), "{} {index}: {on_host:?}", A::NAME);
                assert!(verdict.text().ends_with("checked on the device"), "{verdict:?}");
            }
            Err(error) => {
                wrong += 1;
                assert!(on_host.is_err(), "{} {index}: {error}", A::NAME);
            }
        }
    }
    assert!(right > 0 && wrong > 0, "{}: {right} right, {wrong} wrong", A::NAME);
}

#[test]
fn components_are_refused_as_on_the_host() {
    let options = ComponentsOptions::default();
    for graph in GRAPHS.map(generated).iter() {
        let right =
            Components::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
        let tables = changed(&right.labels, &[0, 1, 7, NONE]);
        let with = |labels: Vec<u32>| {
            let count =
                (0..).zip(&labels).filter(|(vertex, label)| vertex == *label).count() as u32;
            let of_label = |&label: &u32| labels.iter().filter(|&&other| other == label).count();
            let largest = labels.iter().map(of_label).max().unwrap_or(0) as u32;
            Components { labels, count, largest, ..right.clone() }
        };
        let mut results: Vec<Components> = tables.into_iter().map(with).collect();
        // Two components merged, and one split, in all their labels.
        let merged = |from: u32, to: u32| {
            right.labels.iter().map(|&label| if label == from { to } else { label }).collect()
        };
        let first_other = right.labels.iter().copied().find(|&label| label != 0);
        results.extend(first_other.map(|label| with(merged(label, 0))));
        let split = |(vertex, &label): (usize, &u32)| label.max((vertex as u32).min(3));
        results.push(with(right.labels.iter().enumerate().map(split).collect()));
        results.push(Components { count: right.count + 1, ..right.clone() });
        results.push(Components { largest: right.largest + 1, ..right.clone() });
        verdicts_agree(graph, &options, results);
    }
}

#[test]
fn cores_are_refused_as_on_the_host() {
    let options = KCoreOptions::default();
    for graph in GRAPHS.map(generated).iter() {
        let right = KCore::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
        let with = |cores: Vec<u32>| {
            let degeneracy = cores.iter().copied().max().unwrap_or(0);
            KCore { cores, degeneracy, ..right.clone() }
        };
        let mut tables = changed(&right.cores, &[0, 1, 2, 3, 5, 9, NONE]);
        // All one core lower, and one higher.
        tables.push(right.cores.iter().map(|core| core.saturating_sub(1)).collect());
        tables.push(right.cores.iter().map(|core| core + 1).collect());
        let mut results: Vec<KCore> = tables.into_iter().map(with).collect();
        results.push(KCore { degeneracy: right.degeneracy + 1, ..right.clone() });
        verdicts_agree(graph, &options, results);
    }
}

#[test]
fn independent_sets_are_refused_as_on_the_host() {
    for priority in [MisPriority::Degree, MisPriority::Random] {
        let options = MisOptions { priority, ..MisOptions::default() };
        for graph in GRAPHS.map(generated).iter() {
            let right = Mis::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
            let in_set: Vec<u32> = right.in_set.iter().map(|&is_in| u32::from(is_in)).collect();
            let with = |table: Vec<u32>| {
                let in_set: Vec<bool> = table.into_iter().map(|is_in| is_in != 0).collect();
                let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
                Mis { in_set, size, ..right.clone() }
            };
            let mut results: Vec<Mis> = changed(&in_set, &[0, 1]).into_iter().map(with).collect();
            results.push(Mis { size: right.size + 1, ..right.clone() });
            // A right set for another order.
            let other = MisOptions { seed: 99, ..options.clone() };
            let loaded = LoadedGraph::new(&device(), graph).unwrap();
            results.push(Mis::find(&loaded, &other).unwrap());
            verdicts_agree(graph, &options, results);
        }
    }
}

#[test]
fn forests_are_refused_as_on_the_host() {
    let options = MstOptions::default();
    for spec in [
        "grid:width=6,height=5,drop=0.4,weights=1..5",
        "er:n=40,m=50,weights=1..9",
        "cliques:count=3,size=6",
        "isolated:n=2",
    ] {
        let mut graph = generated(spec);
        if let (true, Some(Weights::U32(weights))) = (spec.starts_with("er"), graph.weights()) {
            // Of either sign, and so small that some devices round them to zero when they compare them as numbers.
            let tiny = |&weight: &u32| (weight as f32 - 5.0) * 1e-40;
            let tiny: Vec<f32> = weights.iter().map(tiny).collect();
            graph = graph.with_weights(Some(tiny.into())).unwrap();
        }
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        let right = SpanningForest::find(&loaded, &options).unwrap();
        let taken: Vec<(u32, u32, f64)> = { right.edges.iter().enumerate() }
            .map(|(index, &(source, target))| (source, target, right.weights.get(index)))
            .collect();
        let all = (0..graph.vertices()).flat_map(|source| {
            let edges = graph.csr().range(source).zip(graph.neighbors(source));
            edges.map(move |(edge, &target)| (source, target, edge))
        });
        let weight = |edge: usize| graph.weights().map_or(1.0, |weights| weights.get(edge));
        let all: Vec<_> = { all.filter(|(source, target, _)| source < target) }
            .map(|(source, target, edge)| (source, target, weight(edge)))
            .collect();
        let with = |mut edges: Vec<(u32, u32, f64)>| {
            edges.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let weights = edges.iter().map(|&(.., weight)| weight);
            let sum: f64 = weights.clone().sum();
            let (weights, total) = match right.weights {
                Weights::U32(_) => {
                    let weights: Vec<u32> = weights.map(|weight| weight as u32).collect();
                    (Weights::from(weights), TotalWeight::U64(sum as u64))
                }
                _ => {
                    let weights: Vec<f32> = weights.map(|weight| weight as f32).collect();
                    (Weights::from(weights), TotalWeight::F64(sum))
                }
            };
            let trees = graph.vertices().saturating_sub(edges.len() as u32);
            let edges = edges.into_iter().map(|(source, target, _)| (source, target)).collect();
            SpanningForest { edges, weights, total, trees, ..right.clone() }
        };
        let mut results = vec![right.clone(), with(all.clone())];
        results.push(SpanningForest { trees: right.trees + 1, ..right.clone() });
        // Each edge left out, and each in place of another.
        for index in 0..taken.len() {
            let mut edges = taken.clone();
            edges.remove(index);
            results.push(with(edges.clone()));
            for &edge in &all {
                results.push(with([&edges[..], &[edge]].concat()));
            }
        }
        verdicts_agree(&graph, &options, results);
    }
}

#[test]
fn colors_are_refused_as_on_the_host() {
    let options = ColorOptions::default();
    for graph in GRAPHS.map(generated).iter() {
        let right = Coloring::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
        let with = |colors: Vec<u32>| Coloring { colors, ..right.clone() };
        let tables = changed(&right.colors, &[0, 1, 2, right.count, NONE]);
        let mut results: Vec<Coloring> = tables.into_iter().map(with).collect();
        results.push(Coloring { count: right.count + 1, ..right.clone() });
        verdicts_agree(graph, &options, results);
    }
}

#[test]
fn ranks_are_refused_as_on_the_host() {
    let options = PageRankOptions::default();
    for graph in GRAPHS.map(generated).iter() {
        let right = PageRank::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
        let mut results = vec![right.clone()];
        for (index, factor) in (0..right.ranks.len()).flat_map(|index| {
            [0.0, 0.99, 1.01, 2.0, -1.0, f32::NAN].map(move |factor| (index, factor))
        }) {
            let mut result = right.clone();
            result.ranks[index] *= factor;
            results.push(result);
        }
        let mut reversed = right.clone();
        reversed.ranks.reverse();
        results.push(reversed);
        results.push(PageRank { change: 1.0, ..right.clone() });
        verdicts_agree(graph, &options, results);
    }
}

#[test]
fn triangles_are_refused_as_on_the_host() {
    let options = TrianglesOptions::default();
    let others =
        ["complete:n=7", "rmat:scale=5,edge-factor=6", "star:n=20", "small-world:n=30,k=6"];
    for graph in GRAPHS.into_iter().chain(others).map(generated) {
        let graph = &graph;
        let right =
            Triangles::find(&LoadedGraph::new(&device(), graph).unwrap(), &options).unwrap();
        let with = |counts: Vec<u64>| Triangles { counts, ..right.clone() };
        let mut results = vec![right.clone(), with(right.counts.iter().rev().copied().collect())];
        for index in 0..right.counts.len() {
            let next = (index + 1) % right.counts.len();
            let mut swapped = right.counts.clone();
            swapped.swap(index, next);
            results.push(with(swapped));
            // The sum stays as it is, also where only the upper half of a number changes.
            for more in [1, 1 << 32] {
                let mut moved = right.counts.clone();
                moved[index] = moved[index].wrapping_add(more);
                moved[next] = moved[next].wrapping_sub(more);
                results.push(with(moved));
            }
            let mut degrees = right.degrees.clone();
            degrees[index] += 1;
            results.push(Triangles { degrees, ..right.clone() });
        }
        let counts = right.counts.iter().map(|count| count + 3).collect();
        let total = right.total + right.counts.len() as u64;
        results.push(Triangles { total, ..with(counts) });
        results.push(Triangles { total: right.total + 1, ..right.clone() });
        verdicts_agree(graph, &options, results);
    }
}

#[test]
fn betweenness_is_refused_as_on_the_host() {
    let some = Some(vec![0, 3, 1]);
    for (sources, endpoints) in [(some.clone(), false), (some, true), (None, true)] {
        let options = BetweennessOptions { sources, endpoints, ..BetweennessOptions::default() };
        for graph in GRAPHS[..3].iter().map(|graph| generated(graph)) {
            let right =
                Betweenness::find(&LoadedGraph::new(&device(), &graph).unwrap(), &options).unwrap();
            let with = |vertices: Vec<f64>| Betweenness { vertices, ..right.clone() };
            let mut results = vec![right.clone(), with(vec![0.0; right.vertices.len()])];
            results.push(with(right.vertices.iter().rev().copied().collect()));
            results.push(Betweenness { sources: right.sources + 1, ..right.clone() });
            for index in (0..right.vertices.len()).filter(|_| !endpoints) {
                let mut changed = right.vertices.clone();
                changed[index] *= if index % 2 == 0 { 0.99 } else { 1.01 };
                results.push(with(changed));
            }
            verdicts_agree(&graph, &options, results);
        }
    }
}

/// Searches of more levels than a GPU is good for, more paths than 32 bits count, and other options: the host decides.
#[test]
fn deep_searches_are_verified_on_the_host() {
    let host_decides = |graph: &str, options: &BetweennessOptions| {
        let graph = generated(graph);
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        let found = Betweenness::find(&loaded, options).unwrap();
        let verdict = found.check_in_place(&loaded, options).unwrap();
        assert!(verdict.is_proved() && !verdict.text().contains("device"), "{verdict:?}");
        let wrong = Betweenness { vertices: vec![0.0; found.vertices.len()], ..found };
        assert!(wrong.check_in_place(&loaded, options).is_err());
    };
    let from_first = BetweennessOptions { sources: Some(vec![0]), ..BetweennessOptions::default() };
    host_decides("path:n=80", &from_first);
    let from_all = BetweennessOptions::default();
    host_decides("er:n=40,m=70,directed=true", &from_all);
    host_decides("er:n=40,m=70", &BetweennessOptions { edges: true, ..from_all });
}

/// Loops, parallel edges and directions: the host has to decide.
#[test]
fn other_graphs_are_verified_on_the_host() {
    let graph = generated("er:n=30,m=60,directed=true");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let options = KCoreOptions::default();
    let cores = KCore::find(&loaded, &options).unwrap();
    let verdict = cores.check_in_place(&loaded, &options).unwrap();
    assert!(verdict.is_proved() && !verdict.text().contains("device"), "{verdict:?}");

    // A forest with weights of another type than the graph's.
    let graph = generated("grid:width=6,height=5,weights=1..5");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let options = MstOptions::default();
    let forest = SpanningForest::find(&loaded, &options).unwrap();
    let wide: Vec<f64> = (0..forest.edges.len()).map(|edge| forest.weights.get(edge)).collect();
    let total = TotalWeight::F64(wide.iter().sum());
    let forest = SpanningForest { weights: wide.into(), total, ..forest };
    let verdict = forest.check_in_place(&loaded, &options).unwrap();
    assert!(verdict.is_proved() && !verdict.text().contains("device"), "{verdict:?}");
}
