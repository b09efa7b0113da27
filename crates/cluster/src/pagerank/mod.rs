//! PageRank: the share of time at each vertex of a walk that follows random edges and sometimes restarts.
//!
//! Each iteration every vertex pulls from those with an edge to it: `rank(v) = (1 − d + d·D) / n + d·Σ rank(u)·w(u, v) /
//! w(u)`, where `d` is the damping, `n` the number of vertices, `w(u)` the weight of all edges that leave `u`, and `D` the
//! rank of the dangling vertices, which no edge leaves, so that a walk restarts. Owners send the flow from their vertices to
//! mirrors, one number each.
//!
//! The sum of a vertex is added up in the order of global ids, and sums over ranks are of whole numbers: the result is equal
//! bit for bit on any number of ranks.

mod verify;

use std::time::Instant;

use equipoise_graph::{Weights, memory, numbers::short};
use rayon::prelude::*;

use crate::{
    Comm, DistGraph, Error, Exchange, Reduction, Result, Step, Trace, Traffic, agree,
    row_order::RowOrder,
};

/// The options of PageRank.
///
/// ```
/// use equipoise_cluster::PageRankOptions;
///
/// let options = PageRankOptions { tolerance: 1e-4, ..PageRankOptions::default() };
/// assert_eq!((options.damping, options.max_iterations), (0.85, 100));
/// ```
#[derive(Clone, Debug)]
pub struct PageRankOptions {
    /// The share of steps that follow an edge, 0 to 1; the others restart.
    pub damping: f64,
    /// The largest change of all ranks together by an iteration that ends the run.
    pub tolerance: f64,
    /// The most iterations, 1 to 100000: ranks that have not converged by then are an error, unless the tolerance is 0.
    pub max_iterations: u32,
    /// The exact number of iterations, 1 to 100000, whether or not the ranks converge.
    pub iterations: Option<u32>,
    /// Whether weights are ignored.
    pub unweighted: bool,
}

/// With any damping below one, ranks have long settled by then.
const MOST_ITERATIONS: u32 = 100_000;

impl Default for PageRankOptions {
    fn default() -> Self {
        Self {
            damping: 0.85,
            tolerance: 1e-6,
            max_iterations: 100,
            iterations: None,
            unweighted: false,
        }
    }
}

impl PageRankOptions {
    /// Fails if a number is out of its range.
    fn check(&self) -> Result<()> {
        let Self { damping, tolerance, max_iterations, iterations, .. } = *self;
        let possible = 1..=MOST_ITERATIONS;
        let refused = match self {
            _ if !(0.0..=1.0).contains(&damping) => {
                format!("`damping` is {damping:?}: 0 to 1 are possible")
            }
            _ if !(0.0..=f64::MAX).contains(&tolerance) => {
                format!("`tolerance` is {tolerance:?}: 0 or more is possible")
            }
            _ if !possible.contains(&max_iterations) => {
                format!("`max-iterations` is {max_iterations}: 1 to {MOST_ITERATIONS} are possible")
            }
            _ => match iterations.filter(|iterations| !possible.contains(iterations)) {
                None => return Ok(()),
                Some(invalid) => {
                    format!("`iterations` is {invalid}: 1 to {MOST_ITERATIONS} are possible")
                }
            },
        };
        Err(Error::Option(refused))
    }

    /// Whether the options set a number of iterations instead of convergence.
    fn counts_iterations(&self) -> bool {
        self.iterations.is_some() || self.tolerance == 0.0
    }

    /// The weights of edges, unless they are ignored.
    fn weights<'g>(&self, graph: &'g DistGraph) -> Option<&'g Weights> {
        graph.local.weights().filter(|_| !self.unweighted)
    }
}

/// The PageRank of each vertex of this rank.
#[derive(Clone, Debug)]
pub struct PageRank {
    /// The PageRank of each owned vertex. Those of all vertices add up to one.
    pub ranks: Vec<f64>,
    /// The number of iterations.
    pub iterations: u32,
    /// The change of all ranks together by the last iteration.
    pub change: f64,
    /// Whether the change is within the tolerance; always, unless the options set a number of iterations.
    pub converged: bool,
    /// The steps of this rank, one per iteration.
    pub trace: Trace,
}

