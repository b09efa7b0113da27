//! Neighbours over the edges of one direction.

use equipoise_graph::{Csr, Graph, memory};

use super::order::{NONE, priority};
use crate::{Comm, DistGraph, Exchange, Result, Traffic, agree};

/// The edges of a graph, or of its reverse, at the vertices of a rank.
pub(super) struct Side<'a> {
    graph: &'a DistGraph,
    /// The owned vertices that have an edge to each vertex, owned or mirror.
    waiting: &'a Csr,
    /// The colors of mirrors.
    mirrors: Vec<u32>,
    exchange: Exchange<'a>,
}

impl<'a> Side<'a> {
    /// No mirror has a color yet.
    pub fn new(comm: &'a dyn Comm, graph: &'a DistGraph) -> Result<Self> {
        let waiting = agree(comm, graph.local.transpose().map(Graph::csr).map_err(Into::into))?;
        let bytes = memory::bytes_of::<u32>(graph.mirrors.len() as u64);
        agree(comm, memory::check("the colors of mirrors", bytes).map_err(Into::into))?;
        let mirrors = vec![NONE; graph.mirrors.len()];
        Ok(Self { graph, waiting, mirrors, exchange: Exchange::new(comm, graph) })
    }

    /// The number of edges of an owned vertex.
    pub fn degree(&self, vertex: u32) -> usize {
        self.graph.local.degree(vertex)
    }

    /// The global id of a vertex.
    pub fn global(&self, vertex: u32) -> u64 {
        self.graph.global(vertex)
    }

    /// The owned vertices with an edge to `vertex`, once for each edge.
    pub fn waiting_for(&self, vertex: u32) -> &'a [u32] {
        self.waiting.row(vertex)
    }

    /// Adds to `counts`, for each owned vertex, its edges to vertices of higher priority.
    pub fn count_higher(&self, seed: u64, counts: &mut [u64]) {
        for (vertex, count) in (0..).zip(counts) {
            let own = priority(seed, self.global(vertex));
            let neighbors = self.graph.local.neighbors(vertex).iter();
            let higher = neighbors.filter(|&&other| priority(seed, self.global(other)) > own);
            *count += higher.count() as u64;
        }
    }

    /// Calls `take` with the color of each neighbour of an owned vertex that has one; `colors` are those of owned ones.
    pub fn for_colors(&self, vertex: u32, colors: &[u32], mut take: impl FnMut(u32)) {
        let owned = colors.len();
        for &other in self.graph.local.neighbors(vertex) {
            let color = match colors.get(other as usize) {
                Some(&color) => color,
                None => self.mirrors[other as usize - owned],
            };
            if color != NONE {
                take(color);
            }
        }
    }

    /// Sends the colors of `colored` vertices to their mirrors. Returns the mirrors of this rank that received one.
    pub fn hear(&mut self, colored: &[u32], colors: &[u32]) -> Vec<u32> {
        let mut received = Vec::new();
        let Self { mirrors, exchange, .. } = self;
        exchange.broadcast(
            colored,
            |vertex| colors[vertex as usize],
            |mirror, color| {
                mirrors[mirror as usize - colors.len()] = color;
                received.push(mirror);
            },
        );
        received
    }

    /// Takes the traffic since the last call.
    pub fn take_traffic(&mut self) -> Traffic {
        self.exchange.take_traffic()
    }
}
