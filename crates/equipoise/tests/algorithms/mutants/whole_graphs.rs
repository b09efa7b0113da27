//! Components, cores, independent sets, spanning forests and triangles: for each graph one result is right.

use std::fmt::Debug;

use equipoise::{
    Error, NONE,
    components::{Components, ComponentsOptions, components},
    graph::{Graph, Weights},
    kcore::{KCore, kcore},
    mis::{Mis, MisOptions, mis},
    mst::{MstOptions, SpanningForest, TotalWeight, mst},
    triangles::{Triangles, TrianglesOptions, triangles},
};
use proptest::prelude::*;

use super::{Shape, odd, random, rearranged};

/// Fails unless the verifier accepts the right values and refuses all others.
fn only_right_values_pass<T: Clone + Debug + PartialEq>(
    what: &str,
    shape: &Shape,
    right: &[T],
    tables: Vec<Vec<T>>,
    verify: impl Fn(Vec<T>) -> Result<(), Error>,
) {
    verify(right.to_vec()).unwrap_or_else(|error| panic!("{what} of {shape:?}: {error}"));
    for table in tables {
        let verdict = verify(table.clone());
        assert_eq!(verdict.is_ok(), table == right, "{what} of {shape:?}: {table:?}, {verdict:?}");
    }
}

/// Every change of one value, of pairs, of blocks and of the whole.
fn changed(right: &[u32]) -> Vec<Vec<u32>> {
    let mut tables = rearranged(right, &[0, NONE]);
    for index in 0..right.len() {
        for value in (0..=right.len() as u32).chain([1 << 31, NONE - 1, NONE]) {
            let mut table = right.to_vec();
            table[index] = value;
            tables.push(table);
        }
    }
    tables
}

/// Whether a path leads from each vertex to each other, over edges of either direction if wanted.
#[expect(clippy::needless_range_loop, reason = "rows and columns are indexed alike")]
fn reachable(graph: &Graph, either: bool) -> Vec<Vec<bool>> {
    let vertices = graph.vertices() as usize;
    let mut reaches = vec![vec![false; vertices]; vertices];
    for vertex in 0..vertices {
        reaches[vertex][vertex] = true;
        for &target in graph.neighbors(vertex as u32) {
            reaches[vertex][target as usize] = true;
            reaches[target as usize][vertex] |= either;
        }
    }
    for through in 0..vertices {
        for from in 0..vertices {
            for to in 0..vertices {
                reaches[from][to] |= reaches[from][through] && reaches[through][to];
            }
        }
    }
    reaches
}

fn check_components(shape: &Shape, strong: bool) {
    let graph = shape.unweighted();
    let options = ComponentsOptions { strong, ..ComponentsOptions::default() };
    let find = |shape: &Shape| components(&shape.unweighted(), &options).unwrap();
    let reaches = reachable(&graph, !strong);
    let vertices = 0..graph.vertices();
    let are_joined =
        |a: u32, b: u32| reaches[a as usize][b as usize] && reaches[b as usize][a as usize];
    let label = |vertex: u32| (0..=vertex).find(|&other| are_joined(other, vertex)).unwrap();
    let expected: Vec<u32> = vertices.map(label).collect();
    let mut tables = changed(&expected);
    tables.extend(shape.neighbours().iter().map(|other| find(other).labels));
    let right = find(shape);
    only_right_values_pass("components", shape, &expected, tables, |labels| {
        let count = (0..).zip(&labels).filter(|(vertex, label)| vertex == *label).count() as u32;
        let of_label = |&label: &u32| labels.iter().filter(|&&other| other == label).count();
        let largest = labels.iter().map(of_label).max().unwrap_or(0) as u32;
        Components { labels, count, largest, ..right.clone() }.verify(&graph)
    });
    let numbers = [(right.count + 1, right.largest), (right.count, right.largest + 1)];
    for (count, largest) in numbers {
        assert!(Components { count, largest, ..right.clone() }.verify(&graph).is_err());
    }
}

/// The neighbours of each vertex over edges of either direction, itself left out.
fn neighbours(graph: &Graph) -> Vec<Vec<u32>> {
    let vertices = 0..graph.vertices();
    let is_edge =
        |a: u32, b: u32| graph.neighbors(a).contains(&b) || graph.neighbors(b).contains(&a);
    let row = |a: u32| vertices.clone().filter(|&b| a != b && is_edge(a, b)).collect();
    vertices.clone().map(row).collect()
}

fn check_cores(shape: &Shape) {
    let graph = shape.unweighted();
    let neighbours = neighbours(&graph);
    let mut expected = vec![0u32; neighbours.len()];
    for core in 1..=graph.vertices() {
        let mut is_in = vec![true; neighbours.len()];
        for _ in 0..neighbours.len() {
            for vertex in 0..neighbours.len() {
                let degree =
                    neighbours[vertex].iter().filter(|&&other| is_in[other as usize]).count();
                is_in[vertex] &= degree >= core as usize;
            }
        }
        is_in
            .iter()
            .zip(&mut expected)
            .filter(|(is_in, _)| **is_in)
            .for_each(|(_, max)| *max = core);
    }
    let mut tables = changed(&expected);
    tables.extend(shape.neighbours().iter().map(|other| kcore(&other.unweighted()).unwrap().cores));
    let right = kcore(&graph).unwrap();
    only_right_values_pass("cores", shape, &expected, tables, |cores| {
        let degeneracy = cores.iter().copied().max().unwrap_or(0);
        KCore { cores, degeneracy, ..right.clone() }.verify(&graph)
    });
    assert!(KCore { degeneracy: right.degeneracy + 1, ..right }.verify(&graph).is_err());
}

