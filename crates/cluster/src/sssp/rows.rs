//! The edges of a rank, light ones first.

use super::distance::{Distance, EdgeWeights};
use crate::DistGraph;

/// The edges of each owned vertex: first the light ones, shorter than a step, then the heavy ones, which are relaxed once the
/// distance of their source is final.
pub(super) struct Rows<W> {
    /// The start of each row and of its heavy edges; at the end, the end of the last.
    starts: Vec<[u64; 2]>,
    edges: Vec<(u32, W)>,
}

impl<W: Copy> Rows<W> {
    /// The edges of a graph, light ones being shorter than `delta`.
    pub fn new<D, E>(graph: &DistGraph, weights: E, delta: f64) -> Self
    where
        D: Distance<Weight = W>,
        E: EdgeWeights<Weight = W>,
    {
        let csr = graph.local.csr();
        let mut edges = Vec::with_capacity(csr.indices().len());
        let mut starts = Vec::with_capacity(graph.owned() as usize + 1);
        let mut heavy = Vec::new();
        for vertex in 0..graph.owned() {
            let start = edges.len() as u64;
            let of_vertex = csr.row(vertex).iter().copied().zip(weights.of(csr.range(vertex)));
            for edge in of_vertex {
                if D::ZERO.plus(edge.1).to_f64() < delta {
                    edges.push(edge)
                } else {
                    heavy.push(edge)
                }
            }
            starts.push([start, edges.len() as u64]);
            edges.append(&mut heavy);
        }
        starts.push([edges.len() as u64; 2]);
        Self { starts, edges }
    }

    #[inline]
    pub fn light(&self, vertex: u32) -> &[(u32, W)] {
        let [start, heavy] = self.starts[vertex as usize];
        &self.edges[start as usize..heavy as usize]
    }

    #[inline]
    pub fn heavy(&self, vertex: u32) -> &[(u32, W)] {
        let [_, heavy] = self.starts[vertex as usize];
        let [end, _] = self.starts[vertex as usize + 1];
        &self.edges[heavy as usize..end as usize]
    }

    #[inline]
    pub fn all(&self, vertex: u32) -> &[(u32, W)] {
        let ([start, _], [end, _]) =
            (self.starts[vertex as usize], self.starts[vertex as usize + 1]);
        &self.edges[start as usize..end as usize]
    }
}
