//! Wrong results, which the verifier must not accept.

use equipoise::{
    Distances, Error, NONE,
    graph::{Graph, Weights},
    sssp::{Sssp, SsspOptions},
};

use super::{graph, verified};

/// A graph in which 1, 2 and 3 form a cycle of weight 0, and nothing leads to 5.
fn edges() -> [(u32, u32, u32); 7] {
    [(0, 1, 4), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 2), (0, 4, 9), (5, 0, 1)]
}

fn whole() -> Graph {
    graph(6, false, edges().to_vec())
}

fn floating() -> Graph {
    graph(6, false, edges().map(|(s, t, w)| (s, t, w as f32)).to_vec())
}

fn rejected(graph: &Graph, name: &str, change: impl Fn(&mut Sssp)) {
    let options = SsspOptions::default();
    let mut wrong = verified(graph, 0, &options);
    change(&mut wrong);
    let error = wrong.verify(graph, &options).expect_err(name);
    assert!(matches!(error, Error::Wrong(_)), "{name}: {error}");
}

/// Sets a distance of a result, of whatever type.
fn set(paths: &mut Sssp, vertex: usize, distance: f64) {
    match &mut paths.distances {
        Distances::U32(all) => all[vertex] = distance as u32,
        Distances::U64(all) => all[vertex] = distance as u64,
        Distances::F32(all) => all[vertex] = distance as f32,
        Distances::F64(all) => all[vertex] = distance,
    }
}

fn unreach(paths: &mut Sssp, vertex: usize) {
    paths.predecessors[vertex] = NONE;
    match &mut paths.distances {
        Distances::U32(all) => all[vertex] = u32::MAX,
        Distances::U64(all) => all[vertex] = u64::MAX,
        Distances::F32(all) => all[vertex] = f32::INFINITY,
        Distances::F64(all) => all[vertex] = f64::INFINITY,
    }
}

#[test]
fn wrong_distances() {
    for graph in [whole(), floating()] {
        rejected(&graph, "too small", |paths| set(paths, 4, 5.0));
        rejected(&graph, "too large", |paths| set(paths, 4, 7.0));
        rejected(&graph, "the source's", |paths| set(paths, 0, 1.0));
        rejected(&graph, "the long way", |paths| {
            set(paths, 4, 9.0);
            paths.predecessors[4] = 0;
        });
        rejected(&graph, "all of a cycle too small", |paths| {
            (1..4).for_each(|vertex| set(paths, vertex, 3.0));
            set(paths, 4, 5.0);
            paths.predecessors[1] = 3;
        });
        rejected(&graph, "a distance without a predecessor", |paths| set(paths, 5, 3.0));
        rejected(&graph, "one missing", |paths| unreach(paths, 4));
        rejected(&graph, "the source not reached", |paths| unreach(paths, 0));
        rejected(&graph, "one reached that cannot be", |paths| {
            set(paths, 5, 0.0);
            paths.predecessors[5] = 0;
        });
    }
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        (0..6).for_each(|vertex| rejected(&floating(), "no distance", |p| set(p, vertex, bad)));
    }
}

#[test]
fn wrong_predecessors() {
    for graph in [whole(), floating()] {
        rejected(&graph, "a cycle of weight 0", |paths| paths.predecessors[1] = 3);
        rejected(&graph, "the source's own", |paths| paths.predecessors[0] = 5);
        rejected(&graph, "no neighbour", |paths| paths.predecessors[4] = 2);
        rejected(&graph, "itself", |paths| paths.predecessors[4] = 4);
        rejected(&graph, "no vertex", |paths| paths.predecessors[4] = 6);
        rejected(&graph, "an edge's other way", |paths| paths.predecessors[2] = 3);
        rejected(&graph, "not reached", |paths| paths.predecessors[4] = 5);
        rejected(&graph, "none", |paths| paths.predecessors[4] = NONE);
        rejected(&graph, "one for a vertex not reached", |paths| paths.predecessors[5] = 0);
    }
    let loops = graph(2, false, vec![(0, 1, 1u32), (1, 1, 0)]);
    rejected(&loops, "itself, over a loop of weight 0", |paths| paths.predecessors[1] = 1);
}

#[test]
fn wrong_counts_lengths_and_types() {
    let graph = whole();
    rejected(&graph, "the count of vertices", |paths| paths.reached += 1);
    rejected(&graph, "the count of edges", |paths| paths.edges -= 1);
    rejected(&graph, "another source", |paths| paths.source = 1);
    rejected(&graph, "a source that is no vertex", |paths| paths.source = 6);
    rejected(&graph, "too few distances", |p| p.distances = Distances::U32(vec![0, 4, 4, 4, 6]));
    rejected(&graph, "too many predecessors", |paths| paths.predecessors.push(NONE));
    let floats = Distances::F32(vec![0.0, 4.0, 4.0, 4.0, 6.0, f32::INFINITY]);
    rejected(&graph, "another type", |paths| paths.distances = floats.clone());
    let far = super::graph(3, false, vec![(0, 1, u32::MAX - 1), (1, 2, 5)]);
    rejected(&far, "a sum that does not fit", |paths| {
        paths.distances = Distances::U32(vec![0, u32::MAX - 1, u32::MAX]);
        paths.predecessors[2] = NONE;
        (paths.reached, paths.edges) = (2, 2);
    });
}

#[test]
fn wrong_ends_of_a_search_for_a_target() {
    let (graph, all) = (whole(), SsspOptions::default());
    let near = SsspOptions { target: Some(2), ..Default::default() };
    let full = verified(&graph, 0, &all);
    assert!(full.verify(&graph, &near).is_err(), "past the target");
    let cut = verified(&graph, 0, &near);
    assert!(cut.verify(&graph, &all).is_err(), "cut short though nobody asked");
    let mut missing = cut.clone();
    unreach(&mut missing, 3);
    (missing.reached, missing.edges) = (3, 4);
    assert!(missing.verify(&graph, &near).is_err(), "one as near as the target is missing");
}

#[test]
fn other_weights() {
    let paths = verified(&whole(), 0, &SsspOptions::default());
    let heavier = whole().with_weights(Some(Weights::from(vec![4u32, 9, 1, 0, 0, 2, 1]))).unwrap();
    assert!(paths.verify(&heavier, &SsspOptions::default()).is_err());
}
