//! The verifier of components.

use super::{ComponentsResult, counts, owners::to_owners};
use crate::{
    Comm, DistGraph, Error, Exchange, Reduction, Result, agree,
    bitmap::{self, words},
};

impl ComponentsResult {
    /// Checks the components against their graph; all ranks call it:
    ///
    /// 1. Each vertex has a label: a vertex that is not larger, and that has itself as its label.
    /// 2. Both ends of an edge have the same label: a label contains only whole components.
    /// 3. The vertices that are their own labels reach all others, over edges of either direction: a label is one component.
    /// 4. The counts are those of the labels.
    ///
    /// Fails on all ranks if any of them finds an error.
    pub fn verify(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        agree(comm, self.check_lengths(graph))?;
        self.check_labels(comm, graph)?;
        agree(comm, self.check_edges(&self.labels_with_mirrors(comm, graph), graph))?;
        agree(comm, self.check_connected(comm, graph)?)?;
        let counted = counts(comm, graph, &self.labels);
        let counts = (self.count, self.largest);
        let outcome = if counted == counts {
            Ok(())
        } else {
            wrong(format!("{counts:?} components and vertices of the largest, of {counted:?}"))
        };
        agree(comm, outcome)
    }

    fn check_lengths(&self, graph: &DistGraph) -> Result<()> {
        if self.labels.len() == graph.owned() as usize {
            Ok(())
        } else {
            wrong(format!("{} labels for {} vertices", self.labels.len(), graph.owned()))
        }
    }

    /// Rule 1.
    fn check_labels(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        let range = graph.partition.range(comm.rank());
        let invalid = range.clone().zip(&self.labels).find(|(vertex, label)| *label > vertex);
        let outcome = match invalid {
            None => Ok(()),
            Some((vertex, label)) => wrong(format!("vertex {vertex} has the larger label {label}")),
        };
        agree(comm, outcome)?;
        let mut labels = self.labels.clone();
        labels.sort_unstable();
        labels.dedup();
        let incoming = comm.all_to_all(&to_owners(&graph.partition, &labels, |&label| label));
        let is_other = |label: &u64| self.labels[(label - range.start) as usize] != *label;
        let named =
            incoming.iter().flat_map(|message| bytemuck::pod_collect_to_vec::<u8, u64>(message));
        let outcome = match named.into_iter().find(is_other) {
            None => Ok(()),
            Some(label) => wrong(format!("{label} is a label, and not the first of a component")),
        };
        agree(comm, outcome)
    }

    fn labels_with_mirrors(&self, comm: &dyn Comm, graph: &DistGraph) -> Vec<u64> {
        let mut labels = self.labels.clone();
        labels.resize(graph.local.vertices() as usize, u64::MAX);
        let all: Vec<u32> = (0..graph.owned()).collect();
        let receive = |mirror: u32, label| labels[mirror as usize] = label;
        Exchange::new(comm, graph).broadcast(&all, |vertex| self.labels[vertex as usize], receive);
        labels
    }

    /// Rule 2.
    fn check_edges(&self, labels: &[u64], graph: &DistGraph) -> Result<()> {
        let torn = (0..graph.owned()).find_map(|vertex| {
            let other = |&&target: &&u32| labels[target as usize] != labels[vertex as usize];
            graph.local.neighbors(vertex).iter().find(other).map(|&target| (vertex, target))
        });
        match torn {
            None => Ok(()),
            Some((vertex, target)) => wrong(format!(
                "an edge joins the vertices {} and {}, which are in two components",
                graph.global(vertex),
                graph.global(target)
            )),
        }
    }

    /// Rule 3, for this rank.
    fn check_connected(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<Result<()>> {
        let entering = graph.reversed(comm)?;
        let mut flood = Flood { reached: vec![0; words(graph.owned())], queue: Vec::new() };
        let range = graph.partition.range(comm.rank());
        for ((vertex, name), &label) in (0..).zip(range).zip(&self.labels) {
            if name == label {
                flood.reach(vertex);
            }
        }
        let mut sides = vec![Side::new(comm, graph)];
        if !graph.is_undirected() {
            sides.push(Side::new(comm, entering));
        }
        loop {
            flood.spread(&mut sides);
            let mut offered = [sides.iter().map(|side| side.offered.len() as u64).sum()];
            comm.all_reduce(&mut offered, Reduction::Sum);
            if offered == [0] {
                break;
            }
            for side in &mut sides {
                side.offered.sort_unstable();
                let offered = std::mem::take(&mut side.offered);
                side.exchange.reduce(&offered, |_| (), |vertex, ()| flood.reach(vertex));
            }
        }
        let missed = (0..graph.owned()).find(|&vertex| !bitmap::contains(&flood.reached, vertex));
        Ok(match missed {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} is not connected with its label, {}",
                graph.global(vertex),
                self.labels[vertex as usize]
            )),
        })
    }
}

/// Reached owned vertices, and those whose edges are not examined yet.
struct Flood {
    reached: Vec<u64>,
    queue: Vec<u32>,
}

/// The edges of one direction.
struct Side<'a> {
    graph: &'a DistGraph,
    exchange: Exchange<'a>,
    /// Mirrors that were reached since the last exchange, and all that ever were.
    offered: Vec<u32>,
    known: Vec<u64>,
}

impl<'a> Side<'a> {
    fn new(comm: &'a dyn Comm, graph: &'a DistGraph) -> Self {
        let known = vec![0; words(graph.local.vertices())];
        Self { graph, exchange: Exchange::new(comm, graph), offered: Vec::new(), known }
    }
}

impl Flood {
    fn reach(&mut self, vertex: u32) {
        if !bitmap::contains(&self.reached, vertex) {
            bitmap::insert(&mut self.reached, vertex);
            self.queue.push(vertex);
        }
    }

    /// Reaches all vertices that need no other rank.
    fn spread(&mut self, sides: &mut [Side]) {
        while let Some(vertex) = self.queue.pop() {
            for side in sides.iter_mut() {
                let graph = side.graph;
                for &target in graph.local.neighbors(vertex) {
                    if target < graph.owned() {
                        self.reach(target);
                    } else if !bitmap::contains(&side.known, target) {
                        bitmap::insert(&mut side.known, target);
                        side.offered.push(target);
                    }
                }
            }
        }
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
