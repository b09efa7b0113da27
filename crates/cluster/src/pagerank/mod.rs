//! PageRank: how often a walk is at each vertex that follows an edge at random, and now and then starts anew.
//!
//! Each iteration every vertex pulls from those with an edge to it: `rank(v) = (1 − d + d·D) / n + d·Σ rank(u)·w(u, v) /
//! w(u)`, where `d` is the damping, `n` the number of vertices, `w(u)` the weight of all edges that leave `u`, and `D` the
//! rank of the dangling vertices, which no edge leaves: from there a walk starts anew. Owners send what flows from their
//! vertices to mirrors, one number each.
//!
//! The sum of a vertex is added up in the order of global ids, and what all ranks add up are whole numbers, so that ranks
//! are the same, bit for bit, on any number of ranks.

mod verify;

use std::time::Instant;

use equipoise_graph::{Weights, memory};
use rayon::prelude::*;

use crate::{
    Comm, DistGraph, Error, Exchange, Reduction, Result, Step, Trace, Traffic, agree,
    row_order::RowOrder,
};

/// How to rank.
///
/// ```
/// use equipoise_cluster::PageRankOptions;
///
/// let options = PageRankOptions { tolerance: 1e-4, ..PageRankOptions::default() };
/// assert_eq!((options.damping, options.max_iterations), (0.85, 100));
/// ```
#[derive(Clone, Debug)]
pub struct PageRankOptions {
    /// The share of steps that follow an edge, 0 to 1: the others start anew.
    pub damping: f64,
    /// Stop once an iteration changes the ranks by no more than this, all of them together.
    pub tolerance: f64,
    /// Stop after so many iterations, 1 to 100000, whatever the tolerance.
    pub max_iterations: u32,
    /// Follow all edges of a vertex equally often, whatever their weights.
    pub unweighted: bool,
}

/// With any damping below one, ranks have long settled by then.
const MOST_ITERATIONS: u32 = 100_000;

impl Default for PageRankOptions {
    fn default() -> Self {
        Self { damping: 0.85, tolerance: 1e-6, max_iterations: 100, unweighted: false }
    }
}

impl PageRankOptions {
    /// Fails where a number is out of its range.
    fn check(&self) -> Result<()> {
        let Self { damping, tolerance, max_iterations, .. } = *self;
        let refused = match self {
            _ if !(0.0..=1.0).contains(&damping) => {
                format!("`damping` is {damping}: 0 to 1 are possible")
            }
            _ if !(0.0..=f64::MAX).contains(&tolerance) => {
                format!("`tolerance` is {tolerance}: it must be a number that is zero or more")
            }
            _ if !(1..=MOST_ITERATIONS).contains(&max_iterations) => {
                format!("`max-iterations` is {max_iterations}: 1 to {MOST_ITERATIONS} are possible")
            }
            _ => return Ok(()),
        };
        Err(Error::Option(refused))
    }

    /// The weights that ranks flow along, if edges are not followed equally often.
    fn weights<'g>(&self, graph: &'g DistGraph) -> Option<&'g Weights> {
        graph.local.weights().filter(|_| !self.unweighted)
    }
}

/// The rank of each vertex of this rank.
#[derive(Clone, Debug)]
pub struct PageRank {
    /// The ranks of the vertices that this rank owns. Those of all ranks add up to one.
    pub ranks: Vec<f64>,
    /// How many iterations were made.
    pub iterations: u32,
    /// How much the last of them changed the ranks, all of them together.
    pub change: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// What this rank did, a step an iteration.
    pub trace: Trace,
}

