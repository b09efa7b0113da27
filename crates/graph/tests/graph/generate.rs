//! The output of the generators.

use std::collections::HashMap;

use equipoise_graph::{Csr, Edges, Graph, Weights, generate::Spec};
use proptest::prelude::*;

use crate::common::on_threads;

fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn graph(text: &str) -> Graph {
    spec(text).generate().expect(text)
}

fn edges(text: &str) -> Edges {
    spec(text).edges().expect(text)
}

/// The edges of an undirected graph, each once, from the lower to the higher vertex.
fn pairs(graph: &Graph) -> Vec<(u32, u32)> {
    let coo = graph.coo().unwrap();
    coo.sources.iter().copied().zip(coo.targets.iter().copied()).filter(|(a, b)| a <= b).collect()
}

#[test]
fn threads_change_nothing() {
    for text in [
        "rmat:scale=14,weights=1..1000",
        "rmat:scale=13,shuffle=true,duplicates=keep,loops=keep,directed=true,weights=0.5..2.0",
        "kronecker:scale=14,seed=5",
        "er:n=50000,m=400000,weights=1..9",
        "er:n=500,m=124000",
        "grid:width=300,height=200,drop=0.2,weights=0.0..1.0",
        "small-world:n=30000,k=3,rewire=0.2",
        "power-law:n=20000,m=90000,skew=4",
        "bipartite:left=100,right=20000,m=50000,weights=1..9",
        "cliques:count=300,size=12",
        "complete:n=400",
        "tree:n=100000,weights=1..5",
    ] {
        let on = |threads| on_threads(threads, || graph(text));
        let alone = on(1);
        for threads in [2, 3, 7] {
            assert_eq!(alone, on(threads), "{text} on {threads} threads");
        }
    }
}

/// The graph of a spec by its definition: edges in both directions in the order of generation,
/// sorted by their ends only; if `merged`, the lightest of equal edges.
fn by_definition(text: &str, merged: bool, loops: bool) -> Graph {
    let (spec, edges) = (spec(text), edges(text));
    let weight = |edge: usize| edges.weights().map_or(0.0, |weights| weights.get(edge));
    let mut entries = Vec::new();
    for (edge, (&source, &target)) in edges.sources().iter().zip(edges.targets()).enumerate() {
        if source != target || loops {
            entries.push((source, target, weight(edge)));
        }
        if source != target && !spec.directed {
            entries.push((target, source, weight(edge)));
        }
    }
    entries.sort_by_key(|&(source, target, _)| (source, target));
    if merged {
        entries.dedup_by(|later, first| {
            let equal = (later.0, later.1) == (first.0, first.1);
            first.2 = if equal { first.2.min(later.2) } else { first.2 };
            equal
        });
    }
    let vertices = graph(text).vertices();
    let ends = (0..=vertices).map(|row| entries.partition_point(|&(source, ..)| source < row));
    let targets = entries.iter().map(|&(_, target, _)| target).collect();
    let csr = Csr::new(vertices, ends.map(|end| end as u64).collect(), targets).unwrap();
    let weights = edges.weights().map(|weights| match weights {
        Weights::U32(_) => Weights::from(entries.iter().map(|e| e.2 as u32).collect::<Vec<_>>()),
        Weights::F32(_) => Weights::from(entries.iter().map(|e| e.2 as f32).collect::<Vec<_>>()),
        Weights::F64(_) => Weights::from(entries.iter().map(|e| e.2).collect::<Vec<f64>>()),
    });
    Graph::from_csr(csr, weights, !spec.directed).unwrap()
}

#[test]
fn graphs_consist_of_their_generated_edges() {
    // Few and many edges, uniform and concentrated at a few vertices; far more vertices than edges.
    for (text, merged, loops) in [
        ("rmat:scale=1", true, false),
        ("rmat:scale=14", true, false),
        ("rmat:scale=13,loops=keep,weights=1..9", true, true),
        ("rmat:scale=9,edge-factor=300,duplicates=keep,loops=keep,weights=0.5..9.5", false, true),
        ("rmat:scale=12,edge-factor=40,duplicates=keep,directed=true,weights=1..9", false, false),
        ("rmat:scale=19,edge-factor=1,a=0.9,b=0.05,c=0.05,weights=0.5..9.5", true, false),
        ("rmat:scale=10,a=1,b=0,c=0,loops=keep", true, true),
        ("kronecker:scale=13", true, false),
        ("er:n=3,m=3", false, false),
        ("er:n=40000,m=300000,weights=1..9", false, false),
        ("er:n=500000,m=5,directed=true", false, false),
        ("grid:width=700,height=40,drop=0.3,weights=1..9", false, false),
        ("power-law:n=3000,m=100000,skew=9,weights=1..9", true, false),
        ("star:n=90000,weights=1..9", false, false),
        ("isolated:n=300000", false, false),
    ] {
        assert!(graph(text) == by_definition(text, merged, loops), "{text}");
    }
}

