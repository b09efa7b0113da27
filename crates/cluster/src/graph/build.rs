//! The construction of a graph from slices.

use std::{ops::Range, sync::OnceLock};

use bytemuck::Pod;
use equipoise_graph::{
    Duplicates, Edges, Error as GraphError, GraphBuilder, MAX_VERTICES, SelfLoops, Weights,
    memory::{self, bytes_of},
};
use rayon::prelude::*;

use super::{
    DistGraph,
    mirrors::{Lists, MirrorIndex, mirrors_among},
    route::{Entries, Routed, route},
};
use crate::{Comm, EdgeSlice, Error, Partition, Reduction, Result, agree};

/// Targets that a thread renumbers at once.
const TARGETS_AT_ONCE: usize = 1 << 12;

impl DistGraph {
    /// Builds the graph from the slices of all ranks, which all call it. It has the edges that
    /// [`GraphBuilder`](equipoise_graph::GraphBuilder) makes of all slices in order.
    ///
    /// Each rank owns a range of vertices, with about equal numbers of edges.
    ///
    /// Fails on all ranks if slices do not belong together, an edge has a vertex that does not exist, a rank has more vertices
    /// and mirrors than 32 bits can number, or memory is short.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice};
    ///
    /// let slice = EdgeSlice { sources: vec![0], targets: vec![1], undirected: true, ..EdgeSlice::new(2) };
    /// let graph = DistGraph::build(&Alone, slice)?;
    /// assert_eq!((graph.owned(), graph.edges_total()), (2, 2));
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn build(comm: &dyn Comm, slice: EdgeSlice) -> Result<Self> {
        agree(comm, check(&slice))?;
        check_together(comm, &slice)?;
        let rules = Rules {
            undirected: slice.undirected,
            duplicates: slice.duplicates,
            self_loops: slice.self_loops,
        };
        let partition = Partition::by_edges(comm, slice.vertices, |count| {
            slice.visit(0..slice.len(), |row, _, _| count(row));
        });
        let weights = slice.weights.clone();
        build(comm, partition, slice, weights, rules)
    }

    /// The graph with every edge reversed and the same owners: the graph itself if it is undirected; otherwise it is cached at
    /// the first call. Its mirrors are the sources of edges to owned vertices.
    ///
    /// All ranks call it. Fails on all of them if memory is short.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice};
    ///
    /// let slice = EdgeSlice { sources: vec![0], targets: vec![1], ..EdgeSlice::new(2) };
    /// let graph = DistGraph::build(&Alone, slice)?;
    /// assert_eq!(graph.reversed(&Alone)?.local.neighbors(1), [0]);
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn reversed(&self, comm: &dyn Comm) -> Result<&DistGraph> {
        if self.undirected {
            return Ok(self);
        }
        if let Some(reversed) = self.reversed.get() {
            return Ok(reversed);
        }
        let reversed = reverse(comm, self)?;
        Ok(self.reversed.get_or_init(|| Box::new(reversed)))
    }
}

/// The graph whose edges are those of `graph`, reversed.
fn reverse(comm: &dyn Comm, graph: &DistGraph) -> Result<DistGraph> {
    let (duplicates, self_loops) = (Duplicates::Keep, SelfLoops::Keep);
    let rules = Rules { undirected: false, duplicates, self_loops };
    let weights = graph.local.weights().cloned();
    build(comm, graph.partition.clone(), Reversed(graph), weights, rules)
}

/// The treatment of edges.
struct Rules {
    undirected: bool,
    duplicates: Duplicates,
    self_loops: SelfLoops,
}

fn check(slice: &EdgeSlice) -> Result<()> {
    let expected = slice.sources.len() as u64;
    let same = |what, found: usize| {
        if found as u64 == expected {
            Ok(())
        } else {
            Err(GraphError::Length { what, expected, found: found as u64 })
        }
    };
    same("targets of edges", slice.targets.len())?;
    if let Some(weights) = &slice.weights {
        same("weights of edges", weights.len())?;
    }
    let largest = slice.sources.iter().chain(&slice.targets).max();
    match largest {
        Some(&vertex) if vertex >= slice.vertices => {
            Err(GraphError::VertexOutOfRange { vertex, vertices: slice.vertices }.into())
        }
        _ => Ok(()),
    }
}

/// Checks on all ranks that all slices belong to one graph.
fn check_together(comm: &dyn Comm, slice: &EdgeSlice) -> Result<()> {
    let weights = slice.weights.as_ref().map_or("no", Weights::type_name);
    let mine = format!(
        "{} vertices, undirected: {}, duplicates: {:?}, self-loops: {:?}, {weights} weights",
        slice.vertices, slice.undirected, slice.duplicates, slice.self_loops
    );
    let all = comm.all_gather(mine.as_bytes());
    match all.iter().position(|other| *other != all[0]) {
        None => Ok(()),
        Some(rank) => Err(Error::Disagree(format!(
            "rank 0 has a graph of {}; rank {rank} one of {}",
            String::from_utf8_lossy(&all[0]),
            String::from_utf8_lossy(&all[rank])
        ))),
    }
}

