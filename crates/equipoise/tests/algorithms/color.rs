//! Coloring against its rules, known shapes and a plain simulation of the paper's first phase.

use std::collections::BTreeSet;

use equipoise::{
    NONE,
    color::{ColorOptions, ColorProgress, ColorStrategy, ColorSwitch, Coloring, color},
    graph::{Graph, VertexIds},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph},
    oracles::neighbor_sets,
};

fn options(strategy: ColorStrategy) -> ColorOptions {
    ColorOptions { strategy, ..ColorOptions::default() }
}

/// The strategies of the CPU.
fn strategies() -> impl Iterator<Item = ColorStrategy> {
    let all = ColorStrategy::ALL.iter().copied();
    all.filter(|&strategy| strategy != ColorStrategy::WorkStealing)
}

/// Whether every iteration uses a color of its own.
fn is_by_sets(strategy: ColorStrategy) -> bool {
    matches!(
        strategy,
        ColorStrategy::JonesPlassmann
            | ColorStrategy::MinMax
            | ColorStrategy::Hybrid
            | ColorStrategy::MultiHash
    )
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

fn path(vertices: u32) -> Graph {
    graph(vertices, (1..vertices).map(|v| (v - 1, v)).collect::<Vec<_>>(), true)
}

fn cycle(vertices: u32) -> Graph {
    graph(vertices, (0..vertices).map(|v| (v, (v + 1) % vertices)).collect::<Vec<_>>(), false)
}

fn star(leaves: u32) -> Graph {
    graph(leaves + 1, (1..=leaves).map(|v| (v, 0)).collect::<Vec<_>>(), false)
}

fn complete(vertices: u32) -> Graph {
    let edges = (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b)));
    graph(vertices, edges.collect::<Vec<_>>(), true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_strategy_colors_every_graph(
        (vertices, edges, undirected) in any_graph(), seed: u64, after in 0..4u32, hashes in 1..5u32,
    ) {
        let graph = graph(vertices, edges.clone(), undirected);
        let sets = neighbor_sets(vertices, &edges);
        for strategy in strategies() {
            let switch = ColorSwitch::After(after);
            let options = ColorOptions { seed, switch, hashes, ..options(strategy) };
            let coloring = run(&graph, &options);
            prop_assert!(coloring.strategy != ColorStrategy::Auto);
            for (vertex, set) in sets.iter().enumerate() {
                let near: BTreeSet<u32> = set.iter().map(|&o| coloring.colors[o as usize]).collect();
                let color = coloring.colors[vertex];
                prop_assert!(!near.contains(&color));
                prop_assert!(color as usize <= set.len() || is_by_sets(coloring.strategy));
            }
            check_steps(&coloring, u64::from(vertices))?;
        }
    }

    #[test]
    fn sequences_of_first_fit_leave_no_smaller_color_free(
        (vertices, edges, undirected) in any_graph(), seed: u64,
    ) {
        let sets = neighbor_sets(vertices, &edges);
        for strategy in [ColorStrategy::LargestDegreeFirst, ColorStrategy::Greedy] {
            let options = ColorOptions { seed, ..options(strategy) };
            let coloring = run(&graph(vertices, edges.clone(), undirected), &options);
            for (vertex, set) in sets.iter().enumerate() {
                let near: BTreeSet<u32> = set.iter().map(|&o| coloring.colors[o as usize]).collect();
                prop_assert!((0..coloring.colors[vertex]).all(|smaller| near.contains(&smaller)));
            }
        }
    }

    #[test]
    fn an_iteration_colors_the_largest_of_their_neighbors(
        (vertices, edges, undirected) in any_graph(), seed: u64,
    ) {
        let options = ColorOptions { seed, ..options(ColorStrategy::JonesPlassmann) };
        let coloring = run(&graph(vertices, edges.clone(), undirected), &options);
        prop_assert_eq!(&coloring.colors, &coloring.iterations);
        // A vertex of a later iteration waited for a neighbour of the previous one.
        for (vertex, set) in neighbor_sets(vertices, &edges).iter().enumerate() {
            let color = coloring.colors[vertex];
            let near: BTreeSet<u32> = set.iter().map(|&o| coloring.colors[o as usize]).collect();
            prop_assert!(color == 0 || near.contains(&(color - 1)));
        }
    }

    #[test]
    fn largest_degree_first_lets_larger_degrees_choose_first(
        (vertices, edges, undirected) in any_graph(), seed: u64,
    ) {
        let strategy = ColorStrategy::LargestDegreeFirst;
        let options = ColorOptions { seed, ..options(strategy) };
        let coloring = run(&graph(vertices, edges.clone(), undirected), &options);
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
        let switch = match after {
            3 => ColorSwitch::Below(below),
            after => ColorSwitch::After(after),
        };
        let options = ColorOptions { seed, switch: switch.clone(), ..options(ColorStrategy::Hybrid) };
        let coloring = run(&graph(vertices, edges.clone(), undirected), &options);
        let expected = degree_rounds(&neighbor_sets(vertices, &edges), &switch);
        let steps = &coloring.trace.steps;
        let by_degree = steps.iter().take_while(|step| step.strategy == "degree");
        prop_assert_eq!(by_degree.map(|step| step.found).collect::<Vec<_>>(), expected.clone());
        prop_assert!(steps[expected.len()..].iter().all(|step| step.strategy == "random"));
    }

    #[test]
    fn directions_parallel_edges_and_loops_do_not_matter((vertices, edges, _) in any_graph(), seed: u64) {
        let twice: Vec<_> = edges.iter().flat_map(|&(a, b)| [(a, b), (a, b), (a, a)]).collect();
        for strategy in strategies() {
            let options = ColorOptions { seed, ..options(strategy) };
            let colors = |graph: Graph| run(&graph, &options).colors;
            let directed = colors(graph(vertices, edges.clone(), false));
            prop_assert_eq!(&directed, &colors(graph(vertices, edges.clone(), true)));
            prop_assert_eq!(&directed, &colors(graph(vertices, twice.clone(), true)));
        }
    }
}

