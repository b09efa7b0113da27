//! The verifier of all pairs rejects each kind of wrong result.

use equipoise::{
    Apsp, ApspOptions, ApspStrategy, Distances, Error, apsp,
    graph::{Edges, Graph, GraphBuilder, VertexIds},
};

fn graph(vertices: u32, edges: impl Into<Edges>) -> Graph {
    GraphBuilder::new().vertices(vertices.into()).build(edges.into()).unwrap()
}

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

/// The result with the number at `place` changed.
fn changed<T: Copy>(
    good: &Apsp,
    place: usize,
    value: T,
    values: impl Fn(&mut Distances) -> &mut Vec<T>,
) -> Apsp {
    let mut bad = good.clone();
    values(&mut bad.distances)[place] = value;
    bad
}

fn u32s(distances: &mut Distances) -> &mut Vec<u32> {
    let Distances::U32(values) = distances else { panic!("not u32") };
    values
}

fn f32s(distances: &mut Distances) -> &mut Vec<f32> {
    let Distances::F32(values) = distances else { panic!("not f32") };
    values
}

#[test]
fn the_verifier_rejects_what_breaks_a_rule() {
    let edges = vec![(0, 1, 4u32), (1, 2, 3), (0, 2, 9)];
    let graph = graph(4, edges).with_ids(VertexIds::Dense { first: 10 }).unwrap();
    let good = solve(&graph);
    rejects(&graph, &Apsp { vertices: 3, ..good.clone() }, "distances of 3 vertices");
    let short = Apsp { distances: Distances::U32(vec![0; 15]), ..good.clone() };
    rejects(&graph, &short, "15 distances for 16 pairs");
    let floats = Apsp { distances: Distances::F32(vec![0.0; 16]), ..good.clone() };
    rejects(&graph, &floats, "not of the type that u32 weights give");
    rejects(&graph, &changed(&good, 5, 1, u32s), "vertex 11 is at distance 1 from itself");
    rejects(&graph, &changed(&good, 2, 8, u32s), "from 10 to 12 is 8, not 7");
    rejects(&graph, &changed(&good, 2, 6, u32s), "from 10 to 12 is 6, not 7");
    rejects(&graph, &changed(&good, 1, u32::MAX, u32s), "from 10 to 11");
    rejects(&graph, &changed(&good, 3, 5, u32s), "from 10 to 13 is 5");
}

#[test]
fn the_verifier_rejects_wrong_floats() {
    let graph = graph(3, vec![(0, 1, 4.0f32), (1, 2, 3.0)]);
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
    let ring = graph(vertices, edges);
    let good = solve(&ring);
    let at = |source: usize, target: usize| source * 640 + target;
    // Rows 0, 40, … are compared with Dijkstra's; 5, 15, … are held against the edges.
    rejects(&ring, &changed(&good, at(40, 50), 9, u32s), "from 40 to 50 is 9, not 10");
    rejects(&ring, &changed(&good, at(5, 20), 16, u32s), "from 5 to 20 is 16, but 15 by way of 19");
    rejects(&ring, &changed(&good, at(77, 77), 1, u32s), "vertex 77");
}
