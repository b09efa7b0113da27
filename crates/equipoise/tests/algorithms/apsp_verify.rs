//! The verifier of all pairs rejects each kind of wrong result.

use equipoise::{
    Error, NONE,
    apsp::{Apsp, ApspOptions, ApspStrategy, Numbers, PairDistances, apsp},
    graph::{Graph, VertexIds},
};

use crate::graphs::graph;

/// A result that passes.
fn solve(graph: &Graph) -> Apsp {
    let strategy = ApspStrategy::Blocked;
    let result = apsp(graph, &ApspOptions { strategy, ..ApspOptions::default() }).unwrap();
    result.verify(graph).unwrap();
    result
}

fn rejects(graph: &Graph, bad: &Apsp, reason: &str) {
    match bad.verify(graph) {
        Err(Error::Wrong(message)) => assert!(message.contains(reason), "{message}"),
        other => panic!("expected {reason}, got {other:?}"),
    }
}

/// The result with one number changed.
fn changed<T: bytemuck::Pod>(
    good: &Apsp,
    place: usize,
    value: T,
    values: impl Fn(&mut PairDistances) -> &mut Numbers<T>,
) -> Apsp {
    let mut bad = good.clone();
    values(&mut bad.distances)[place] = value;
    bad
}

fn u32s(distances: &mut PairDistances) -> &mut Numbers<u32> {
    let PairDistances::U32(values) = distances else { panic!("not u32") };
    values
}

fn f32s(distances: &mut PairDistances) -> &mut Numbers<f32> {
    let PairDistances::F32(values) = distances else { panic!("not f32") };
    values
}

#[test]
fn the_verifier_rejects_what_breaks_a_rule() {
    let edges = vec![(0, 1, 4u32), (1, 2, 3), (0, 2, 9)];
    let graph = graph(4, edges, false).with_ids(VertexIds::Dense { first: 10 }).unwrap();
    let good = solve(&graph);
    rejects(&graph, &Apsp { vertices: 3, ..good.clone() }, "distances of 3 vertices");
    let short = Apsp { distances: PairDistances::U32(vec![0; 15].into()), ..good.clone() };
    rejects(&graph, &short, "15 distances for 16 pairs");
    let floats = Apsp { distances: PairDistances::F32(vec![0.0; 16].into()), ..good.clone() };
    rejects(&graph, &floats, "not of the type that u32 weights give");
    rejects(&graph, &changed(&good, 5, 1, u32s), "vertex 11 is at distance 1 from itself");
    rejects(&graph, &changed(&good, 2, 8, u32s), "from 10 to 12 is 8, not 7");
    rejects(&graph, &changed(&good, 2, 6, u32s), "from 10 to 12 is 6, not 7");
    rejects(&graph, &changed(&good, 1, u32::MAX, u32s), "from 10 to 11");
    rejects(&graph, &changed(&good, 3, 5, u32s), "from 10 to 13 is 5");
}

#[test]
fn the_verifier_rejects_wrong_floats() {
    let graph = graph(3, vec![(0, 1, 4.0f32), (1, 2, 3.0)], false);
    let good = solve(&graph);
    for bad in [7.001, 6.999, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -7.0, 0.0] {
        rejects(&graph, &changed(&good, 2, bad, f32s), "from 0 to 2");
    }
    for bad in [0.0, f32::MAX, f32::NAN] {
        rejects(&graph, &changed(&good, 6, bad, f32s), "from 2 to 0");
    }
    rejects(&graph, &changed(&good, 0, f32::NAN, f32s), "from itself");
    changed(&good, 2, 7.0f32.next_up(), f32s).verify(&graph).unwrap();
}

#[test]
fn the_verifier_rejects_wrong_rows_of_a_large_graph() {
    let vertices = 640;
    let edges: Vec<_> = (0..vertices).map(|v| (v, (v + 1) % vertices, 1u32)).collect();
    let ring = graph(vertices, edges, false);
    let good = solve(&ring);
    let at = |source: usize, target: usize| source * 640 + target;
    rejects(&ring, &changed(&good, at(40, 50), 9, u32s), "from 40 to 50 is 9, not 10");
    let wrong = (20..30).fold(good.clone(), |bad, to| changed(&bad, at(5, to), 1, u32s));
    rejects(&ring, &wrong, "from 5 to 2");
    rejects(&ring, &changed(&good, at(77, 77), 1, u32s), "vertex 77");
}

/// A result with next hops that passes.
fn with_hops(graph: &Graph) -> Apsp {
    let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
    let result = apsp(graph, &options).unwrap();
    result.verify(graph).unwrap();
    result
}

/// The result with one next hop changed.
fn rerouted(good: &Apsp, place: usize, hop: u32) -> Apsp {
    let mut bad = good.clone();
    bad.next_hops.as_mut().unwrap()[place] = hop;
    bad
}

#[test]
fn the_verifier_rejects_wrong_next_hops() {
    // Vertices 1 and 2 are at the same distance from 3, with edges without length between them.
    let edges = vec![(0, 1, 1u32), (0, 3, 9), (1, 2, 0), (2, 1, 0), (1, 3, 4), (2, 3, 4)];
    let graph = graph(5, edges, false);
    let good = with_hops(&graph);
    let short = Apsp { next_hops: Some(vec![NONE; 24].into()), ..good.clone() };
    rejects(&graph, &short, "24 next hops for 25 pairs");
    rejects(&graph, &rerouted(&good, 3, NONE), "from 0 to 3 is missing");
    rejects(&graph, &rerouted(&good, 4, 1), "from 0 to 4 should be missing");
    rejects(&graph, &rerouted(&good, 0, 1), "from 0 to 0 should be missing");
    rejects(&graph, &rerouted(&good, 3, 3), "from 0 to 3 is 3, by way of which it is 9, not 5");
    rejects(&graph, &rerouted(&good, 3, 2), "to which no edge leads");
    rejects(&graph, &rerouted(&good, 3, 77), "to which no edge leads");
    let circle = rerouted(&rerouted(&good, 5 + 3, 2), 2 * 5 + 3, 1);
    rejects(&graph, &circle, "does not lead to 3");
    rerouted(&good, 5 + 3, 2).verify(&graph).unwrap();
}

#[test]
fn the_verifier_checks_rows_of_given_sources() {
    for vertices in [20, 640] {
        let edges: Vec<_> = (0..vertices).map(|v| (v, (v + 1) % vertices, 1u32)).collect();
        let ring = graph(vertices, edges, false);
        let options = ApspOptions { sources: Some(vec![7, 3]), ..ApspOptions::default() };
        let good = apsp(&ring, &options).unwrap();
        good.verify(&ring).unwrap();
        let second = vertices as usize;
        rejects(&ring, &changed(&good, second + 5, 9, u32s), "from 3 to 5 is 9, not 2");
        rejects(&ring, &changed(&good, 7, 1, u32s), "vertex 7 is at distance 1 from itself");
        let short = Apsp { sources: Some(vec![7]), ..good.clone() };
        rejects(&ring, &short, &format!("{} distances for {vertices} pairs", 2 * vertices));
        let swapped = Apsp { sources: Some(vec![3, 7]), ..good };
        rejects(&ring, &swapped, "from itself");
    }
}
