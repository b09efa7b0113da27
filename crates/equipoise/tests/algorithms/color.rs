//! Coloring against its rules, known shapes and a plain simulation of the paper's first phase.

use std::collections::BTreeSet;

use equipoise::{
    ColorOptions, ColorStrategy, Coloring, Error, NONE, color,
    graph::{Edges, Graph, GraphBuilder, VertexIds},
};
use proptest::prelude::*;

fn graph(vertices: u32, edges: &[(u32, u32)], undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    builder.build(Edges::from(edges.to_vec())).unwrap()
}

fn options(strategy: ColorStrategy) -> ColorOptions {
    ColorOptions { strategy, ..ColorOptions::default() }
}

/// Colors and verifies.
fn run(graph: &Graph, options: &ColorOptions) -> Coloring {
    let coloring = color(graph, options).unwrap();
    coloring.verify(graph).unwrap();
    coloring
}

/// Up to 24 vertices and 80 edges, self-loops and parallel ones among them.
fn any_graph() -> impl Strategy<Value = (u32, Vec<(u32, u32)>, bool)> {
    (1..24u32).prop_flat_map(|vertices| {
        let edges = prop::collection::vec((0..vertices, 0..vertices), 0..80);
        (Just(vertices), edges, any::<bool>())
    })
}

/// The neighbours of each vertex over edges of either direction, itself left out.
fn neighbor_sets(vertices: u32, edges: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut sets = vec![BTreeSet::new(); vertices as usize];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        sets[a as usize].insert(b);
        sets[b as usize].insert(a);
    }
    sets
}

fn path(vertices: u32) -> Graph {
    graph(vertices, &(1..vertices).map(|v| (v - 1, v)).collect::<Vec<_>>(), true)
}

fn cycle(vertices: u32) -> Graph {
    graph(vertices, &(0..vertices).map(|v| (v, (v + 1) % vertices)).collect::<Vec<_>>(), false)
}

fn star(leaves: u32) -> Graph {
    graph(leaves + 1, &(1..=leaves).map(|v| (v, 0)).collect::<Vec<_>>(), false)
}

fn complete(vertices: u32) -> Graph {
    let edges = (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b)));
    graph(vertices, &edges.collect::<Vec<_>>(), true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_strategy_colors_every_graph_by_first_fit(
        (vertices, edges, undirected) in any_graph(), seed: u64, after in 0..4u32, below in 0..6u64,
    ) {
        let graph = graph(vertices, &edges, undirected);
        let sets = neighbor_sets(vertices, &edges);
        for &strategy in ColorStrategy::ALL {
            let switch_after = Some(after).filter(|&after| after > 0);
            let options = ColorOptions { strategy, seed, switch_after, switch_below: below };
            let coloring = run(&graph, &options);
            prop_assert!(coloring.strategy != ColorStrategy::Auto);
            for (vertex, set) in sets.iter().enumerate() {
                let near: BTreeSet<u32> = set.iter().map(|&o| coloring.colors[o as usize]).collect();
                let color = coloring.colors[vertex];
                prop_assert!(!near.contains(&color));
                prop_assert!((0..color).all(|smaller| near.contains(&smaller)), "not first fit");
            }
            let steps = &coloring.trace.steps;
            let mut uncolored = u64::from(vertices);
            for step in steps {
                prop_assert_eq!(step.frontier, uncolored);
                prop_assert!(step.found > 0);
                uncolored -= step.found;
            }
            prop_assert_eq!(uncolored, 0);
        }
    }

    #[test]
    fn largest_degree_first_lets_larger_degrees_choose_first(
        (vertices, edges, undirected) in any_graph(), seed: u64,
    ) {
        let strategy = ColorStrategy::LargestDegreeFirst;
        let options = ColorOptions { seed, ..options(strategy) };
        let coloring = run(&graph(vertices, &edges, undirected), &options);
        let sets = neighbor_sets(vertices, &edges);
        for (vertex, set) in sets.iter().enumerate() {
            let larger = set.iter().filter(|&&other| sets[other as usize].len() >= set.len());
            let colors: BTreeSet<u32> = larger.map(|&o| coloring.colors[o as usize]).collect();
            prop_assert!((0..coloring.colors[vertex]).all(|smaller| colors.contains(&smaller)));
        }
    }

    #[test]
    fn hybrid_colors_by_degree_what_the_paper_colors(
        (vertices, edges, undirected) in any_graph(), seed: u64, after in 0..4u32, below in 0..4u64,
    ) {
        let switch_after = Some(after).filter(|&after| after > 0);
        let strategy = ColorStrategy::Hybrid;
        let options = ColorOptions { strategy, seed, switch_after, switch_below: below };
        let coloring = run(&graph(vertices, &edges, undirected), &options);
        let expected = degree_rounds(&neighbor_sets(vertices, &edges), switch_after, below);
        let steps = &coloring.trace.steps;
        let by_degree = steps.iter().take_while(|step| step.strategy == "degree");
        prop_assert_eq!(by_degree.map(|step| step.found).collect::<Vec<_>>(), expected.clone());
        prop_assert!(steps[expected.len()..].iter().all(|step| step.strategy == "random"));
    }

    #[test]
    fn only_who_neighbours_whom_matters((vertices, edges, _) in any_graph(), seed: u64) {
        let twice: Vec<_> = edges.iter().flat_map(|&(a, b)| [(a, b), (a, b), (a, a)]).collect();
        for &strategy in ColorStrategy::ALL {
            let options = ColorOptions { seed, ..options(strategy) };
            let colors = |graph: Graph| run(&graph, &options).colors;
            let directed = colors(graph(vertices, &edges, false));
            prop_assert_eq!(&directed, &colors(graph(vertices, &edges, true)));
            prop_assert_eq!(&directed, &colors(graph(vertices, &twice, true)));
        }
    }
}