/// Requires that steps count uncolored and colored vertices. Steps of `again` color none, and speculative steps examine only a
/// class of vertices.
fn check_steps(coloring: &Coloring, vertices: u64) -> Result<(), TestCaseError> {
    let mut uncolored = vertices;
    for (index, step) in coloring.trace.steps.iter().enumerate() {
        prop_assert_eq!(step.index as usize, index);
        match coloring.strategy {
            ColorStrategy::Speculative => prop_assert!(step.found <= step.frontier),
            _ => prop_assert_eq!(step.frontier, uncolored),
        }
        let here = coloring.iterations.iter().filter(|&&iteration| iteration as usize == index);
        prop_assert_eq!(step.found, here.count() as u64);
        uncolored -= step.found;
    }
    prop_assert_eq!(uncolored, 0);
    Ok(())
}

/// The numbers of vertices that rounds of the paper's Algorithm 3 color by degree until it switches.
fn degree_rounds(sets: &[BTreeSet<u32>], switch: &ColorSwitch) -> Vec<u64> {
    let mut uncolored: BTreeSet<u32> = (0..sets.len() as u32).collect();
    let mut found = Vec::new();
    if matches!(switch, ColorSwitch::After(0)) {
        return found;
    }
    loop {
        let degree = |vertex: u32| sets[vertex as usize].len();
        let only_maximum = |&vertex: &u32| {
            let mut others = sets[vertex as usize].intersection(&uncolored);
            others.all(|&other| degree(other) < degree(vertex))
        };
        let colored: BTreeSet<u32> = uncolored.iter().copied().filter(only_maximum).collect();
        if colored.is_empty() {
            return found;
        }
        found.push(colored.len() as u64);
        uncolored = &uncolored - &colored;
        let enough = match *switch {
            ColorSwitch::After(after) => found.len() >= after as usize,
            ColorSwitch::Below(below) => (colored.len() as u64) < below,
            _ => false,
        };
        if enough {
            return found;
        }
    }
}

#[test]
fn known_shapes_have_known_counts() {
    for strategy in strategies() {
        let count = |graph: &Graph| run(graph, &options(strategy)).count;
        assert_eq!(count(&generated("isolated:n=0")), 0);
        assert_eq!(count(&generated("isolated:n=1")), 1);
        assert_eq!(count(&graph(1, vec![(0, 0)], true)), 1);
        assert_eq!(count(&generated("isolated:n=1000")), 1);
        assert_eq!(count(&graph(2, vec![(1, 0)], false)), 2);
        assert_eq!(count(&complete(70)), 70);
        if !is_by_sets(strategy) {
            assert_eq!(count(&star(500)), 2);
            assert_eq!(count(&cycle(101)), 3);
            let sides = (0..30).flat_map(|a| (30..90).map(move |b| (a, b)));
            assert_eq!(count(&graph(90, sides.collect::<Vec<_>>(), true)), 2);
            // First fit in an arbitrary order may need a third color.
            assert!(count(&path(1000)) <= 3);
        }
    }
}

/// The colors of sequential first fit, vertices with many neighbours first, then by number.
fn largest_first(sets: &[BTreeSet<u32>]) -> u32 {
    let mut order: Vec<usize> = (0..sets.len()).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse(sets[vertex].len()));
    let mut colors = vec![NONE; sets.len()];
    for vertex in order {
        let near: BTreeSet<u32> =
            sets[vertex].iter().map(|&other| colors[other as usize]).collect();
        colors[vertex] = (0..).find(|color| !near.contains(color)).unwrap();
    }
    colors.iter().max().map_or(0, |largest| largest + 1)
}

#[test]
fn speculative_needs_about_as_few_colors_as_largest_first() {
    for spec in [
        "rmat:scale=12",
        "rmat:scale=12,edge-factor=64",
        "er:n=5000,m=80000",
        "er:n=5000,m=20000,directed=true",
        "rmat:scale=12,a=0.45,b=0.22,c=0.22,d=0.11",
        "kronecker:scale=11",
    ] {
        let graph = generated(spec);
        let edges: Vec<(u32, u32)> = (0..graph.vertices())
            .flat_map(|v| graph.neighbors(v).iter().map(move |&other| (v, other)))
            .collect();
        let sequential = largest_first(&neighbor_sets(graph.vertices(), &edges));
        let coloring = run(&graph, &options(ColorStrategy::Speculative));
        let limit = f64::from(sequential) * 1.1;
        assert!(f64::from(coloring.count) <= limit, "{spec}: {} of {sequential}", coloring.count);
    }
}

