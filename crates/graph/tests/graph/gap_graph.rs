//! GAP's serialized graphs compared byte by byte with the output of GAP's converter.

use equipoise_graph::{
    Edges, GraphBuilder, Weights,
    io::{Format, ReadOptions, parse_graph},
};

use crate::common::written;

/// The output of GAP's `converter` for the edge list `0 1 5`, `2 0 6`, `0 2 7`, `4 1 9`.
fn weighted_by_gap() -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend([4u64, 5].map(u64::to_le_bytes).concat());
    bytes.extend([0u64, 2, 2, 3, 3, 4].map(u64::to_le_bytes).concat());
    bytes.extend([1u32, 5, 2, 7, 0, 6, 1, 9].map(u32::to_le_bytes).concat());
    bytes.extend([0u64, 1, 3, 4, 4, 4].map(u64::to_le_bytes).concat());
    bytes.extend([2u32, 6, 0, 5, 4, 9, 0, 7].map(u32::to_le_bytes).concat());
    bytes
}

/// Its output for `0 1`, `2 0`, `0 2`, `3 3`, `4 1` with symmetrization.
fn undirected_by_gap() -> Vec<u8> {
    let mut bytes = vec![0];
    bytes.extend([6u64, 5].map(u64::to_le_bytes).concat());
    bytes.extend([0u64, 2, 4, 5, 5, 6].map(u64::to_le_bytes).concat());
    bytes.extend([1u32, 2, 0, 4, 0, 1].map(u32::to_le_bytes).concat());
    bytes
}

#[test]
fn files_of_gap_are_read_and_written_equal() {
    let edges = Edges::from(vec![(0, 1, 5u32), (2, 0, 6), (0, 2, 7), (4, 1, 9)]);
    let graph = GraphBuilder::new().build(edges).unwrap();
    let options = ReadOptions::default();
    let read = parse_graph(&weighted_by_gap(), Format::GapWeightedGraph, &options).unwrap();
    assert_eq!(read, graph);
    assert_eq!(written(&graph, Format::GapWeightedGraph), weighted_by_gap());

    let edges = Edges::from(vec![(0, 1), (2, 0), (4, 1)]);
    let graph = GraphBuilder::new().undirected(true).build(edges).unwrap();
    let read = parse_graph(&undirected_by_gap(), Format::GapGraph, &options).unwrap();
    assert_eq!(read, graph);
    assert_eq!(written(&graph, Format::GapGraph), undirected_by_gap());
}

#[test]
fn rows_in_any_order_are_sorted_with_their_weights() {
    let mut bytes = weighted_by_gap();
    let edges = 17 + 8 * 6;
    bytes[edges..edges + 16].rotate_left(8);
    let read = parse_graph(&bytes, Format::GapWeightedGraph, &ReadOptions::default()).unwrap();
    assert_eq!(read.neighbors(0), [1, 2]);
    assert_eq!(read.weights(), Some(&Weights::from(vec![5u32, 7, 6, 9])));
}

#[test]
fn a_directed_file_can_be_read_as_undirected() {
    let options = ReadOptions { undirected: true, ..Default::default() };
    let read = parse_graph(&weighted_by_gap(), Format::GapWeightedGraph, &options).unwrap();
    assert!(read.is_undirected());
    assert_eq!(read.neighbors(0), [1, 2, 2]);
    let read = parse_graph(&undirected_by_gap(), Format::GapGraph, &options).unwrap();
    assert_eq!(read.neighbors(0), [1, 2]);
}