/// How many vertices each round of the paper's Algorithm 3 colors by degree until it switches.
fn degree_rounds(sets: &[BTreeSet<u32>], after: Option<u32>, below: u64) -> Vec<u64> {
    let mut uncolored: BTreeSet<u32> = (0..sets.len() as u32).collect();
    let mut found = Vec::new();
    loop {
        let degree = |vertex: u32| sets[vertex as usize].len();
        let only_maximum = |&vertex: &u32| {
            let mut others = sets[vertex as usize].intersection(&uncolored);
            others.all(|&other| degree(other) < degree(vertex))
        };
        let colored: BTreeSet<u32> = uncolored.iter().copied().filter(only_maximum).collect();
        let enough = after.is_some_and(|after| found.len() >= after as usize);
        if colored.is_empty() || enough || (colored.len() as u64) < below {
            return found;
        }
        found.push(colored.len() as u64);
        uncolored = &uncolored - &colored;
    }
}

#[test]
fn known_shapes_have_known_counts() {
    for &strategy in ColorStrategy::ALL {
        let count = |graph: &Graph| run(graph, &options(strategy)).count;
        assert_eq!(count(&graph(0, &[], false)), 0);
        assert_eq!(count(&graph(1, &[], false)), 1);
        assert_eq!(count(&graph(1, &[(0, 0)], true)), 1);
        assert_eq!(count(&graph(1000, &[], true)), 1);
        assert_eq!(count(&graph(2, &[(1, 0)], false)), 2);
        assert_eq!(count(&star(500)), 2);
        assert_eq!(count(&complete(70)), 70);
        assert_eq!(count(&cycle(101)), 3);
        let sides = (0..30).flat_map(|a| (30..90).map(move |b| (a, b)));
        assert_eq!(count(&graph(90, &sides.collect::<Vec<_>>(), true)), 2);
        // First fit in an order without knowledge of the shape may need a third color.
        assert!(count(&path(1000)) <= 3);
    }
}

#[test]
fn greedy_finds_two_colors_where_the_degeneracy_is_one() {
    let greedy = options(ColorStrategy::Greedy);
    assert_eq!(run(&path(1000), &greedy).count, 2);
    let tree: Vec<_> = (1..1000).map(|v| (v, (v - 1) / 3)).collect();
    assert_eq!(run(&graph(1000, &tree, false), &greedy).count, 2);
}