fn check_triangles(shape: &Shape) {
    let graph = shape.unweighted();
    let neighbours = neighbours(&graph);
    let are_neighbours = |a: u32, b: u32| neighbours[a as usize].contains(&b);
    let count = |vertex: u32| {
        let row = &neighbours[vertex as usize];
        let pairs = row.iter().flat_map(|&a| row.iter().map(move |&b| (a, b)));
        pairs.filter(|&(a, b)| a < b && are_neighbours(a, b)).count() as u32
    };
    let expected: Vec<u32> = (0..graph.vertices()).map(count).collect();
    let find = |graph: &Graph| triangles(graph, &TrianglesOptions::default()).unwrap();
    let mut tables = changed(&expected);
    let narrow = |counts: Vec<u64>| counts.into_iter().map(|count| count as u32).collect();
    tables.extend(shape.neighbours().iter().map(|other| narrow(find(&other.unweighted()).counts)));
    let right = find(&graph);
    only_right_values_pass("triangles", shape, &expected, tables, |counts| {
        let counts: Vec<u64> = counts.into_iter().map(u64::from).collect();
        let total = counts.iter().sum::<u64>() / 3;
        Triangles { counts, total, ..right.clone() }.verify(&graph)
    });
    assert!(Triangles { total: right.total + 1, ..right.clone() }.verify(&graph).is_err());
    only_right_values_pass("degrees", shape, &right.degrees, changed(&right.degrees), |degrees| {
        Triangles { degrees, ..right.clone() }.verify(&graph)
    });
}

fn check_independent_set(shape: &Shape) {
    let graph = shape.unweighted();
    let options = MisOptions::default();
    let right = mis(&graph, &options).unwrap();
    // All possible sets: one of them is right.
    let sets = (0..1u32 << graph.vertices()).map(|bits| {
        (0..graph.vertices()).map(|vertex| bits >> vertex & 1 == 1).collect::<Vec<_>>()
    });
    only_right_values_pass("set", shape, &right.in_set, sets.collect(), |in_set| {
        let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
        Mis { in_set, size, ..right.clone() }.verify(&graph, &options)
    });
    assert!(Mis { size: right.size + 1, ..right }.verify(&graph, &options).is_err());
}

fn check_forest(shape: &Shape) {
    let both = shape.edges.iter().flat_map(|&(a, b, weight)| [(a, b, weight), (b, a, weight)]);
    let doubled = Shape { vertices: shape.vertices, edges: both.collect() };
    let graph = doubled.whole();
    let right = mst(&graph, &MstOptions::default()).unwrap();
    let all: Vec<(u32, u32, u32)> = {
        let ordered = shape.edges.iter().map(|&(a, b, weight)| (a.min(b), a.max(b), weight));
        let mut ordered: Vec<_> = ordered.filter(|(a, b, _)| a != b).collect();
        ordered.sort_unstable();
        ordered.dedup();
        ordered
    };
    let weights =
        |weights: &Weights| (0..right.edges.len()).map(|i| weights.get(i) as u32).collect();
    let weights: Vec<u32> = weights(&right.weights);
    let edges = right.edges.iter().zip(&weights);
    let expected: Vec<_> = edges.map(|(&(a, b), &weight)| (a, b, weight)).collect();
    // All sets of the edges, up to a number, the whole with one edge twice, and an edge that does not exist.
    let subsets = (0..1u32 << all.len().min(10)).map(|bits| {
        let edges = all.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
        edges.map(|(_, &edge)| edge).collect::<Vec<_>>()
    });
    let mut tables: Vec<_> = subsets.collect();
    for index in 0..expected.len() {
        for weight in [0, expected[index].2.wrapping_sub(1), expected[index].2 + 1] {
            let mut table = expected.clone();
            table[index].2 = weight;
            tables.push(table.clone());
            table.insert(index, expected[index]);
            tables.push(table);
        }
    }
    only_right_values_pass("forest", shape, &expected, tables, |edges| {
        let weights: Vec<u32> = edges.iter().map(|&(.., weight)| weight).collect();
        let total = TotalWeight::U64(weights.iter().map(|&weight| u64::from(weight)).sum());
        let trees = shape.vertices.saturating_sub(edges.len() as u32);
        let edges = edges.into_iter().map(|(a, b, _)| (a, b)).collect();
        SpanningForest { edges, weights: Weights::from(weights), total, trees, ..right.clone() }
            .verify(&graph)
    });
    assert!(SpanningForest { trees: right.trees + 1, ..right.clone() }.verify(&graph).is_err());
}

fn verifiers_agree(shape: &Shape) {
    check_components(shape, false);
    check_components(shape, true);
    check_cores(shape);
    check_triangles(shape);
    check_independent_set(shape);
    check_forest(shape);
}

#[test]
fn odd_graphs() {
    odd().iter().for_each(verifiers_agree);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_graphs(shape in random()) {
        verifiers_agree(&shape);
    }
}