#[test]
fn graphs_stay_the_same_between_versions() {
    // A change of these numbers changes every published result that names a seed.
    let ends = |text: &str| {
        let edges = edges(text);
        let of = |number: usize| (edges.sources()[number], edges.targets()[number]);
        [of(0), of(1), of(edges.len() - 1)]
    };
    let expected = [(295497, 463136), (266344, 889617), (197024, 16896)];
    assert_eq!(ends("rmat:scale=20,edge-factor=1"), expected);
    let expected = [(846479, 988912), (467277, 1025067), (54376, 191165)];
    assert_eq!(ends("kronecker:scale=20,edge-factor=1"), expected);
    let expected = [(908082, 372613), (862894, 83112), (6876, 314913)];
    assert_eq!(ends("er:scale=20,edge-factor=1"), expected);
}

#[test]
fn seeds_give_different_graphs_and_weights_change_no_edge() {
    for text in
        ["rmat:scale=8", "kronecker:scale=8", "er:n=100,m=300", "grid:width=20,height=20,drop=0.5"]
    {
        let with = |rest: &str| graph(&format!("{text},{rest}"));
        assert_ne!(with("seed=1").csr(), with("seed=2").csr(), "{text}");
        assert_eq!(with("seed=1").csr(), with("seed=1,weights=1..100").csr(), "{text}");
        let weighted = with("weights=1..1000");
        assert_ne!(weighted.weights(), with("weights=1..1000,seed=2").weights());
    }
}

#[test]
fn shapes_have_their_edges() {
    let joined = |text: &str| {
        let graph = graph(text);
        assert!(graph.is_undirected());
        (graph.vertices(), pairs(&graph))
    };
    assert_eq!(joined("path:n=4"), (4, vec![(0, 1), (1, 2), (2, 3)]));
    assert_eq!(joined("cycle:n=4"), (4, vec![(0, 1), (0, 3), (1, 2), (2, 3)]));
    assert_eq!(joined("star:n=4"), (4, vec![(0, 1), (0, 2), (0, 3)]));
    assert_eq!(joined("complete:n=4"), (4, vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]));
    assert_eq!(joined("tree:n=6"), (6, vec![(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)]));
    assert_eq!(joined("components:n=3"), (6, vec![(0, 1), (1, 2), (3, 4), (4, 5)]));
    assert_eq!(joined("isolated:n=4"), (4, vec![]));
    for shape in ["path", "star", "complete", "tree", "components", "isolated"] {
        assert_eq!(joined(&format!("{shape}:n=0")), (0, vec![]), "{shape}");
        let one = joined(&format!("{shape}:n=1"));
        assert_eq!((one.0, one.1.len()), (if shape == "components" { 2 } else { 1 }, 0), "{shape}");
    }
}

#[test]
fn directed_shapes_lead_one_way() {
    let path = graph("path:n=3,directed=true");
    assert!(!path.is_undirected());
    assert_eq!((path.neighbors(0), path.neighbors(2)), (&[1][..], &[][..]));
    let complete = graph("complete:n=9,directed=true");
    for vertex in 0..9 {
        assert!(complete.neighbors(vertex).iter().copied().eq(vertex + 1..9));
    }
}

#[test]
fn rmat_edges_fall_into_quarters_by_their_probabilities() {
    let text = "rmat:scale=11,edge-factor=512,a=0.4,b=0.3,c=0.2";
    let edges = edges(text);
    let expected = [0.4, 0.3, 0.2, 0.1];
    let n = edges.len() as f64;
    let bits: Vec<[f64; 4]> = (0..11)
        .map(|level| {
            let mut counts = [0.0; 4];
            for (source, target) in edges.sources().iter().zip(edges.targets()) {
                counts[(source >> level & 1) as usize * 2 + (target >> level & 1) as usize] += 1.0;
            }
            counts
        })
        .collect();
    for (level, counts) in bits.iter().enumerate() {
        for (count, p) in counts.iter().zip(expected) {
            // Five standard deviations of a binomial count.
            let bound = 5.0 * (n * p * (1.0 - p)).sqrt();
            assert!((count - n * p).abs() < bound, "level {level}: {counts:?}");
        }
    }
    // Levels are independent: the highest and the lowest both choose `a` with probability a².
    let both = edges.sources().iter().zip(edges.targets());
    let both = both.filter(|&(s, t)| (s | t) & (1 << 10 | 1) == 0).count() as f64;
    assert!((both - n * 0.16).abs() < 5.0 * (n * 0.16 * 0.84).sqrt(), "{both}");
}

