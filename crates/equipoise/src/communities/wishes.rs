//! The labels of vertices, and those that they want.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::parallel::*;

use super::undirected::UndirectedGraph;

/// The label of each vertex, and the one that it wants while the vertices of a batch choose; everywhere else its own.
pub(super) struct Wishes {
    labels: Vec<AtomicU32>,
    wanted: Vec<AtomicU32>,
}

impl Wishes {
    pub fn new(labels: &[u32]) -> Self {
        let atomic = || labels.par_iter().map(|&label| AtomicU32::new(label)).collect();
        Self { labels: atomic(), wanted: atomic() }
    }

    #[inline]
    pub fn label(&self, vertex: u32) -> u32 {
        self.labels[vertex as usize].load(Relaxed)
    }

    #[inline]
    pub fn wanted(&self, vertex: u32) -> u32 {
        self.wanted[vertex as usize].load(Relaxed)
    }

    pub fn want(&self, vertex: u32, label: u32) {
        self.wanted[vertex as usize].store(label, Relaxed);
    }

    /// Gives up what a vertex wants.
    pub fn keep(&self, vertex: u32) {
        self.want(vertex, self.label(vertex));
    }

    pub fn take(&self, vertex: u32, label: u32) {
        self.want(vertex, label);
        self.labels[vertex as usize].store(label, Relaxed);
    }

    /// Whether a neighbour with a smaller number wants to leave the label that a vertex wants, or to take its own.
    pub fn must_wait(&self, graph: &UndirectedGraph, vertex: u32) -> bool {
        let (own, target) = (self.label(vertex), self.wanted(vertex));
        let smaller = graph.neighbors.row(vertex).iter().take_while(|&&other| other < vertex);
        smaller.into_iter().any(|&other| {
            let (from, to) = (self.label(other), self.wanted(other));
            from != to && (from == target || to == own)
        })
    }

    pub fn to_labels(&self) -> Vec<u32> {
        self.labels.par_iter().map(|label| label.load(Relaxed)).collect()
    }
}
