//! Statistics against brute force.

use equipoise_graph::{
    Edges, Graph, GraphBuilder, Weights,
    io::ReadOptions,
    load,
    stats::{Bin, Degrees, Statistics},
};
use proptest::prelude::*;

use crate::common::on_threads;

fn statistics_of(source: &str) -> Statistics {
    let graph = load(source, &ReadOptions::default()).expect(source);
    Statistics::new(&graph).expect(source)
}

/// A few vertices and a varying number of edges, including loops and duplicates.
fn graphs() -> impl Strategy<Value = Graph> {
    (0..40u32, any::<bool>()).prop_flat_map(|(n, undirected)| {
        let most = if n == 0 { 0 } else { 2 * n as usize };
        let ends = 0..n.max(1);
        proptest::collection::vec((ends.clone(), ends, 0..9u32), 0..=most).prop_map(move |edges| {
            let builder = GraphBuilder::new().vertices(n.into()).undirected(undirected);
            builder.build(Edges::from(edges)).expect("vertices in range")
        })
    })
}

/// Whether an edge exists in either direction.
fn joined(graph: &Graph, a: u32, b: u32) -> bool {
    graph.neighbors(a).contains(&b) || graph.neighbors(b).contains(&a)
}

/// Distances along edges in either direction, by Floyd-Warshall.
fn distances(graph: &Graph) -> Vec<Vec<Option<u32>>> {
    let n = graph.vertices();
    let mut distances: Vec<Vec<Option<u32>>> = (0..n)
        .map(|a| {
            let first = |b| if a == b { Some(0) } else { joined(graph, a, b).then_some(1) };
            (0..n).map(first).collect()
        })
        .collect();
    for via in 0..n as usize {
        for a in 0..n as usize {
            for b in 0..n as usize {
                if let (Some(one), Some(two)) = (distances[a][via], distances[via][b]) {
                    let old = distances[a][b].unwrap_or(u32::MAX);
                    distances[a][b] = Some(old.min(one + two));
                }
            }
        }
    }
    distances
}

fn assert_describes(degrees: &Degrees, mut values: Vec<u64>) -> Result<(), TestCaseError> {
    values.sort_unstable();
    let n = values.len() as f64;
    if values.is_empty() {
        values.push(0);
        prop_assert!(degrees.histogram.is_empty());
    }
    prop_assert_eq!((degrees.min, degrees.max), (values[0], values[values.len() - 1]));
    let mean = values.iter().sum::<u64>() as f64 / n.max(1.0);
    let squares = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum::<f64>();
    prop_assert!((degrees.mean - mean).abs() < 1e-9);
    prop_assert!((degrees.deviation - (squares / n.max(1.0)).sqrt()).abs() < 1e-9);
    for (p, found) in
        [(1, degrees.lower_quartile), (2, degrees.median), (3, degrees.upper_quartile)]
    {
        // In quarters of a step between two values.
        let position = p * (values.len() - 1);
        let (low, step) = (position / 4, position % 4);
        let high = values[(low + 1).min(values.len() - 1)] as f64;
        let expected = values[low] as f64 * (4 - step) as f64 / 4.0 + high * step as f64 / 4.0;
        prop_assert!((found - expected).abs() < 1e-9, "{p}: {found} {expected} {values:?}");
    }
    let mut from = 0;
    for bin in &degrees.histogram {
        prop_assert_eq!(bin.from, from);
        prop_assert_eq!(bin.to, if from < 2 { from } else { 2 * from - 1 });
        let inside = values.iter().filter(|&&value| (bin.from..=bin.to).contains(&value));
        prop_assert_eq!(bin.vertices, if n == 0.0 { 0 } else { inside.count() as u64 });
        from = bin.to + 1;
    }
    let counted: u64 = degrees.histogram.iter().map(|bin| bin.vertices).sum();
    prop_assert_eq!(counted as f64, n);
    prop_assert!(degrees.histogram.last().is_none_or(|bin| bin.vertices > 0));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn numbers_are_those_of_brute_force(graph in graphs()) {
        let found = Statistics::new(&graph).unwrap();
        let n = graph.vertices();
        prop_assert_eq!((found.vertices, found.edges), (n, graph.edges()));

        let into = |v: u32| (0..n).flat_map(|u| graph.neighbors(u)).filter(|&&t| t == v).count();
        let entering: Vec<u64> = (0..n).map(|v| into(v) as u64).collect();
        let leaving: Vec<u64> = (0..n).map(|v| graph.neighbors(v).len() as u64).collect();
        let isolated = (0..n as usize).filter(|&v| entering[v] + leaving[v] == 0).count();
        prop_assert_eq!(found.isolated as usize, isolated);
        assert_describes(&found.in_degrees, entering)?;
        assert_describes(&found.out_degrees, leaving)?;

        let copies = |u: u32, v: u32| graph.neighbors(u).iter().filter(|&&t| t == v).count() as u64;
        let pairs = || (0..n).flat_map(|u| (0..n).map(move |v| (u, v)));
        let loops: u64 = (0..n).map(|v| copies(v, v)).sum();
        prop_assert_eq!(found.self_loops, loops);
        let duplicates: u64 = pairs().map(|(u, v)| copies(u, v).saturating_sub(1)).sum();
        prop_assert_eq!(found.duplicates, duplicates);
        let once = || pairs().filter(|(u, v)| u <= v).map(|(u, v)| copies(u, v)).sum::<u64>();
        prop_assert_eq!(found.undirected_edges, graph.is_undirected().then(once));
    }

    #[test]
    fn components_and_diameter_are_those_of_brute_force(graph in graphs()) {
        let found = Statistics::new(&graph).unwrap();
        let distances = distances(&graph);
        let n = graph.vertices() as usize;
        let lowest = |a: usize| (0..n).find(|&b| distances[a][b].is_some()).unwrap();
        let members = |a: usize| (0..n).filter(|&b| lowest(b) == a).count() as u32;
        let mut sizes: Vec<u32> = (0..n).map(members).filter(|&size| size > 0).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        prop_assert_eq!(found.components.count as usize, sizes.len());
        prop_assert_eq!(&found.components.largest, &sizes[..sizes.len().min(10)]);

        let largest = (0..n).max_by_key(|&a| (members(a), std::cmp::Reverse(a)));
        let inside: Vec<usize> = (0..n).filter(|&a| Some(lowest(a)) == largest).collect();
        let far = |&a: &usize| inside.iter().filter_map(|&b| distances[a][b]).max().unwrap();
        let diameter = inside.iter().map(far).max().unwrap_or(0);
        prop_assert!(found.diameter_at_least <= diameter);
        // Any eccentricity is at least half statistics_of the diameter.
        prop_assert!(2 * found.diameter_at_least >= diameter);
    }

    #[test]
    fn weights_are_those_of_brute_force(values in proptest::collection::vec(-9.0..9.0f32, 0..50)) {
        let edges: Vec<(u32, u32, f32)> = values.iter().map(|&value| (0, 1, value)).collect();
        let graph = GraphBuilder::new().build(Edges::from(edges)).unwrap();
        let found = Statistics::new(&graph).unwrap().weights;
        prop_assert_eq!(found.is_none(), values.is_empty());
        if let Some(found) = found {
            let smallest = values.iter().copied().fold(f32::INFINITY, f32::min);
            let largest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert_eq!(found.kind, "f32");
            prop_assert_eq!((found.min, found.max), (smallest.into(), largest.into()));
            let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len() as f64;
            prop_assert!((found.mean - mean).abs() < 1e-12);
        }
    }
}

