//! Graphs from edges in any order.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;

use crate::{
    Csr, Edges, Error, Graph, MAX_VERTICES, Result, VertexIds, Weights,
    assemble::{self, Entries, assemble},
    memory,
};

/// What to do with several edges between the same two vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Keep them all.
    #[default]
    Keep,
    /// Keep one of each, with the smallest weight.
    Drop,
}

/// What to do with edges from a vertex to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelfLoops {
    /// Keep them.
    #[default]
    Keep,
    /// Drop them.
    Drop,
}

/// Builds a [`Graph`] from [`Edges`] in any order, in parallel.
///
/// ```
/// use equipoise_graph::{Duplicates, Edges, GraphBuilder, SelfLoops};
///
/// let graph = GraphBuilder::new()
///     .undirected(true)
///     .duplicates(Duplicates::Drop)
///     .self_loops(SelfLoops::Drop)
///     .build(Edges::from(vec![(2, 0, 7u32), (0, 2, 5), (1, 1, 1)]))?;
/// assert_eq!(graph.neighbors(0), [2]);
/// assert_eq!(graph.weights().unwrap().get(0), 5.0);
/// assert_eq!(graph.neighbors(1), []);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    vertices: Option<u64>,
    undirected: bool,
    duplicates: Duplicates,
    self_loops: SelfLoops,
    ids: VertexIds,
}

impl GraphBuilder {
    /// A builder of directed graphs that keeps every edge.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of vertices. Without it, one more than the largest that an edge names.
    pub fn vertices(mut self, vertices: u64) -> Self {
        self.vertices = Some(vertices);
        self
    }

    /// Whether each edge stands for both directions. A self-loop stays one edge.
    pub fn undirected(mut self, undirected: bool) -> Self {
        self.undirected = undirected;
        self
    }

    /// Whether each edge stands for both directions.
    pub(crate) fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// What to do with several edges between the same two vertices.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// What to do with edges from a vertex to itself.
    pub fn self_loops(mut self, self_loops: SelfLoops) -> Self {
        self.self_loops = self_loops;
        self
    }

    /// The names of the vertices in the input file; numbered from 0 without it.
    pub fn ids(mut self, ids: VertexIds) -> Self {
        self.ids = ids;
        self
    }

    /// Builds the graph. Takes time linear in the edges, and a sort of each vertex's edges.
    ///
    /// Fails where an edge names a vertex that is not there, there are too many vertices, or there
    /// is not enough memory.
    pub fn build(&self, edges: Edges) -> Result<Graph> {
        let largest = largest(edges.sources()).max(largest(edges.targets()));
        let needed = largest.map_or(0, |largest| u64::from(largest) + 1);
        let vertices = self.vertices.unwrap_or(needed);
        if vertices > MAX_VERTICES {
            return Err(Error::TooMany { what: "vertices", count: vertices });
        }
        if needed > vertices {
            return Err(Error::VertexOutOfRange { vertex: needed - 1, vertices });
        }
        let vertices = vertices as u32;
        let (sources, targets, weights) = edges.into_parts();
        let ends = [sources, targets];
        let (csr, weights) = match weights {
            None => (self.assemble(vertices, ends, |_| (), |_, _| ())?.0, None),
            Some(Weights::U32(weights)) => {
                let (csr, weights) =
                    self.assemble(vertices, ends, move |edge| weights[edge], |a, b| a.min(b))?;
                (csr, Some(weights.into()))
            }
            Some(Weights::F32(weights)) => {
                let (csr, weights) =
                    self.assemble(vertices, ends, move |edge| weights[edge], |a, b| a.min(b))?;
                (csr, Some(weights.into()))
            }
            Some(Weights::F64(weights)) => {
                let (csr, weights) =
                    self.assemble(vertices, ends, move |edge| weights[edge], |a, b| a.min(b))?;
                (csr, Some(weights.into()))
            }
        };
        Graph::from_parts(csr, weights, self.undirected).with_ids(self.ids.clone())
    }

    /// The most bytes that building a graph takes, beside its edges and with the graph.
    pub(crate) fn memory_of(&self, vertices: u64, edges: u64, weights: bool) -> u64 {
        let (entries, ends) = (self.most_entries(edges), Edges::memory_of(edges, false));
        let most = match weights {
            true => assemble::memory_of::<u32>(vertices, entries, ends),
            false => assemble::memory_of::<()>(vertices, entries, ends),
        };
        most.saturating_sub(ends)
    }

    /// How many directed edges the graph has at most.
    pub(crate) fn most_entries(&self, edges: u64) -> u64 {
        edges.saturating_mul(if self.undirected { 2 } else { 1 })
    }

    /// What this builder would have made of the edges of a graph that a reader found built
    /// already. Its vertices and their ids stay; it stays undirected if it is.
    pub(crate) fn rebuild(&self, graph: Graph) -> Result<Graph> {
        let undirected = self.undirected || graph.is_undirected();
        if undirected == graph.is_undirected()
            && self.duplicates == Duplicates::Keep
            && self.self_loops == SelfLoops::Keep
        {
            return Ok(graph);
        }
        graph.check()?;
        let edges = match graph.is_undirected() {
            true => Edges::one_way_of(&graph)?,
            false => {
                let what = format_args!("a list of {} edges", graph.edges());
                memory::check(what, Edges::memory_of(graph.edges(), false))?;
                Edges::new(
                    graph.csr().row_of_each_entry()?,
                    graph.csr().indices().to_vec(),
                    graph.weights().cloned(),
                )?
            }
        };
        self.clone()
            .vertices(graph.vertices().into())
            .undirected(undirected)
            .ids(graph.ids().clone())
            .build(edges)
    }

    fn assemble<V: Pod + Send + Sync>(
        &self,
        vertices: u32,
        [sources, targets]: [Vec<u32>; 2],
        value: impl Fn(usize) -> V + Sync,
        smaller: fn(V, V) -> V,
    ) -> Result<(Csr, Vec<V>)> {
        let entries = BothWays {
            sources,
            targets,
            value,
            undirected: self.undirected,
            drop_loops: self.self_loops == SelfLoops::Drop,
        };
        let merge = (self.duplicates == Duplicates::Drop).then_some(smaller);
        let rows = assemble(vertices as usize, entries, merge)?;
        Ok((Csr::unchecked(vertices, rows.offsets.into(), rows.columns.into()), rows.values))
    }
}

/// The largest of many numbers.
fn largest(numbers: &[u32]) -> Option<u32> {
    numbers.par_chunks(1 << 16).filter_map(|part| part.iter().copied().max()).max()
}

/// Edges, each also in reverse where the graph is undirected.
struct BothWays<F> {
    sources: Vec<u32>,
    targets: Vec<u32>,
    value: F,
    undirected: bool,
    drop_loops: bool,
}

impl<V, F: Fn(usize) -> V + Sync> Entries<V> for BothWays<F> {
    fn inputs(&self) -> usize {
        self.sources.len()
    }

    fn most_per_input(&self) -> u64 {
        if self.undirected { 2 } else { 1 }
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, V)) {
        let ends = self.sources[range.clone()].iter().zip(&self.targets[range.clone()]);
        for (edge, (&source, &target)) in range.zip(ends) {
            if source == target && self.drop_loops {
                continue;
            }
            push(source, target, (self.value)(edge));
            if self.undirected && source != target {
                push(target, source, (self.value)(edge));
            }
        }
    }

    fn bytes(&self) -> u64 {
        Edges::memory_of(self.sources.len() as u64, false)
    }

    fn free(self) {
        memory::free(self.sources);
        memory::free(self.targets);
    }
}
