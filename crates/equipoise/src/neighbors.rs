//! The simple undirected graph under any graph: each vertex with its neighbours over edges of either direction.

use std::{sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use crate::{Result, once::get_or_try_init, rows::pieces, times::timed};

const ROWS_PER_PIECE: u32 = 1 << 12;

/// The neighbours of each vertex of a graph, found on first use.
#[derive(Default)]
pub(crate) struct Neighbors(OnceLock<(Csr, Duration)>);

impl Neighbors {
    /// The neighbours of each vertex, and the time of finding them.
    pub fn csr(&self, graph: &Graph) -> Result<(&Csr, Duration)> {
        let (csr, time) = get_or_try_init(&self.0, || {
            let (csr, time) = timed(|| neighbors(graph));
            Ok((csr?, time))
        })?;
        Ok((csr, *time))
    }

    /// Whether the neighbours are the rows of the graph itself.
    pub fn are_rows_of(&self, graph: &Graph) -> Result<bool> {
        Ok(std::ptr::eq(self.csr(graph)?.0.indices(), graph.csr().indices()))
    }

    /// The largest number of neighbours of a vertex.
    pub fn max_degree(&self, graph: &Graph) -> Result<usize> {
        let is_simple = self.are_rows_of(graph)?;
        Ok(if is_simple { graph.max_degree() } else { max_degree(self.csr(graph)?.0) })
    }
}

/// The number of edges between each vertex and each of its neighbours, in either direction, found on first use.
#[derive(Default)]
pub(crate) struct EdgeCounts(OnceLock<(Option<Vec<u32>>, Duration)>);

impl EdgeCounts {
    /// One count per entry of the [neighbours](Neighbors::csr) of a graph, `None` where each is 1; and the time of counting.
    pub fn get(&self, graph: &Graph, neighbors: &Csr) -> Result<(Option<&[u32]>, Duration)> {
        let (counts, time) = get_or_try_init(&self.0, || {
            if std::ptr::eq(neighbors.indices(), graph.csr().indices()) {
                return Ok((None, Duration::ZERO));
            }
            let (counts, time) = timed(|| edge_counts(graph, neighbors));
            Ok((Some(counts?), time))
        })?;
        Ok((counts.as_deref(), *time))
    }
}

fn edge_counts(graph: &Graph, neighbors: &Csr) -> Result<Vec<u32>> {
    let bytes = memory::bytes_of::<u32>(neighbors.entries());
    memory::check("the number of edges to each neighbour", bytes)?;
    let backward = if graph.is_undirected() { None } else { Some(graph.transpose()?) };
    let mut counts = vec![0; neighbors.indices().len()];
    let parts = pieces(neighbors.offsets(), &mut counts, ROWS_PER_PIECE as usize);
    parts.into_par_iter().for_each(|(first, piece)| {
        let mut counts = piece.iter_mut();
        for vertex in (first as u32..neighbors.rows()).take(ROWS_PER_PIECE as usize) {
            let mut leaving = graph.neighbors(vertex);
            let mut entering = backward.map_or(&[][..], |graph| graph.neighbors(vertex));
            for (&other, count) in neighbors.row(vertex).iter().zip(&mut counts) {
                *count = take_equal(&mut leaving, other) + take_equal(&mut entering, other);
            }
        }
    });
    Ok(counts)
}

/// Takes the numbers up to `number` from the start of an ascending row. Returns how many are equal to it.
fn take_equal(row: &mut &[u32], number: u32) -> u32 {
    let smaller = row.iter().take_while(|&&other| other < number).count();
    let equal = row[smaller..].iter().take_while(|&&other| other == number).count();
    *row = &row[smaller + equal..];
    equal as u32
}

/// The neighbours of each vertex over edges of either direction, each once and without the vertex itself.
pub(crate) fn neighbors(graph: &Graph) -> Result<Csr> {
    if graph.is_undirected() && graph.is_simple() {
        return Ok(graph.csr().clone());
    }
    Ok(merge(graph.csr(), graph.transpose()?.csr(), !graph.is_undirected())?)
}

/// The largest number of neighbours of a vertex.
pub(crate) fn max_degree(neighbors: &Csr) -> usize {
    let lengths = neighbors.offsets().par_windows(2).with_min_len(ROWS_PER_PIECE as usize);
    lengths.map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0)
}

