//! Labels that decrease in rounds, until they are the smallest vertices of components.
//!
//! A label is always a vertex of its component. In a round, every tree takes the smallest label that it receives. A tree
//! whose label decreases sends it to the vertex of its old label, and every tree asks the vertex of its label. When no label
//! decreases, all trees of a component have one label, which is its own label: the smallest vertex.

use super::owners::to_owners;
use crate::{DistGraph, Exchange};

/// The labels of a rank's trees.
pub(super) struct Labels<'a> {
    graph: &'a DistGraph,
    /// The tree of each local vertex, by its root.
    roots: Vec<u32>,
    /// The label of each tree, at its root.
    labels: Vec<u64>,
    /// The label of each local vertex that was sent last.
    sent: Vec<u64>,
}

impl<'a> Labels<'a> {
    /// Labels each tree with its smallest vertex.
    pub fn new(graph: &'a DistGraph, roots: Vec<u32>) -> Self {
        let mut labels = vec![u64::MAX; roots.len()];
        for (vertex, &root) in (0..).zip(&roots) {
            let label = &mut labels[root as usize];
            *label = graph.global(vertex).min(*label);
        }
        // That a vertex is its own label is known and need not be sent.
        let sent = (0..graph.local.vertices()).map(|vertex| graph.global(vertex)).collect();
        Self { graph, roots, labels, sent }
    }

    /// The label of each owned vertex.
    pub fn of_owned(&self) -> Vec<u64> {
        (0..self.graph.owned()).map(|vertex| self.label(vertex)).collect()
    }

    /// Exchanges labels once. Returns the number of trees of this rank whose label decreased.
    pub fn round(&mut self, exchange: &mut Exchange) -> u64 {
        let before = self.labels.clone();
        self.along_mirrors(exchange);
        self.hook(exchange, &before);
        self.jump(exchange);
        self.labels.iter().zip(&before).filter(|(label, before)| label < before).count() as u64
    }

    #[inline]
    fn label(&self, vertex: u32) -> u64 {
        self.labels[self.roots[vertex as usize] as usize]
    }

    /// Offers a label to the tree of a local vertex.
    #[inline]
    fn offer(&mut self, vertex: u32, label: u64) {
        let own = &mut self.labels[self.roots[vertex as usize] as usize];
        *own = label.min(*own);
    }

    /// From mirrors to owners and back.
    fn along_mirrors(&mut self, exchange: &mut Exchange) {
        let (owned, all) = (self.graph.owned(), self.graph.local.vertices());
        let mut received = Vec::new();
        let changed = self.changed(owned..all);
        exchange.reduce(
            &changed,
            |mirror| self.label(mirror),
            |vertex, label| received.push((vertex, label)),
        );
        received.iter().for_each(|&(vertex, label)| self.offer(vertex, label));
        received.clear();
        let changed = self.changed(0..owned);
        exchange.broadcast(
            &changed,
            |vertex| self.label(vertex),
            |mirror, label| received.push((mirror, label)),
        );
        for (mirror, label) in received {
            self.offer(mirror, label);
            // The owner knows this label.
            self.sent[mirror as usize] = label;
        }
    }

    /// The vertices of a range whose labels decreased since they were sent; marks them as sent.
    fn changed(&mut self, range: std::ops::Range<u32>) -> Vec<u32> {
        let mut changed = Vec::new();
        for vertex in range {
            let label = self.label(vertex);
            if label < self.sent[vertex as usize] {
                self.sent[vertex as usize] = label;
                changed.push(vertex);
            }
        }
        changed
    }

    /// Sends decreased labels to the vertices of the old labels.
    fn hook(&mut self, exchange: &mut Exchange, before: &[u64]) {
        let shrunk = before.iter().zip(&self.labels).filter(|(before, label)| label < before);
        let mut hooks: Vec<[u64; 2]> = shrunk.map(|(&before, &label)| [before, label]).collect();
        hooks.sort_unstable();
        hooks.dedup_by_key(|hook| hook[0]);
        let outgoing = to_owners(&self.graph.partition, &hooks, |hook| hook[0]);
        for message in exchange.all_to_all(outgoing) {
            for [vertex, label] in bytemuck::pod_collect_to_vec::<u8, [u64; 2]>(&message) {
                if let Some(vertex) = self.graph.local(vertex) {
                    self.offer(vertex, label);
                }
            }
        }
    }

    /// Requests the labels of the vertices that are labels.
    fn jump(&mut self, exchange: &mut Exchange) {
        let is_root = |&(vertex, &root): &(u32, &u32)| vertex == root;
        let roots: Vec<u32> =
            (0..).zip(&self.roots).filter(is_root).map(|(vertex, _)| vertex).collect();
        let mut wanted: Vec<u64> = roots.iter().map(|&root| self.label(root)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let range = self.graph.partition.range(self.graph.rank());
        // An owned vertex that is its own label has no smaller one.
        let is_final = |label: u64| {
            range.contains(&label) && self.label((label - range.start) as u32) == label
        };
        wanted.retain(|&label| !is_final(label));
        let questions =
            exchange.all_to_all(to_owners(&self.graph.partition, &wanted, |&label| label));
        let answer = |question: &Vec<u8>| {
            let labels: Vec<u64> = bytemuck::pod_collect_to_vec(question);
            let answers = labels.iter().map(|&label| self.label((label - range.start) as u32));
            answers.flat_map(u64::to_ne_bytes).collect()
        };
        let answers = questions.iter().map(answer).collect();
        // Ranks answer in the order of their vertices, which is that of the questions.
        let answers: Vec<u64> =
            exchange.all_to_all(answers).iter().flat_map(|answer| read(answer)).collect();
        for root in roots {
            if let Ok(index) = wanted.binary_search(&self.label(root)) {
                self.offer(root, answers[index]);
            }
        }
    }
}

fn read(message: &[u8]) -> Vec<u64> {
    bytemuck::pod_collect_to_vec(message)
}