#[test]
fn rmat_extremes_stay_in_one_corner() {
    let corner = edges("rmat:scale=7,a=1,b=0,c=0");
    assert!(corner.sources().iter().chain(corner.targets()).all(|&end| end == 0));
    let corner = edges("rmat:scale=7,a=0,b=0,c=0,d=1");
    assert!(corner.sources().iter().chain(corner.targets()).all(|&end| end == 127));
    assert_eq!(graph("rmat:scale=0,loops=keep,duplicates=keep").edges(), 16);
    assert_eq!(graph("rmat:scale=0").edges(), 0);
}

#[test]
fn shuffling_renames_vertices_and_nothing_else() {
    let degrees = |text: &str| {
        let graph = graph(text);
        let mut degrees: Vec<usize> = (0..graph.vertices()).map(|v| graph.degree(v)).collect();
        degrees.sort_unstable();
        degrees
    };
    let shuffled = degrees("rmat:scale=10,shuffle=true");
    assert_eq!(shuffled, degrees("rmat:scale=10"));
    assert_eq!(shuffled, degrees("kronecker:scale=10"));
    let heaviest = |text: &str| {
        let graph = graph(text);
        (0..graph.vertices()).max_by_key(|&v| graph.degree(v)).unwrap()
    };
    assert_eq!(heaviest("rmat:scale=10"), 0);
    assert_ne!(heaviest("kronecker:scale=10"), 0);
}

#[test]
fn duplicates_and_loops_are_dropped_unless_kept() {
    let all = graph("rmat:scale=6,duplicates=keep,loops=keep,directed=true");
    assert_eq!(all.edges(), 16 * 64);
    let clean = graph("rmat:scale=6");
    for vertex in 0..64 {
        assert!(clean.neighbors(vertex).is_sorted_by(|a, b| a < b));
        assert!(!clean.neighbors(vertex).contains(&vertex));
    }
    let loops = graph("rmat:scale=6,loops=keep");
    assert!((0..64).any(|vertex| loops.neighbors(vertex).contains(&vertex)));
}

#[test]
fn er_subsets_are_equally_likely() {
    // All 20 sets of 3 of the 6 edges between 4 vertices.
    let mut seen = HashMap::new();
    for seed in 0..20_000 {
        let graph = graph(&format!("er:n=4,m=3,seed={seed}"));
        *seen.entry(pairs(&graph)).or_insert(0u32) += 1;
    }
    assert_eq!(seen.len(), 20);
    assert!(seen.values().all(|&count| (850..1150).contains(&count)), "{seen:?}");
}

#[test]
fn er_degrees_spread_like_a_binomial() {
    let graph = graph("er:scale=14,edge-factor=16");
    let n = f64::from(graph.vertices());
    let degrees: Vec<f64> = (0..graph.vertices()).map(|v| graph.degree(v) as f64).collect();
    let variance = degrees.iter().map(|degree| (degree - 32.0).powi(2)).sum::<f64>() / n;
    // The sampling error of the variance is about 32 √(2/n) = 0.35.
    assert!((variance - 32.0).abs() < 2.0, "{variance}");
}

proptest! {
    #[test]
    fn er_has_exactly_m_distinct_edges(n in 2..60u64, share in 0.0..=1.0, seed: u64, directed: bool) {
        let most = n * (n - 1) / if directed { 1 } else { 2 };
        let m = (share * most as f64) as u64;
        let graph = graph(&format!("er:n={n},m={m},seed={seed},directed={directed}"));
        prop_assert_eq!(graph.edges(), if directed { m } else { 2 * m });
        for vertex in 0..graph.vertices() {
            prop_assert!(graph.neighbors(vertex).is_sorted_by(|a, b| a < b));
            prop_assert!(!graph.neighbors(vertex).contains(&vertex));
        }
    }

    #[test]
    fn grids_join_neighbours(width in 0..20u32, height in 0..20u32) {
        let graph = graph(&format!("grid:width={width},height={height}"));
        prop_assert_eq!(graph.vertices(), width * height);
        for vertex in 0..graph.vertices() {
            let (x, y) = (vertex % width, vertex / width);
            let expected = [
                (y > 0).then(|| vertex - width),
                (x > 0).then(|| vertex - 1),
                (x + 1 < width).then(|| vertex + 1),
                (y + 1 < height).then(|| vertex + width),
            ];
            let expected: Vec<u32> = expected.into_iter().flatten().collect();
            prop_assert_eq!(graph.neighbors(vertex), &expected[..]);
        }
    }
}