/// Ranks the vertices of a graph, on all ranks together.
///
/// An undirected edge is followed both ways; parallel edges and self-loops count as edges; weights say how often an edge is
/// followed, unless that is turned off. Ranks are the same, bit for bit, on any number of ranks and threads;
/// [`PageRank::verify`] says how far they can be off. Beside the graph and its reverse, needs 24 bytes a vertex and 8 bytes
/// a mirror.
///
/// Fails where a weight is negative or not finite, or an option out of its range.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, PageRankOptions, pagerank};
///
/// let slice = EdgeSlice { sources: vec![0, 1, 2], targets: vec![1, 2, 0], ..EdgeSlice::of(3) };
/// let cycle = DistGraph::build(&Alone, slice)?;
/// let options = PageRankOptions::default();
/// let found = pagerank(&Alone, &cycle, &options)?;
/// assert!(found.converged && found.ranks.iter().all(|rank| (rank - 1.0 / 3.0).abs() < 1e-15));
/// found.verify(&Alone, &cycle, &options)?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn pagerank(comm: &dyn Comm, graph: &DistGraph, options: &PageRankOptions) -> Result<PageRank> {
    iterate(comm, graph, options, |entering| {
        let (weights, order) = (options.weights(entering), RowOrder::of(entering));
        Ok(FlowOnCpu { entering, weights, order })
    })
}

/// What flows to vertices along the edges that enter them.
pub(crate) trait Flow {
    /// What flows to each owned vertex; `flowing` is what flows along an edge of weight 1 from each vertex, owned ones first
    /// and then mirrors.
    ///
    /// Fails on all ranks together.
    fn of<'f>(&'f self, flowing: &'f [f64]) -> Result<impl Fn(usize) -> f64 + Sync + 'f>;
}

/// Ranks by a [`Flow`] over the reversed graph, which `flow` makes and fails to make on all ranks together.
pub(crate) fn iterate<'g, F: Flow>(
    comm: &dyn Comm,
    graph: &'g DistGraph,
    options: &PageRankOptions,
    flow: impl FnOnce(&'g DistGraph) -> Result<F>,
) -> Result<PageRank> {
    agree(comm, options.check())?;
    let entering = graph.reversed(comm)?;
    agree(comm, check_memory(entering))?;
    let leaving = agree(comm, leaving_weights(graph, options))?;
    let flow = flow(entering)?;
    let mut exchange = Exchange::new(comm, entering);
    let mut state = State::new(graph, entering, leaving, options);
    let (mut change, mut trace) = (0.0, Trace::default());
    if graph.partition.vertices() == 0 {
        return Ok(PageRank { ranks: Vec::new(), iterations: 0, change, converged: true, trace });
    }
    let all: Vec<u32> = (0..entering.owned()).collect();
    for _ in 0..options.max_iterations {
        let start = Instant::now();
        state.tell_mirrors(&mut exchange, &all);
        let dangling = summed(&mut exchange, state.dangling());
        let moved = state.pull(dangling, &flow)?;
        change = summed(&mut exchange, moved);
        let Traffic { bytes, waited } = exchange.take_traffic();
        trace.steps.push(Step {
            active: entering.owned().into(),
            edges: entering.local.edges(),
            bytes,
            waited,
            time: start.elapsed(),
            ..Step::new("pull")
        });
        if change <= options.tolerance {
            break;
        }
    }
    let (iterations, converged) = (trace.steps.len() as u32, change <= options.tolerance);
    Ok(PageRank { ranks: state.ranks, iterations, change, converged, trace })
}

/// Each vertex adds up what flows to it.
struct FlowOnCpu<'a> {
    entering: &'a DistGraph,
    /// The weight of each edge that enters, if edges are not followed equally often.
    weights: Option<&'a Weights>,
    order: RowOrder,
}

impl Flow for FlowOnCpu<'_> {
    fn of<'f>(&'f self, flowing: &'f [f64]) -> Result<impl Fn(usize) -> f64 + Sync + 'f> {
        let (csr, weights, order) = (self.entering.local.csr(), self.weights, self.order);
        Ok(move |vertex: usize| {
            let (row, first) = (csr.row(vertex as u32), csr.offsets()[vertex] as usize);
            let from = |entry: usize| flowing[row[entry] as usize];
            match weights {
                None => order.sum(row, from),
                Some(weights) => order.sum(row, |entry| from(entry) * weights.get(first + entry)),
            }
        })
    }
}

fn check_memory(entering: &DistGraph) -> Result<()> {
    let (owned, all) = (u64::from(entering.owned()), u64::from(entering.local.vertices()));
    let bytes = memory::bytes_of::<[f64; 2]>(owned).saturating_add(memory::bytes_of::<f64>(all));
    Ok(memory::check(format_args!("the ranks of {owned} vertices of this rank"), bytes)?)
}

