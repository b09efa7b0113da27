//! Levels and parents.

use equipoise::{
    NONE,
    bfs::{Bfs, BfsOptions, bfs},
    graph::Graph,
};
use proptest::prelude::*;

use super::{Shape, odd, random, rearranged};

/// The true levels, as far as the options ask for them, by going over all edges again and again.
fn true_levels(graph: &Graph, source: u32, options: &BfsOptions) -> Vec<u32> {
    let mut levels = vec![NONE; graph.vertices() as usize];
    levels[source as usize] = 0;
    for _ in 0..graph.vertices() {
        for vertex in 0..graph.vertices() {
            for &target in graph.neighbors(vertex) {
                let next = levels[vertex as usize].saturating_add(1);
                levels[target as usize] = levels[target as usize].min(next);
            }
        }
    }
    let at_target = options.target.map_or(NONE, |target| levels[target as usize]);
    let last = at_target.min(options.max_depth.unwrap_or(NONE));
    levels.iter().map(|&level| if level > last { NONE } else { level }).collect()
}

fn is_right(graph: &Graph, search: &Bfs, options: &BfsOptions) -> bool {
    let levels = true_levels(graph, search.source, options);
    let is_parent = |vertex: u32, parent: u32| match levels[vertex as usize] {
        NONE => parent == NONE,
        0 => parent == vertex,
        level => {
            parent < graph.vertices()
                && levels[parent as usize] == level - 1
                && graph.neighbors(parent).contains(&vertex)
        }
    };
    let (reached, edges, depth) = counts(graph, &levels);
    search.levels == levels
        && search.parents.len() == levels.len()
        && (0..).zip(&search.parents).all(|(vertex, &parent)| is_parent(vertex, parent))
        && (search.reached, search.edges, search.depth) == (reached, edges, depth)
        && search.complete == (levels == true_levels(graph, search.source, &BfsOptions::default()))
}

fn counts(graph: &Graph, levels: &[u32]) -> (u32, u64, u32) {
    let vertices = (0..graph.vertices()).zip(levels).filter(|&(_, &level)| level != NONE);
    vertices.fold((0, 0, 0), |(reached, edges, depth), (vertex, &level)| {
        (reached + 1, edges + graph.degree(vertex) as u64, depth.max(level))
    })
}

/// Everything a search could have been told instead.
fn mutants(shape: &Shape, graph: &Graph, right: &Bfs) -> Vec<Bfs> {
    let vertices = graph.vertices();
    let (mut all, mut whole) = (Vec::new(), Vec::new());
    let mut add = |levels: Vec<u32>, parents: Vec<u32>| {
        let (reached, edges, depth) = counts(graph, &levels);
        let mutant = Bfs { levels, parents, reached, edges, depth, ..right.clone() };
        all.push(Bfs { complete: !right.complete, ..mutant.clone() });
        all.push(mutant);
    };
    let labels: Vec<u32> = (0..=vertices).chain([1 << 31, NONE - 1, NONE]).collect();
    for vertex in 0..vertices as usize {
        for &level in &labels {
            for &parent in &labels {
                let (mut levels, mut parents) = (right.levels.clone(), right.parents.clone());
                (levels[vertex], parents[vertex]) = (level, parent);
                add(levels, parents);
            }
        }
    }
    for levels in rearranged(&right.levels, &[0, NONE]) {
        add(levels, right.parents.clone());
    }
    for parents in rearranged(&right.parents, &[0, NONE]) {
        add(right.levels.clone(), parents);
    }
    for other in shape.neighbours() {
        let other = bfs(&other.unweighted(), right.source, &BfsOptions::default()).unwrap();
        add(other.levels, other.parents);
    }
    for source in 0..vertices {
        for max_depth in [None, Some(0), Some(1), Some(2)] {
            let options = BfsOptions { max_depth, ..BfsOptions::default() };
            let other = bfs(graph, source, &options).unwrap();
            add(other.levels.clone(), other.parents.clone());
            whole.push(other);
        }
    }
    all.append(&mut whole);
    all.push(Bfs { reached: right.reached + 1, ..right.clone() });
    all.push(Bfs { edges: right.edges.wrapping_sub(1), ..right.clone() });
    all.push(Bfs { depth: right.depth + 1, ..right.clone() });
    all.push(Bfs { source: vertices, ..right.clone() });
    all
}

fn verifier_agrees(shape: &Shape) {
    let graph = shape.unweighted();
    let mut asked = vec![BfsOptions::default()];
    asked
        .extend([0, 1, 2].map(|depth| BfsOptions { max_depth: Some(depth), ..Default::default() }));
    asked.push(BfsOptions { target: Some(graph.vertices() - 1), ..Default::default() });
    for options in asked {
        let right = bfs(&graph, 0, &options).unwrap();
        right.verify(&graph, &options).unwrap();
        for mutant in mutants(shape, &graph, &right) {
            let verdict = mutant.verify(&graph, &options);
            let expected = mutant.source < graph.vertices() && is_right(&graph, &mutant, &options);
            assert_eq!(verdict.is_ok(), expected, "{shape:?} {options:?} {mutant:?}: {verdict:?}");
        }
    }
}

#[test]
fn odd_graphs() {
    odd().iter().for_each(verifier_agrees);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_graphs(shape in random()) {
        verifier_agrees(&shape);
    }
}