#[test]
fn grids_drop_their_share_of_edges() {
    let all: f64 = 2.0 * 999.0 * 1000.0;
    for drop in [0.0, 0.1, 0.9, 1.0] {
        let text = format!("grid:width=1000,height=1000,drop={drop}");
        let count = edges(&text).len() as f64;
        let bound = 5.0 * (all * drop * (1.0 - drop)).sqrt();
        assert!((count - all * (1.0 - drop)).abs() <= bound, "{drop}: {count}");
    }
}

#[test]
fn weights_fill_their_range_and_are_the_same_both_ways() {
    let whole = graph("complete:n=300,weights=3..5");
    let Some(Weights::U32(weights)) = whole.weights() else { panic!() };
    for value in 3..=5 {
        let share = weights.iter().filter(|&&weight| weight == value).count() as f64;
        assert!((share / weights.len() as f64 - 1.0 / 3.0).abs() < 0.01);
    }
    assert!(weights.iter().all(|weight| (3..=5).contains(weight)));
    let float = graph("complete:n=300,weights=-1.5..2.5");
    let Some(Weights::F64(weights)) = float.weights() else { panic!() };
    assert!(weights.iter().all(|weight| (-1.5..=2.5).contains(weight)));
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    assert!((mean - 0.5).abs() < 0.03, "{mean}");

    let extreme = graph("path:n=1000,weights=-8e307..9.5e307");
    let Some(Weights::F64(weights)) = extreme.weights() else { panic!() };
    assert!(weights.iter().all(|weight| (-8e307..=9.5e307).contains(weight)));
    let equal = graph("path:n=1000,weights=0.1..0.1");
    assert!((0..equal.edges() as usize).all(|edge| equal.weights().unwrap().get(edge) == 0.1));
    let extreme = graph("path:n=1000,weights=0..4294967295");
    let Some(Weights::U32(weights)) = extreme.weights() else { panic!() };
    assert!(weights.iter().any(|&weight| weight > u32::MAX / 2));

    for text in ["rmat:scale=8,weights=1..9", "rmat:scale=8,duplicates=keep,weights=0.0..1.0"] {
        let graph = graph(text);
        let checked = Graph::from_csr(graph.csr().clone(), graph.weights().cloned(), true);
        assert!(checked.is_ok(), "{text}");
    }
}

#[test]
fn small_worlds_are_rings_with_shortcuts() {
    let ring = graph("small-world:n=100,k=3,rewire=0");
    assert!((0..100).all(|vertex| ring.degree(vertex) == 6));
    let shortcuts = pairs(&graph("small-world:n=10000,k=4,rewire=0.25"));
    let far = shortcuts.iter().filter(|(a, b)| (5..9995).contains(&(b - a))).count();
    // A quarter of 40 000, minus the few that lead to a neighbour by chance.
    assert!((9_500..10_500).contains(&far), "{far}");
    let error = "small-world:n=8,k=4".parse::<Spec>().unwrap_err().to_string();
    assert!(error.contains("less than half of the 8 vertices"), "{error}");
}

#[test]
fn power_laws_have_their_exponent() {
    // The share of vertices with a degree above d is proportional to d to the exponent minus 1.
    for (skew, exponent) in [(2, 3.0f64), (3, 2.5)] {
        let graph = graph(&format!("power-law:n=200000,m=2000000,skew={skew}"));
        let above =
            |degree: usize| (0..200_000).filter(|&it| graph.degree(it) > degree).count() as f64;
        let slope = (above(40) / above(320)).ln() / 8f64.ln();
        assert!((slope - (exponent - 1.0)).abs() < 0.15, "skew {skew}: {slope}");
    }
    assert!("power-law:n=9,m=9,skew=1".parse::<Spec>().is_err());
    assert!("power-law:n=0,m=9".parse::<Spec>().is_err());
    assert_eq!(graph("power-law:n=1,m=5").edges(), 0);
}

#[test]
fn bipartite_edges_cross() {
    let graph = graph("bipartite:left=50,right=200,m=3000,seed=4");
    assert_eq!(graph.vertices(), 250);
    assert!(pairs(&graph).iter().all(|&(a, b)| a < 50 && b >= 50));
    assert!((2000..3000).contains(&pairs(&graph).len()));
    assert!("bipartite:left=0,right=5,m=1".parse::<Spec>().is_err());
}

#[test]
fn cliques_are_joined_in_a_chain() {
    let expected =
        [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5), (5, 6), (6, 7), (6, 8), (7, 8)];
    assert_eq!(pairs(&graph("cliques:count=3,size=3")), expected);
    assert_eq!(pairs(&graph("cliques:count=3,size=1")), [(0, 1), (1, 2)]);
    assert_eq!(graph("cliques:count=5,size=0").vertices(), 0);
    assert_eq!(pairs(&graph("cliques:count=40,size=7")).len(), 40 * 21 + 39);
    assert!("cliques:count=99999999,size=99999999".parse::<Spec>().is_err());
}