#[test]
fn hybrid_switches_when_told_or_stalled() {
    let steps = |graph: &Graph, options: ColorOptions| -> Vec<(String, u64)> {
        let steps = run(graph, &options).trace.steps;
        steps.into_iter().map(|step| (step.strategy.into_owned(), step.found)).collect()
    };
    let hybrid = options(ColorStrategy::Hybrid);
    let (degree, random) = (String::from("degree"), String::from("random"));
    let star = star(9);
    assert_eq!(steps(&star, hybrid.clone()), [(degree.clone(), 1), (degree.clone(), 9)]);
    let after_one = ColorOptions { switch_after: Some(1), ..hybrid.clone() };
    assert_eq!(steps(&star, after_one), [(degree, 1), (random.clone(), 9)]);
    let below_two = ColorOptions { switch_below: 2, ..hybrid.clone() };
    assert!(steps(&star, below_two).iter().all(|step| step.0 == random));
    assert!(steps(&cycle(30), hybrid).iter().all(|step| step.0 == random));
}

#[test]
fn neither_threads_nor_repetition_change_the_result() {
    let edges: Vec<(u32, u32)> = (0..60_000u64)
        .map(|edge| edge.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .map(|x| ((x >> 40) as u32 % 5000, ((x >> 20) as u32 % 5000).min((x >> 50) as u32)))
        .collect();
    let graph = graph(5000, &edges, false);
    for &strategy in ColorStrategy::ALL {
        let results = [1, 2, 5, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let coloring = pool.install(|| run(&graph, &options(strategy)));
            let steps = coloring.trace.steps.iter();
            let rounds: Vec<_> = steps.map(|step| (step.edges, step.found)).collect();
            (coloring.colors, coloring.count, rounds)
        });
        assert!(results.iter().all(|result| *result == results[0]), "{strategy}");
    }
}

#[test]
fn auto_is_greedy_for_small_graphs_only() {
    let strategy = |graph| run(&graph, &ColorOptions::default()).strategy;
    assert_eq!(strategy(cycle(1000)), ColorStrategy::Greedy);
    assert_eq!(strategy(graph((1 << 20) + 1, &[], true)), ColorStrategy::LargestDegreeFirst);
}

#[test]
fn the_seed_changes_the_order() {
    let graph = cycle(1000);
    let colors = |seed| {
        let strategy = ColorStrategy::JonesPlassmann;
        run(&graph, &ColorOptions { seed, ..options(strategy) }).colors
    };
    assert_eq!(colors(1), colors(1));
    assert_ne!(colors(1), colors(2));
}

#[test]
fn the_verifier_rejects_what_breaks_a_rule() {
    let ids = VertexIds::Dense { first: 100 };
    let graph = graph(4, &[(0, 1), (1, 2), (3, 3)], false).with_ids(ids).unwrap();
    let good = run(&graph, &options(ColorStrategy::Greedy));
    let rejects = |colors: &[u32], count: u32, reason: &str| {
        let bad = Coloring { colors: colors.to_vec(), count, ..good.clone() };
        match bad.verify(&graph) {
            Err(Error::Wrong(message)) => assert!(message.contains(reason), "{message}"),
            other => panic!("expected {reason}, got {other:?}"),
        }
    };
    rejects(&[0, 1, 0], 2, "3 vertices have a color entry, of 4");
    rejects(&[0, 1, 0, NONE], 2, "vertex 103 has no color");
    rejects(&[0, 1, 0, 2], 2, "vertex 103 has color 2, of 2");
    rejects(&[0, 1, 0, 0], 3, "no vertex has color 2");
    rejects(&[0, 1, 0, 0], u32::MAX, "colors for 4 vertices");
    rejects(&[0, 1, 1, 0], 2, "vertices 101 and 102 share an edge and color 1");
    rejects(&[0, 1, 2, 3], 4, "more than 3, one more than the largest degree");
}