#[test]
fn a_weight_that_is_no_number_shows() {
    for place in 0..3 {
        let mut weights = vec![1.0, 2.0, 3.0];
        weights[place] = f32::NAN;
        let edges = Edges::new(vec![0; 3], vec![1; 3], Some(Weights::from(weights))).unwrap();
        let graph = GraphBuilder::new().build(edges).unwrap();
        let found = Statistics::new(&graph).unwrap().weights.unwrap();
        assert!(found.min.is_nan() && found.max.is_nan() && found.mean.is_nan(), "{found:?}");
    }
}

#[test]
fn shapes_have_the_numbers_they_must() {
    let path = statistics_of("path:n=5000");
    assert_eq!((path.diameter_at_least, path.components.count), (4999, 1));
    assert_eq!(statistics_of("tree:n=1023").diameter_at_least, 18);
    assert_eq!(statistics_of("grid:width=100,height=70").diameter_at_least, 168);
    assert_eq!(statistics_of("star:n=100").diameter_at_least, 2);
    assert_eq!(statistics_of("complete:n=50").diameter_at_least, 1);
    let directed = statistics_of("path:n=100,directed=true");
    assert_eq!((directed.diameter_at_least, directed.components.count), (99, 1));
    assert_eq!((directed.undirected_edges, directed.in_degrees.max), (None, 1));
    let isolated = statistics_of("isolated:n=30");
    assert_eq!((isolated.isolated, isolated.components.count), (30, 30));
    assert_eq!(isolated.out_degrees.histogram, [Bin { from: 0, to: 0, vertices: 30 }]);
    let empty = statistics_of("isolated:n=0");
    assert_eq!((empty.vertices, empty.components.count, empty.diameter_at_least), (0, 0, 0));
    assert_eq!(empty.out_degrees.mean, 0.0);
}

#[test]
fn threads_change_nothing() {
    for source in [
        "rmat:scale=14,edge-factor=1,weights=0.0..1.0",
        "rmat:scale=14,edge-factor=2,directed=true,duplicates=keep,loops=keep",
        "grid:width=300,height=300,drop=0.5",
        "er:n=30000,m=15000",
    ] {
        let on = |threads| on_threads(threads, || statistics_of(source));
        let alone = on(1);
        assert_eq!(alone, on(2), "{source}");
        assert_eq!(alone, on(7), "{source}");
    }
}
