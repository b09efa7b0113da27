//! Labels that shrink, round by round, until they are the smallest vertices of components.
//!
//! A label is always a vertex of the component that has it. In a round every tree's label becomes the smallest of those
//! that it hears of; a tree whose label shrinks tells the vertex that its label was, and every tree asks the vertex that its
//! label is. Where nothing shrinks any more, all trees of a component have one label, which is its own label: the smallest.

use super::to_owners;
use crate::{DistGraph, Exchange};

/// The labels of a rank's trees.
pub(super) struct Labels<'a> {
    graph: &'a DistGraph,
    /// The tree of each local vertex, by its root.
    roots: Vec<u32>,
    /// The label of each tree, at its root.
    labels: Vec<u64>,
    /// What each local vertex' label was when it last travelled.
    told: Vec<u64>,
}

impl<'a> Labels<'a> {
    /// Each tree has the smallest of its vertices as its label.
    pub fn new(graph: &'a DistGraph, roots: Vec<u32>) -> Self {
        let mut labels = vec![u64::MAX; roots.len()];
        for (vertex, &root) in (0..).zip(&roots) {
            let label = &mut labels[root as usize];
            *label = graph.global(vertex).min(*label);
        }
        // Nobody has to be told that a vertex has itself as its label.
        let told = (0..graph.local.vertices()).map(|vertex| graph.global(vertex)).collect();
        Self { graph, roots, labels, told }
    }

    /// The label of each owned vertex.
    pub fn of_owned(&self) -> Vec<u64> {
        (0..self.graph.owned()).map(|vertex| self.label(vertex)).collect()
    }

    /// Labels travel once; gives how many trees of this rank have a smaller one.
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

    /// The tree of a local vertex hears of a label.
    #[inline]
    fn hear(&mut self, vertex: u32, label: u64) {
        let own = &mut self.labels[self.roots[vertex as usize] as usize];
        *own = label.min(*own);
    }

    /// From mirrors to owners and back.
    fn along_mirrors(&mut self, exchange: &mut Exchange) {
        let (owned, all) = (self.graph.owned(), self.graph.local.vertices());
        let mut heard = Vec::new();
        let changed = self.changed(owned..all);
        exchange.reduce(
            &changed,
            |mirror| self.label(mirror),
            |vertex, label| heard.push((vertex, label)),
        );
        heard.iter().for_each(|&(vertex, label)| self.hear(vertex, label));
        heard.clear();
        let changed = self.changed(0..owned);
        exchange.broadcast(
            &changed,
            |vertex| self.label(vertex),
            |mirror, label| heard.push((mirror, label)),
        );
        for (mirror, label) in heard {
            self.hear(mirror, label);
            // Its owner knows this one.
            self.told[mirror as usize] = label;
        }
    }

    /// The vertices of a range whose labels are not what they last told; now they are.
    fn changed(&mut self, range: std::ops::Range<u32>) -> Vec<u32> {
        let mut changed = Vec::new();
        for vertex in range {
            let label = self.label(vertex);
            if label < self.told[vertex as usize] {
                self.told[vertex as usize] = label;
                changed.push(vertex);
            }
        }
        changed
    }

    /// Trees whose labels shrank tell the vertices that these were.
    fn hook(&mut self, exchange: &mut Exchange, before: &[u64]) {
        let shrunk = before.iter().zip(&self.labels).filter(|(before, label)| label < before);
        let mut hooks: Vec<[u64; 2]> = shrunk.map(|(&before, &label)| [before, label]).collect();
        hooks.sort_unstable();
        hooks.dedup_by_key(|hook| hook[0]);
        let outgoing = to_owners(&self.graph.partition, &hooks, |hook| hook[0]);
        for message in exchange.all_to_all(outgoing) {
            for [vertex, label] in bytemuck::pod_collect_to_vec::<u8, [u64; 2]>(&message) {
                if let Some(vertex) = self.graph.local(vertex) {
                    self.hear(vertex, label);
                }
            }
        }
    }

    /// Trees ask the vertices that their labels are for the labels of these.
    fn jump(&mut self, exchange: &mut Exchange) {
        let is_root = |&(vertex, &root): &(u32, &u32)| vertex == root;
        let roots: Vec<u32> =
            (0..).zip(&self.roots).filter(is_root).map(|(vertex, _)| vertex).collect();
        let mut asked: Vec<u64> = roots.iter().map(|&root| self.label(root)).collect();
        asked.sort_unstable();
        asked.dedup();
        let range = self.graph.partition.range(self.graph.rank());
        // A vertex that is owned here and has itself as its label has nothing to say.
        let is_final = |label: u64| {
            range.contains(&label) && self.label((label - range.start) as u32) == label
        };
        asked.retain(|&label| !is_final(label));
        let questions =
            exchange.all_to_all(to_owners(&self.graph.partition, &asked, |&label| label));
        let answer = |question: &Vec<u8>| {
            let labels: Vec<u64> = bytemuck::pod_collect_to_vec(question);
            let answers = labels.iter().map(|&label| self.label((label - range.start) as u32));
            answers.flat_map(u64::to_ne_bytes).collect()
        };
        let answers = questions.iter().map(answer).collect();
        // Ranks answer in the order of what they own: that of the questions.
        let answers: Vec<u64> =
            exchange.all_to_all(answers).iter().flat_map(|answer| read(answer)).collect();
        for root in roots {
            if let Ok(place) = asked.binary_search(&self.label(root)) {
                self.hear(root, answers[place]);
            }
        }
    }
}

fn read(message: &[u8]) -> Vec<u64> {
    bytemuck::pod_collect_to_vec(message)
}
