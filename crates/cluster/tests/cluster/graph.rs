//! Graphs over ranks have the edges of the graph on one machine.

use equipoise_cluster::{Comm, DistGraph, EdgeSlice, run_threads};
use equipoise_graph::{Graph, Weights};
use proptest::prelude::*;

use crate::whole::{ranks, wholes};

/// An edge with its weight.
type Edge = (u64, u64, Option<f64>);

fn edges_of(graph: &Graph, global: impl Fn(u32) -> u64) -> Vec<Edge> {
    let weight = |edge| graph.weights().map(|weights: &Weights| weights.get(edge));
    let of = |vertex: u32| {
        let range = graph.csr().range(vertex);
        let mut edges: Vec<Edge> = range
            .map(|edge| (global(vertex), global(graph.csr().indices()[edge]), weight(edge)))
            .collect();
        // Within a rank, mirrors come last; parallel edges keep their order.
        edges.sort_by_key(|edge| edge.1);
        edges
    };
    (0..graph.vertices()).flat_map(of).collect()
}

fn edges_of_part(part: &DistGraph) -> Vec<Edge> {
    edges_of(&part.local, |vertex| part.global(vertex))
}

proptest! {
    #[test]
    fn ranks_together_have_all_edges(whole in wholes(), ranks in ranks()) {
        let one = whole.on_one_machine();
        let parts = ranks.run(|comm| {
            let part = whole.build(comm);
            assert_eq!(part.edges_total(), one.edges());
            assert_eq!(part.vertices_total(), whole.vertices);
            assert_eq!(part.is_undirected(), whole.undirected);
            (edges_of_part(&part), edges_of_part(part.reversed(comm).unwrap()))
        });
        let (forth, back): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        prop_assert_eq!(forth.concat(), edges_of(&one, u64::from));
        prop_assert_eq!(back.concat(), edges_of(one.transpose().unwrap(), u64::from));
    }

    #[test]
    fn ranks_agree_upon_mirrors(whole in wholes(), ranks in ranks()) {
        let parts = ranks.run(|comm| whole.build(comm));
        for (rank, part) in parts.iter().enumerate() {
            prop_assert!(part.mirrors.is_sorted_by(|a, b| a < b));
            for vertex in 0..part.local.vertices() {
                prop_assert_eq!(part.local(part.global(vertex)), Some(vertex));
                prop_assert_eq!(vertex < part.owned(), part.partition.owner(part.global(vertex)) == rank);
            }
            for vertex in 0..whole.vertices {
                prop_assert!(part.local(vertex).is_none_or(|local| part.global(local) == vertex));
            }
            let ranges: Vec<u32> = (0..ranks.ranks).flat_map(|other| part.mirrors_of(other)).collect();
            prop_assert_eq!(ranges, (part.owned()..part.local.vertices()).collect::<Vec<_>>());
            for (other, owner) in parts.iter().enumerate() {
                let here = part.mirrors_of(other).map(|mirror| part.global(mirror));
                let there = owner.mirrored_by(rank).iter().map(|&owned| owner.global(owned));
                prop_assert!(here.eq(there));
            }
        }
    }
}

#[test]
fn edges_are_distributed_evenly() {
    let shares = run_threads(4, 1 << 20, |comm| {
        // A path: each vertex has one edge.
        let sources: Vec<u64> = (0..250).map(|edge| edge + 250 * comm.rank() as u64).collect();
        let targets = sources.iter().map(|source| (source + 1) % 1000).collect();
        let slice = EdgeSlice { sources, targets, ..EdgeSlice::new(1000) };
        DistGraph::build(comm, slice).unwrap().owned()
    });
    assert_eq!(shares, [250; 4]);
}

#[test]
fn a_wrong_slice_fails_on_all_ranks() {
    let outcomes = run_threads(3, 64, |comm| {
        let sources = vec![if comm.rank() == 2 { 9 } else { 0 }];
        let slice = EdgeSlice { sources, targets: vec![1], ..EdgeSlice::new(4) };
        DistGraph::build(comm, slice).unwrap_err().to_string()
    });
    assert_eq!(
        outcomes,
        ["rank 2: vertex 9 does not exist: the graph has 4 vertices, numbered from 0"; 3]
    );
}

#[test]
fn slices_of_two_graphs_are_refused() {
    let outcomes = run_threads(3, 64, |comm| {
        let slice = EdgeSlice { undirected: comm.rank() == 1, ..EdgeSlice::new(4) };
        DistGraph::build(comm, slice).unwrap_err().to_string()
    });
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    assert!(outcomes[0].contains("rank 1 one of 4 vertices, undirected: true"), "{}", outcomes[0]);
}

#[test]
fn more_vertices_than_a_rank_can_number_are_refused() {
    let outcomes = run_threads(2, 64, |comm| {
        DistGraph::build(comm, EdgeSlice::new(3 << 32)).unwrap_err().to_string()
    });
    assert!(
        outcomes[1].starts_with("rank 0 has 6442450944 vertices and mirrors of 0"),
        "{}",
        outcomes[1]
    );
}