fn merge(forward: &Csr, backward: &Csr, directed: bool) -> Result<Csr, equipoise_graph::Error> {
    let vertices = forward.rows();
    // The targets of all pieces, with room to grow, and then in one array; two ends per row.
    let factor = if directed { 2 } else { 1 };
    let entries = forward.entries().max(backward.entries()).saturating_mul(factor);
    let bytes = memory::bytes_of::<[u32; 3]>(entries);
    let ends = memory::bytes_of::<[u64; 2]>(vertices.into());
    memory::check("the neighbours over edges of either direction", bytes.saturating_add(ends))?;
    let pieces: Vec<(Vec<usize>, Vec<u32>)> = (0..vertices.div_ceil(ROWS_PER_PIECE))
        .into_par_iter()
        .map(|piece| {
            let start = piece * ROWS_PER_PIECE;
            let end = vertices.min(start.saturating_add(ROWS_PER_PIECE));
            let (mut ends, mut targets) = (Vec::new(), Vec::new());
            for vertex in start..end {
                merge_rows(vertex, forward.row(vertex), backward.row(vertex), &mut targets);
                ends.push(targets.len());
            }
            (ends, targets)
        })
        .collect();
    let mut offsets = Vec::with_capacity(vertices as usize + 1);
    offsets.push(0);
    let mut targets = Vec::with_capacity(pieces.iter().map(|(_, targets)| targets.len()).sum());
    for (ends, piece) in pieces {
        offsets.extend(ends.into_iter().map(|end| (targets.len() + end) as u64));
        targets.extend(piece);
    }
    Csr::new(vertices, offsets, targets)
}

/// Appends the union of two ascending rows to `merged`, each number once and without `vertex`.
fn merge_rows(vertex: u32, mut a: &[u32], mut b: &[u32], merged: &mut Vec<u32>) {
    let mut last = vertex;
    loop {
        let next = match (a.first(), b.first()) {
            (None, None) => return,
            (Some(&x), y) if y.is_none_or(|&y| x <= y) => {
                a = &a[1..];
                x
            }
            _ => {
                let y = b[0];
                b = &b[1..];
                y
            }
        };
        if next != last && next != vertex {
            merged.push(next);
            last = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};

    use super::*;

    #[test]
    fn both_directions_are_merged_and_loops_and_duplicates_dropped() {
        let edges = Edges::from(vec![(2, 0), (0, 2), (0, 1), (0, 1), (1, 1), (3, 1), (0, 0)]);
        let graph = GraphBuilder::new().vertices(5).build(edges).unwrap();
        let csr = neighbors(&graph).unwrap();
        let rows: Vec<&[u32]> = (0..5).map(|vertex| csr.row(vertex)).collect();
        assert_eq!(rows, [&[1, 2][..], &[0, 3], &[0], &[1], &[]]);
        assert_eq!(max_degree(&csr), 2);
    }

    #[test]
    fn edges_of_both_directions_are_counted_per_neighbour() {
        let edges = vec![(2, 0), (0, 2), (0, 1), (0, 1), (1, 1), (3, 1), (0, 0)];
        let graph = GraphBuilder::new().vertices(5).build(Edges::from(edges)).unwrap();
        let csr = neighbors(&graph).unwrap();
        assert_eq!(edge_counts(&graph, &csr).unwrap(), [2, 2, 2, 1, 2, 1]);
        let edges = Edges::from(vec![(0, 1), (1, 0), (1, 2), (2, 2)]);
        let graph = GraphBuilder::new().undirected(true).build(edges).unwrap();
        let csr = neighbors(&graph).unwrap();
        assert_eq!(edge_counts(&graph, &csr).unwrap(), [2, 2, 1, 1]);
        let simple = GraphBuilder::new().undirected(true).build(vec![(0, 1)].into()).unwrap();
        let (cached, counts) = (Neighbors::default(), EdgeCounts::default());
        assert_eq!(counts.get(&simple, cached.csr(&simple).unwrap().0).unwrap().0, None);
    }

    #[test]
    fn many_pieces_are_joined_in_order() {
        let last = 2 * ROWS_PER_PIECE + 5;
        let edges = (0..last).map(|vertex| (vertex + 1, vertex)).collect::<Vec<_>>();
        let csr = neighbors(&GraphBuilder::new().build(Edges::from(edges)).unwrap()).unwrap();
        assert_eq!(csr.row(0), [1]);
        assert!((1..last).all(|vertex| csr.row(vertex) == [vertex - 1, vertex + 1]));
        assert_eq!(csr.row(last), [last - 1]);
    }

    #[test]
    fn a_simple_undirected_graph_is_taken_as_it_is() {
        let build = |edges| GraphBuilder::new().undirected(true).build(Edges::from(edges)).unwrap();
        let simple = build(vec![(0, 1), (1, 2)]);
        assert_eq!(neighbors(&simple).unwrap().indices().as_ptr(), simple.csr().indices().as_ptr());
        let looped = build(vec![(0, 1), (1, 2), (1, 1), (0, 1)]);
        assert_eq!(&neighbors(&looped).unwrap(), simple.csr());
    }
}
