//! The simple undirected graph under any graph: what gets colored, and what cores and triangles are counted in.

use std::{sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, Graph, memory};
use equipoise_schedule::engine::{DeviceGraph, DeviceRows};
use rayon::prelude::*;

use crate::{
    Error, Result,
    gpu_graph::{GraphOnGpu, made},
    times::{timed, timed_on},
};

const ROWS_PER_PIECE: u32 = 1 << 12;

/// The neighbours of each vertex of a graph, found when an algorithm first asks for them and kept.
#[derive(Default)]
pub(crate) struct Neighbors {
    found: OnceLock<Found>,
    /// The neighbours on a GPU, and how long it took to copy them, where they are not the graph's own.
    copied: OnceLock<(DeviceGraph, Duration)>,
}

struct Found {
    csr: Csr,
    /// Whether they are the graph's rows as they are.
    are_own: bool,
    time: Duration,
}

impl Neighbors {
    fn found(&self, graph: &Graph) -> Result<&Found> {
        made(&self.found, || {
            let (csr, time) = timed(|| neighbors(graph));
            let csr = csr?;
            let are_own = std::ptr::eq(csr.indices(), graph.csr().indices());
            Ok(Found { csr, are_own, time })
        })
    }

    /// The neighbours of each vertex, and how long it took to find them.
    pub(crate) fn of(&self, graph: &Graph) -> Result<(&Csr, Duration)> {
        let found = self.found(graph)?;
        Ok((&found.csr, found.time))
    }

    /// The most neighbours that a vertex has.
    pub(crate) fn max_degree(&self, graph: &Graph) -> Result<usize> {
        let found = self.found(graph)?;
        Ok(if found.are_own { graph.max_degree() } else { max_degree(&found.csr) })
    }

    /// The bytes of a GPU's memory that copying their rows still takes.
    pub(crate) fn bytes_missing(&self, there: &GraphOnGpu) -> Result<u64> {
        let found = self.found(there.graph)?;
        Ok(match (found.are_own, self.copied.get()) {
            (true, _) => there.bytes_missing(false),
            (false, Some(_)) => 0,
            (false, None) => DeviceRows::bytes_of(&there.gpu, &found.csr),
        })
    }

    /// The neighbours on a GPU, copied now if they were not, and how long that took.
    pub(crate) fn on_gpu<'a>(
        &'a self,
        there: &'a GraphOnGpu,
    ) -> Result<(&'a DeviceGraph, Duration)> {
        let found = self.found(there.graph)?;
        if found.are_own {
            let graph = there.get()?;
            return Ok((&graph.there, graph.upload_time(false)));
        }
        let (graph, time) = made(&self.copied, || {
            let (graph, time) = timed_on(&there.gpu, || {
                // SAFETY: they were made by `Csr::new`.
                let graph = unsafe { DeviceGraph::from_neighbors(&there.gpu, &found.csr) }?;
                there.gpu.finish()?;
                Ok::<_, Error>(graph)
            });
            Ok((graph?, time))
        })?;
        Ok((graph, *time))
    }
}

/// For each vertex its neighbours over edges of either direction, each once and itself left out.
pub(crate) fn neighbors(graph: &Graph) -> Result<Csr> {
    match graph.is_undirected() && graph.is_simple() {
        true => Ok(graph.csr().clone()),
        false => Ok(merge(graph.csr(), graph.transpose()?.csr(), !graph.is_undirected())?),
    }
}

/// The most neighbours that a vertex has.
pub(crate) fn max_degree(neighbors: &Csr) -> usize {
    let lengths = neighbors.offsets().par_windows(2).with_min_len(ROWS_PER_PIECE as usize);
    lengths.map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0)
}

fn merge(forward: &Csr, backward: &Csr, directed: bool) -> Result<Csr, equipoise_graph::Error> {
    let vertices = forward.rows();
    // Rows in pieces, with room to grow, and then all of them in one; each has an end.
    let entries = forward.entries().max(backward.entries()).saturating_mul(match directed {
        true => 2,
        false => 1,
    });
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

/// Appends what is in either ascending row to `merged`, each number once and `vertex` left out.
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