#[test]
fn passes_reduce_colors_and_are_in_the_trace() {
    let graph = generated("er:n=3000,m=30000");
    let passes = |passes| {
        let passes = Some(passes);
        run(&graph, &ColorOptions { passes, ..options(ColorStrategy::Speculative) })
    };
    let (none, many) = (passes(0), passes(6));
    assert!(many.count < none.count, "{} and {}", many.count, none.count);
    let again = many.trace.steps.iter().filter(|step| step.strategy == "again");
    assert_eq!(again.count(), 6);
    assert!(none.trace.steps.iter().all(|step| step.strategy == "first-fit"));
}

#[test]
fn greedy_finds_two_colors_where_the_degeneracy_is_one() {
    let greedy = options(ColorStrategy::Greedy);
    assert_eq!(run(&path(1000), &greedy).count, 2);
    let tree: Vec<_> = (1..1000).map(|v| (v, (v - 1) / 3)).collect();
    assert_eq!(run(&graph(1000, tree, false), &greedy).count, 2);
}

#[test]
fn hybrid_switches_by_rule_or_when_stalled() {
    let steps = |graph: &Graph, switch: ColorSwitch| -> Vec<(String, u64)> {
        let options = ColorOptions { switch, ..options(ColorStrategy::Hybrid) };
        let steps = run(graph, &options).trace.steps;
        steps.into_iter().map(|step| (step.strategy.into_owned(), step.found)).collect()
    };
    let (degree, random) = (String::from("degree"), String::from("random"));
    let star = star(9);
    let whole = [(degree.clone(), 1), (degree.clone(), 9)];
    let half = [(degree, 1), (random.clone(), 9)];
    assert_eq!(steps(&star, ColorSwitch::Stall), whole);
    assert_eq!(steps(&star, ColorSwitch::After(1)), half);
    assert_eq!(steps(&star, ColorSwitch::Below(2)), half);
    assert_eq!(steps(&star, ColorSwitch::BelowDevice), half);
    assert_eq!(steps(&star, ColorSwitch::Colored(0.1)), half);
    assert_eq!(steps(&star, ColorSwitch::Colored(0.2)), whole);
    assert_eq!(steps(&star, ColorSwitch::when(|p: &ColorProgress| p.newly == 1)), half);
    assert!(steps(&star, ColorSwitch::After(0)).iter().all(|step| step.0 == random));
    assert!(steps(&cycle(30), ColorSwitch::Stall).iter().all(|step| step.0 == random));
}

#[test]
fn invalid_options_are_refused() {
    let refused = |options: ColorOptions, reason: &str| {
        let message = color(&star(3), &options).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    };
    refused(options(ColorStrategy::WorkStealing), "for GPUs");
    let hashes = |hashes| ColorOptions { hashes, ..options(ColorStrategy::MultiHash) };
    refused(hashes(0), "1 to 16");
    refused(hashes(17), "1 to 16");
    refused(
        ColorOptions { queues: Some(0), ..ColorOptions::default() },
        "`queues` is 0: 1 to 4096",
    );
}

#[test]
fn active_degrees_fall_when_giants_are_colored_first() {
    let star = star(40);
    let by_degree = ColorOptions { switch: ColorSwitch::Stall, ..options(ColorStrategy::Hybrid) };
    let hybrid = run(&star, &by_degree).active_degrees(&star).unwrap();
    let all: Vec<_> = hybrid.iter().map(|d| (d.iteration, d.least, d.most, d.vertices)).collect();
    assert_eq!(all, [(0, 0, 1, 40), (0, 32, 63, 1), (1, 0, 1, 40)]);
}

#[test]
fn auto_is_greedy_for_small_graphs_only() {
    let strategy = |graph| run(&graph, &ColorOptions::default()).strategy;
    assert_eq!(strategy(cycle(1000)), ColorStrategy::Greedy);
    assert_eq!(strategy(generated("isolated:n=1048577")), ColorStrategy::LargestDegreeFirst);
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
fn the_verifier_names_vertices_by_their_ids() {
    let ids = VertexIds::Dense { first: 100 };
    let graph = graph(4, vec![(0, 1), (1, 2), (3, 3)], false).with_ids(ids).unwrap();
    let right = run(&graph, &options(ColorStrategy::Greedy));
    for (colors, count, reason) in [
        ([0, 1, 0, NONE], 2, "vertex 103 has no color"),
        ([0, 1, 0, 2], 2, "vertex 103 has color 2, of 2"),
        ([0, 1, 1, 0], 2, "vertices 101 and 102 share an edge and color 1"),
        ([0, 1, 0, 0], u32::MAX, "colors for 4 vertices"),
    ] {
        let wrong = Coloring { colors: colors.to_vec(), count, ..right.clone() };
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