/// Computes the PageRank of the vertices of a graph; all ranks call it.
///
/// An undirected edge has both directions; parallel edges and self-loops count; weights determine how often an edge is
/// followed, unless they are ignored. The result is equal bit for bit on any number of ranks and threads;
/// [`PageRank::verify`] documents its error. In addition to the graph and its reverse, needs 24 bytes per vertex and 8 bytes
/// per mirror.
///
/// Fails if a weight is negative or not finite, the weights of the edges that leave a vertex add up to less than 1e-280
/// or more than 1e280, or an option is out of its range; and with [`Error::NotConverged`] where the ranks have not
/// converged after [`max_iterations`](PageRankOptions::max_iterations), unless the options set a number of
/// [`iterations`](PageRankOptions::iterations) or a tolerance of 0.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, PageRankOptions, pagerank};
///
/// let slice = EdgeSlice { sources: vec![0, 1, 2], targets: vec![1, 2, 0], ..EdgeSlice::new(3) };
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

/// The flow to vertices along the edges that enter them.
pub(crate) trait Flow {
    /// The flow to each owned vertex; `flowing` is the flow along an edge of weight 1 from each vertex, owned ones first and
    /// then mirrors.
    ///
    /// If it fails on one rank, it fails on all.
    fn of<'f>(&'f self, flowing: &'f [f64]) -> Result<impl Fn(usize) -> f64 + Sync + 'f>;
}

/// PageRank by a [`Flow`] over the reversed graph. If `flow` fails on one rank, it fails on all.
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
    for _ in 0..options.iterations.unwrap_or(options.max_iterations) {
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
        if options.iterations.is_none() && change <= options.tolerance {
            break;
        }
    }
    let (iterations, converged) = (trace.steps.len() as u32, change <= options.tolerance);
    // All ranks have the same change, and so fail together.
    if !converged && !options.counts_iterations() {
        return Err(Error::NotConverged { iterations, change, tolerance: options.tolerance });
    }
    Ok(PageRank { ranks: state.ranks, iterations, change, converged, trace })
}

/// Adds up the flow to each vertex on the CPU.
struct FlowOnCpu<'a> {
    entering: &'a DistGraph,
    /// The weight of each entering edge, unless weights are ignored.
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

/// The permitted sums of the weights that leave a vertex: a rank divided by one is neither infinite nor subnormal.
const SUMS_OF_WEIGHTS: std::ops::RangeInclusive<f64> = 1e-280..=1e280;

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
            None => {
                let sum = order.sum(csr.row(vertex), |entry| weights.get(first + entry));
                if sum == 0.0 || SUMS_OF_WEIGHTS.contains(&sum) {
                    return Ok(sum);
                }
                Err(Error::Option(format!(
                    "the weights of the edges that leave vertex {} add up to {sum:e}: {:e} to {:e} are possible, so \
                     multiply all weights by the same number",
                    graph.global(vertex),
                    SUMS_OF_WEIGHTS.start(),
                    SUMS_OF_WEIGHTS.end()
                )))
            }
            Some(edge) => Err(Error::Option(format!(
                "the edge from {} to {} has weight {}: ranks flow along weights that are zero or more and finite; \
                 `unweighted` leaves them out",
                graph.global(vertex),
                graph.global(csr.indices()[edge]),
                short(&weights.get(edge))
            ))),
        }
    };
    owned.map(of_vertex).collect()
}

/// The factor that turns numbers into whole ones before ranks add them up in 64 bits. Their sums are at most about 2.
const UNIT: f64 = (1u64 << 62) as f64;

fn whole(number: f64) -> u64 {
    (number * UNIT) as u64
}

/// The sum over all ranks, of whole numbers.
fn summed(exchange: &mut Exchange, mine: u64) -> f64 {
    let mut sum = [mine];
    exchange.all_reduce(&mut sum, Reduction::Sum);
    sum[0] as f64 / UNIT
}

/// The state of an iteration.
struct State {
    damping: f64,
    vertices: f64,
    ranks: Vec<f64>,
    /// The weight of all edges that leave each owned vertex.
    leaving: Vec<f64>,
    /// The flow from each vertex along an edge of weight 1; of owned ones, then of mirrors.
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

    /// Computes the flow from each vertex, and sends it to mirrors.
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

    /// The sum of the dangling vertices of this rank.
    fn dangling(&self) -> u64 {
        let dangling = self.ranks.iter().zip(&self.leaving).filter(|(_, leaving)| **leaving == 0.0);
        dangling.map(|(&rank, _)| whole(rank)).sum()
    }

    /// Sets the new PageRank of every owned vertex. Returns the change.
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
