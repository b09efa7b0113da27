//! Builds graphs from edges in any order.

use std::ops::Range;

use bytemuck::Pod;

use crate::{
    Csr, Edges, Error, Graph, MAX_VERTICES, Result, VertexIds,
    assemble::{self, Entries, Shape, assemble},
    memory,
    parallel::*,
    weights::of_any_type,
};

crate::named_enum! {
    /// The handling of parallel edges: several edges between the same two vertices.
    #[derive(Default)]
    pub enum Duplicates("handling of parallel edges") {
        /// Keep them all.
        #[default]
        Keep = "keep",
        /// Keep the one with the smallest weight.
        Drop = "drop",
    }
}

crate::named_enum! {
    /// The handling of self-loops: edges from a vertex to itself.
    #[derive(Default)]
    pub enum SelfLoops("handling of self-loops") {
        /// Keep them.
        #[default]
        Keep = "keep",
        /// Drop them.
        Drop = "drop",
    }
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
    /// Creates a builder of directed graphs that keeps every edge.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of vertices; the default is the largest vertex of an edge plus one.
    pub fn vertices(mut self, vertices: u64) -> Self {
        self.vertices = Some(vertices);
        self
    }

    /// Sets whether each edge stands for both directions. A self-loop stays one edge.
    pub fn undirected(mut self, undirected: bool) -> Self {
        self.undirected = undirected;
        self
    }

    /// Whether each edge stands for both directions.
    pub(crate) fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// Sets the handling of parallel edges.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// Sets the handling of self-loops.
    pub fn self_loops(mut self, self_loops: SelfLoops) -> Self {
        self.self_loops = self_loops;
        self
    }

    /// Sets the ids of the vertices in the input file; the default is to count from 0.
    pub fn ids(mut self, ids: VertexIds) -> Self {
        self.ids = ids;
        self
    }

    /// Builds the graph, in time linear in the edges plus a sort of each vertex's edges.
    ///
    /// Fails if an edge names a vertex out of range, the vertices are too many, or memory is
    /// insufficient.
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
            Some(weights) => of_any_type!(weights, all => {
                let (csr, weights) =
                    self.assemble(vertices, ends, move |edge| all[edge], |a, b| a.min(b))?;
                (csr, Some(weights.into()))
            }),
        };
        Graph::from_parts(csr, weights, self.undirected).with_ids(self.ids.clone())
    }

    /// The peak number of bytes for building a graph with weights of `weight_bytes` each: the
    /// graph, and temporary data besides the edges.
    pub(crate) fn memory_of(&self, vertices: u64, edges: u64, weight_bytes: u64) -> u64 {
        let (entries, ends) = (self.most_entries(edges), Edges::memory_of(edges, 0));
        let most = match weight_bytes {
            0 => assemble::memory_of::<()>(vertices, entries, ends),
            1..=4 => assemble::memory_of::<u32>(vertices, entries, ends),
            _ => assemble::memory_of::<u64>(vertices, entries, ends),
        };
        most.saturating_sub(ends)
    }

    /// An upper bound on the directed edges of the graph.
    pub(crate) fn most_entries(&self, edges: u64) -> u64 {
        edges.saturating_mul(if self.undirected { 2 } else { 1 })
    }

    /// Applies the builder to a graph that a reader has built already. Its vertices and their ids
    /// stay; it stays undirected if it is.
    pub(crate) fn rebuild(&self, graph: Graph) -> Result<Graph> {
        let undirected = self.undirected || graph.is_undirected();
        if undirected == graph.is_undirected()
            && self.duplicates == Duplicates::Keep
            && self.self_loops == SelfLoops::Keep
        {
            return Ok(graph);
        }
        graph.check()?;
        let edges = if graph.is_undirected() {
            Edges::one_way_of(&graph)?
        } else {
            let what = format_args!("a list of {} edges", graph.edges());
            memory::check(what, Edges::memory_of(graph.edges(), 0))?;
            Edges::new(
                graph.csr().row_of_each_entry()?,
                graph.csr().indices().to_vec(),
                graph.weights().cloned(),
            )?
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
        let shape = Shape { rows: vertices as usize, columns: vertices };
        let rows = assemble(shape, entries, merge)?;
        Ok((Csr::unchecked(vertices, rows.offsets.into(), rows.columns.into()), rows.values))
    }
}

fn largest(numbers: &[u32]) -> Option<u32> {
    numbers.par_chunks(1 << 16).filter_map(|part| part.iter().copied().max()).max()
}

/// Edges, each also in reverse if the graph is undirected.
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
        Edges::memory_of(self.sources.len() as u64, 0)
    }

    fn free(self) {
        memory::free(self.sources);
        memory::free(self.targets);
    }
}
