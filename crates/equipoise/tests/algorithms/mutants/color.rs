//! Colors.

use std::collections::HashSet;

use equipoise::{
    NONE,
    color::{ColorOptions, ColorStrategy, Coloring, color},
    graph::Graph,
};
use proptest::prelude::*;

use super::{Shape, odd, random, rearranged};

fn is_right(graph: &Graph, coloring: &Coloring) -> bool {
    let colors = &coloring.colors;
    let used: HashSet<u32> = colors.iter().copied().collect();
    let mut pairs = (0..graph.vertices())
        .flat_map(|vertex| graph.neighbors(vertex).iter().map(move |&other| (vertex, other)))
        .filter(|(vertex, other)| vertex != other);
    let mut others = vec![HashSet::new(); graph.vertices() as usize];
    for (vertex, other) in pairs.clone() {
        others[vertex as usize].insert(other);
        others[other as usize].insert(vertex);
    }
    let most = others.iter().map(HashSet::len).max().map_or(0, |degree| degree + 1);
    colors.len() == graph.vertices() as usize
        && used.len() as u64 == u64::from(coloring.count)
        && used.iter().all(|&color| color < coloring.count)
        && coloring.count as usize <= most
        && pairs.all(|(vertex, other)| colors[vertex as usize] != colors[other as usize])
}

fn verifier_agrees(shape: &Shape) {
    let graph = shape.unweighted();
    let options = ColorOptions { strategy: ColorStrategy::Greedy, ..ColorOptions::default() };
    let right = color(&graph, &options).unwrap();
    right.verify(&graph).unwrap();
    let mut tables = rearranged(&right.colors, &[0, NONE]);
    for vertex in 0..right.colors.len() {
        for color in (0..=right.count).chain([1 << 31, NONE - 1, NONE]) {
            let mut colors = right.colors.clone();
            colors[vertex] = color;
            tables.push(colors);
        }
    }
    for other in shape.neighbours() {
        tables.push(color(&other.unweighted(), &options).unwrap().colors);
    }
    for colors in tables {
        let largest = colors.iter().max().map_or(0, |color| color.saturating_add(1));
        for count in [right.count, largest, right.count + 1, right.count - 1] {
            let mutant = Coloring { colors: colors.clone(), count, ..right.clone() };
            let (verdict, expected) = (mutant.verify(&graph), is_right(&graph, &mutant));
            assert_eq!(verdict.is_ok(), expected, "{shape:?} {mutant:?}: {verdict:?}");
        }
    }
    let iterations = vec![0; right.colors.len() + 1];
    assert!(Coloring { iterations, ..right }.verify(&graph).is_err());
}

#[test]
fn odd_graphs() {
    odd().iter().for_each(verifier_agrees);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn random_graphs(shape in random()) {
        verifier_agrees(&shape);
    }
}
