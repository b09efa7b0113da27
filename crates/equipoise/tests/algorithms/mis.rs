//! Independent sets against one vertex taken after the other, and sets that are not right against the verifier.

use std::collections::BTreeSet;

use equipoise::{
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, io::ReadOptions, load},
    mis::{Mis, MisOptions, MisPriority, mis},
};
use proptest::prelude::*;

/// A graph that keeps loops and parallel edges.
fn graph<W>(vertices: u32, edges: Vec<W>, undirected: bool) -> Graph
where
    Edges: From<Vec<W>>,
{
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
    builder.build(Edges::from(edges)).unwrap()
}

fn by(priority: MisPriority) -> MisOptions {
    MisOptions { priority, ..MisOptions::default() }
}

/// A verified set.
fn found(graph: &Graph, options: &MisOptions) -> Mis {
    let found = mis(graph, options).unwrap();
    found.verify(graph, options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    let decided: u64 = found.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(decided, u64::from(graph.vertices()), "{options:?}");
    found
}

/// The neighbours of each vertex over edges of either direction.
fn neighbors(vertices: u32, edges: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut neighbors = vec![BTreeSet::new(); vertices as usize];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        neighbors[a as usize].insert(b);
        neighbors[b as usize].insert(a);
    }
    neighbors
}

/// Takes vertices in an order, each unless a neighbour was taken.
fn greedy(neighbors: &[BTreeSet<u32>], order: &[u32]) -> Vec<bool> {
    let mut in_set = vec![false; neighbors.len()];
    for &vertex in order {
        let is_free = |&other: &u32| !in_set[other as usize];
        in_set[vertex as usize] = neighbors[vertex as usize].iter().all(is_free);
    }
    in_set
}

/// The order of vertices that have as many neighbours, found out by pairs: of two that an edge joins, the first is in the
/// set.
fn order_of_pairs(vertices: u32, options: &MisOptions) -> Vec<u32> {
    let goes_before = |a: u32, b: u32| {
        let pair = graph(vertices, vec![(a, b)], true);
        mis(&pair, options).unwrap().in_set[a as usize]
    };
    let mut order: Vec<u32> = (0..vertices).collect();
    order.sort_by(|&a, &b| match goes_before(a, b) {
        _ if a == b => std::cmp::Ordering::Equal,
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Greater,
    });
    order
}

proptest! {
    #[test]
    fn any_graph_has_the_set_of_one_vertex_after_the_other(
        (vertices, edges) in (1..30u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..70))
        }),
        seed in 0..50u64,
        undirected in any::<bool>(),
        weighted in any::<bool>(),
    ) {
        let graph = match weighted {
            true => {
                let weighted = edges.iter().map(|&(a, b)| (a, b, a + b)).collect::<Vec<_>>();
                graph(vertices, weighted, undirected)
            }
            false => graph(vertices, edges.clone(), undirected),
        };
        let neighbors = neighbors(vertices, &edges);
        let random = MisOptions { priority: MisPriority::Random, seed };
        let order = order_of_pairs(vertices, &random);
        prop_assert_eq!(found(&graph, &random).in_set, greedy(&neighbors, &order));
        let by_degree = MisOptions { priority: MisPriority::Degree, seed };
        let mut order = order_of_pairs(vertices, &by_degree);
        // A stable sort, which leaves those that have as many neighbours in their order.
        order.sort_by_key(|&vertex| neighbors[vertex as usize].len());
        prop_assert_eq!(found(&graph, &by_degree).in_set, greedy(&neighbors, &order));
    }
}

#[test]
fn known_shapes_by_every_priority() {
    for (spec, least, most) in [
        ("isolated:n=0", 0, 0),
        ("isolated:n=1", 1, 1),
        ("isolated:n=9", 9, 9),
        ("path:n=2", 1, 1),
        ("path:n=3000", 1000, 1500),
        ("cycle:n=777", 259, 388),
        ("complete:n=60", 1, 1),
    ] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        for &priority in MisPriority::ALL {
            let size = found(&graph, &by(priority)).size;
            assert!((least..=most).contains(&size), "{spec} by {priority}: {size}");
        }
    }
}

#[test]
fn those_with_few_neighbours_make_the_larger_set() {
    let star = load("star:n=3000", &ReadOptions::default()).unwrap();
    for seed in 0..20 {
        assert_eq!(found(&star, &MisOptions { seed, ..MisOptions::default() }).size, 2999);
    }
    let graph = load("rmat:scale=12", &ReadOptions::default()).unwrap();
    let size = |priority| found(&graph, &by(priority)).size;
    assert!(size(MisPriority::Degree) > size(MisPriority::Random));
}

#[test]
fn a_seed_makes_a_set_repeat_whatever_the_threads() {
    let graph = load("er:n=3000,m=9000", &ReadOptions::default()).unwrap();
    let set = |seed| found(&graph, &MisOptions { seed, ..MisOptions::default() }).in_set;
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| set(5)), set(5));
    assert_ne!(set(5), set(6));
}

#[test]
fn wrong_sets_are_told() {
    // A path of four with a loop at its end, and a directed edge to a vertex of its own.
    let graph = graph(6, vec![(0, 1), (1, 2), (2, 3), (3, 3), (5, 4)], false);
    let options = MisOptions::default();
    let right = found(&graph, &options);
    let with = |in_set: [u8; 6]| {
        let in_set = in_set.map(|is_in| is_in == 1).to_vec();
        let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
        Mis { in_set, size, ..right.clone() }
    };
    // Both ends of the pair have one neighbour, and only one of them is the right one.
    let other = with([1, 0, 0, 1, u8::from(!right.in_set[4]), u8::from(!right.in_set[5])]);
    for (wrong, problem) in [
        (Mis { in_set: vec![false; 5], ..right.clone() }, "5 answers for 6 vertices"),
        (Mis { size: 2, ..right.clone() }, "3 vertices are in the set, not 2"),
        (with([1, 0, 0, 1, 1, 1]), "an edge joins the vertices 5 and 4"),
        (with([1, 1, 0, 1, 1, 0]), "an edge joins the vertices 0 and 1"),
        (with([1, 0, 0, 1, 0, 0]), "vertex 4 has no neighbour in the set"),
        (with([1, 0, 0, 0, 1, 0]), "vertex 2 has no neighbour in the set"),
        (with([0, 1, 0, 1, 1, 0]), "vertex 0 goes before its neighbours in the set"),
        (other, "goes before its neighbours in the set"),
    ] {
        let error = wrong.verify(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