/// The weight of all edges that leave each owned vertex.
fn leaving_weights(graph: &DistGraph, options: &PageRankOptions) -> Result<Vec<f64>> {
    let owned = 0..graph.owned();
    let Some(weights) = options.weights(graph) else {
        return Ok(owned.map(|vertex| graph.local.degree(vertex) as f64).collect());
    };
    let (csr, order) = (graph.local.csr(), RowOrder::of(graph));
    let of_vertex = |vertex: u32| {
        let first = csr.range(vertex).start;
        let is_bad = |&edge: &usize| !(0.0..f64::INFINITY).contains(&weights.get(edge));
        match csr.range(vertex).find(is_bad) {
            None => Ok(order.sum(csr.row(vertex), |entry| weights.get(first + entry))),
            Some(edge) => Err(Error::Option(format!(
                "the edge from {} to {} has weight {}: ranks flow along weights that are zero or more and finite; \
                 `unweighted` leaves them out",
                graph.global(vertex),
                graph.global(csr.indices()[edge]),
                weights.get(edge)
            ))),
        }
    };
    owned.map(of_vertex).collect()
}

/// What the numbers that all ranks add up are multiplied by, so that whole numbers of 64 bits hold their sums, which are
/// at most 2, and a little more by rounding.
const UNIT: f64 = (1u64 << 62) as f64;

fn whole(number: f64) -> u64 {
    (number * UNIT) as u64
}

/// The sum over all ranks of what was made whole.
fn summed(exchange: &mut Exchange, mine: u64) -> f64 {
    let mut sum = [mine];
    exchange.all_reduce(&mut sum, Reduction::Sum);
    sum[0] as f64 / UNIT
}

/// Ranks on the way.
struct State {
    damping: f64,
    vertices: f64,
    ranks: Vec<f64>,
    /// The weight of all edges that leave each owned vertex.
    leaving: Vec<f64>,
    /// What flows from each vertex along an edge of weight 1; of owned ones, then mirrors.
    flowing: Vec<f64>,
}

impl State {
    fn new(
        graph: &DistGraph,
        entering: &DistGraph,
        leaving: Vec<f64>,
        options: &PageRankOptions,
    ) -> Self {
        let vertices = graph.partition.vertices() as f64;
        Self {
            damping: options.damping,
            vertices,
            ranks: vec![1.0 / vertices; leaving.len()],
            leaving,
            flowing: vec![0.0; entering.local.vertices() as usize],
        }
    }

    /// Says what flows from each vertex, to its mirrors too.
    fn tell_mirrors(&mut self, exchange: &mut Exchange, all: &[u32]) {
        let owned = self.ranks.len();
        let (flowing, of_mirrors) = self.flowing.split_at_mut(owned);
        for ((flowing, rank), leaving) in flowing.iter_mut().zip(&self.ranks).zip(&self.leaving) {
            *flowing = if *leaving == 0.0 { 0.0 } else { rank / leaving };
        }
        exchange.broadcast(
            all,
            |vertex| flowing[vertex as usize],
            |mirror, flowing| of_mirrors[mirror as usize - owned] = flowing,
        );
    }

    /// The rank of the dangling vertices here.
    fn dangling(&self) -> u64 {
        let dangling = self.ranks.iter().zip(&self.leaving).filter(|(_, leaving)| **leaving == 0.0);
        dangling.map(|(&rank, _)| whole(rank)).sum()
    }

    /// Gives every owned vertex its new rank, and says how much that changes them.
    fn pull(&mut self, dangling: f64, flow: &impl Flow) -> Result<u64> {
        let (damping, flow) = (self.damping, flow.of(&self.flowing)?);
        let anew = (1.0 - damping + damping * dangling) / self.vertices;
        let of_vertex = |(vertex, rank): (usize, &mut f64)| {
            let new = anew + damping * flow(vertex);
            whole((new - std::mem::replace(rank, new)).abs())
        };
        Ok(self.ranks.par_iter_mut().enumerate().map(of_vertex).sum())
    }
}
