//! Coloring.

use std::collections::HashSet;

use equipoise_cluster::{ColorOptions, color};
use proptest::prelude::*;

use super::input::{Input, inputs, unweighted, whole};

/// Whether each vertex has the smallest color that no neighbour of a smaller color has: so first fit gives this coloring in
/// some order.
fn is_first_fit(input: &Input, colors: &[u32]) -> bool {
    let mut neighbors = vec![HashSet::new(); colors.len()];
    for (from, to, _) in input.directed() {
        neighbors[from].insert(colors[to]);
        neighbors[to].insert(colors[from]);
    }
    (0..colors.len()).all(|v| (0..colors[v]).all(|color| neighbors[v].contains(&color)))
}

proptest! {
    #[test]
    fn colors_are_the_same_on_any_number_of_ranks(
        input in inputs(&[unweighted, whole]),
        seed in any::<u64>(),
    ) {
        let options = ColorOptions { seed };
        let run = |ranks| {
            let result = input.run_on(ranks, |comm, graph| {
                let coloring = color(comm, graph, &options).unwrap();
                coloring.verify(comm, graph).unwrap();
                coloring
            });
            let colors: Vec<u32> = result.iter().flat_map(|result| result.colors.clone()).collect();
            assert!(result.iter().all(|other| other.count == result[0].count));
            (colors, result[0].count)
        };
        let (colors, count) = run(input.ranks);
        prop_assert_eq!(run(1), (colors.clone(), count));
        for (from, to, _) in input.directed() {
            prop_assert!(from == to || colors[from] != colors[to]);
        }
        prop_assert_eq!(count, colors.iter().max().map_or(0, |largest| largest + 1));
        prop_assert!(is_first_fit(&input, &colors));
    }

    #[test]
    fn a_wrong_color_is_refused(
        input in inputs(&[unweighted]),
        index in any::<prop::sample::Index>(),
        to in 0..4u32,
    ) {
        prop_assume!(input.vertices > 0);
        let index = index.index(input.vertices as usize) as u64;
        let outcomes = input.run(|comm, graph| {
            let mut coloring = color(comm, graph, &ColorOptions::default()).unwrap();
            let owned = graph.partition.range(graph.rank());
            if owned.contains(&index) {
                coloring.colors[(index - owned.start) as usize] = to;
            }
            (coloring.verify(comm, graph).is_ok(), coloring)
        });
        let colors: Vec<u32> =
            outcomes.iter().flat_map(|(_, result)| result.colors.clone()).collect();
        let used: HashSet<u32> = colors.iter().copied().collect();
        let clash = |&(from, to, _): &(usize, usize, usize)| from != to && colors[from] == colors[to];
        let is_right = used == (0..outcomes[0].1.count).collect()
            && !input.directed().iter().any(clash);
        prop_assert!(outcomes.iter().all(|(accepted, _)| *accepted == is_right));
    }
}

#[test]
fn seeds_give_other_colorings() {
    let input = Input {
        vertices: 30,
        edges: (0..30).flat_map(|v| [(v, (v + 1) % 30), (v, (v + 7) % 30)]).collect(),
        weights: None,
        undirected: true,
        ranks: 3,
        round_limit: 1 << 20,
        first_share: 30,
    };
    let colors = |seed| {
        let result = input.run(|comm, graph| color(comm, graph, &ColorOptions { seed }).unwrap());
        result.into_iter().flat_map(|result| result.colors).collect::<Vec<u32>>()
    };
    assert_eq!(colors(1), colors(1));
    assert_ne!(colors(1), colors(2));
}