/// Sends the entries to their owners and builds a graph of them.
fn build(
    comm: &dyn Comm,
    partition: Partition,
    entries: impl Entries,
    weights: Option<Weights>,
    rules: Rules,
) -> Result<DistGraph> {
    check_owned(&partition)?;
    match weights {
        None => {
            let none = vec![(); entries.inputs()];
            let routed = route(comm, &partition, &entries, &none)?;
            drop(entries);
            finish(comm, partition, routed, |_| None, rules)
        }
        Some(Weights::U32(weights)) => {
            let routed = route(comm, &partition, &entries, &weights)?;
            drop((entries, weights));
            finish(comm, partition, routed, |weights| Some(weights.into()), rules)
        }
        Some(Weights::F32(weights)) => {
            let routed = route(comm, &partition, &entries, &weights)?;
            drop((entries, weights));
            finish(comm, partition, routed, |weights| Some(weights.into()), rules)
        }
        Some(Weights::F64(weights)) => {
            let routed = route(comm, &partition, &entries, &weights)?;
            drop((entries, weights));
            finish(comm, partition, routed, |weights| Some(weights.into()), rules)
        }
    }
}

/// Checks on all ranks that each can number its vertices.
fn check_owned(partition: &Partition) -> Result<()> {
    let owned = |rank| {
        let Range { start, end } = partition.range(rank);
        end - start
    };
    match (0..partition.ranks()).find(|&rank| owned(rank) > MAX_VERTICES) {
        None => Ok(()),
        Some(rank) => Err(Error::TooManyOnRank { rank, owned: owned(rank), mirrors: 0 }),
    }
}

fn finish<W: Pod>(
    comm: &dyn Comm,
    partition: Partition,
    routed: Routed<W>,
    weights: impl FnOnce(Vec<W>) -> Option<Weights>,
    rules: Rules,
) -> Result<DistGraph> {
    let rank = comm.rank();
    let range = partition.range(rank);
    let mirrors = agree(comm, mirrors_among(rank, &range, &routed.targets))?;
    let index = MirrorIndex::new(&mirrors, partition.vertices());
    let local = agree(comm, {
        let owned = range.end - range.start;
        let edges = locally(routed, &range, &mirrors, &index, weights);
        edges.and_then(|edges| {
            let builder = GraphBuilder::new()
                .vertices(owned + mirrors.len() as u64)
                .duplicates(rules.duplicates)
                .self_loops(rules.self_loops);
            Ok(builder.build(edges)?)
        })
    })?;
    let lists = Lists::agree_upon(comm, &partition, &mirrors);
    let mut edges = [local.edges()];
    comm.all_reduce(&mut edges, Reduction::Sum);
    Ok(DistGraph {
        local,
        partition,
        mirrors,
        rank,
        undirected: rules.undirected,
        edges_total: edges[0],
        index,
        lists,
        reversed: OnceLock::new(),
    })
}

/// The edges by local numbers.
fn locally<W: Pod>(
    routed: Routed<W>,
    owned: &Range<u64>,
    mirrors: &[u64],
    index: &MirrorIndex,
    weights: impl FnOnce(Vec<W>) -> Option<Weights>,
) -> Result<Edges> {
    let Routed { sources, targets, weights: values } = routed;
    let what = format_args!("the targets of {} edges", targets.len());
    memory::check(what, bytes_of::<u32>(targets.len() as u64))?;
    let first_mirror = (owned.end - owned.start) as u32;
    let local = |&global: &u64| {
        if owned.contains(&global) {
            (global - owned.start) as u32
        } else {
            // Every target that is not owned is a mirror.
            first_mirror + index.find(mirrors, global).unwrap_or(0)
        }
    };
    let targets = targets.par_iter().with_min_len(TARGETS_AT_ONCE).map(local).collect();
    Ok(Edges::new(sources, targets, weights(values))?)
}

impl Entries for EdgeSlice {
    fn inputs(&self) -> usize {
        self.len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u64, u64, usize)) {
        let drop_loops = self.self_loops == SelfLoops::Drop;
        let ends = self.sources[range.clone()].iter().zip(&self.targets[range.clone()]);
        for (edge, (&source, &target)) in range.zip(ends) {
            if source == target && drop_loops {
                continue;
            }
            push(source, target, edge);
            if self.undirected && source != target {
                push(target, source, edge);
            }
        }
    }
}

/// The edges of a rank's part, each from its target to its source.
struct Reversed<'a>(&'a DistGraph);

impl Entries for Reversed<'_> {
    fn inputs(&self) -> usize {
        self.0.local.csr().indices().len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u64, u64, usize)) {
        let csr = self.0.local.csr();
        let mut row = csr.offsets().partition_point(|&offset| offset <= range.start as u64);
        for edge in range {
            while csr.offsets()[row] <= edge as u64 {
                row += 1;
            }
            push(self.0.global(csr.indices()[edge]), self.0.global(row as u32 - 1), edge);
        }
    }
}
