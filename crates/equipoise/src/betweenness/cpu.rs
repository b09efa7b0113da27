//! Betweenness on the cpu: several sources at a time, and the vertices of a level at a time.
//!
//! Sources are worked on in groups, each with a search of its own. Then the dependencies of one after the other are added
//! to the sums, in the order of the sources: sums do not depend on how large a group is, nor on the threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Graph, Weights, cancel::Cancel, memory};
use rayon::prelude::*;

use super::{
    Betweenness, BetweennessOptions, Plan, Sums,
    count::{Count, Wide},
    hops::Hops,
    search::{Search, Stop},
    weighted::{Real, Weighted, Whole},
};
use crate::{Result, Step, Times, Trace, rows::Rows, times::timed};

/// Vertices whose dependencies a thread adds at once.
const VERTICES_AT_ONCE: usize = 1 << 12;
/// The most bytes a vertex that a search takes, with paths by their edges or by their weights.
const BYTES_OF_HOPS: u64 = 32;
const BYTES_OF_WEIGHTED: u64 = 72;

/// Betweenness in a graph without parallel edges.
pub(super) fn betweenness(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness> {
    match sums::<f64>(graph, plan, options) {
        Err(Stop::TooManyPaths) => sums::<Wide>(graph, plan, options),
        other => other,
    }
    .map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::TooManyPaths => unreachable!("counts that have an exponent of their own hold all"),
    })
}

fn sums<C: Count>(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness, Stop> {
    let weights = graph.weights().filter(|_| options.weighted);
    let each = if weights.is_some() { BYTES_OF_WEIGHTED } else { BYTES_OF_HOPS };
    let count = searches_at_once(graph, plan, options, each).map_err(Stop::Failed)?;
    let rows = Rows::of(graph);
    let run = Run { graph, plan, options };
    match weights {
        None => {
            let entering = match graph.is_undirected() {
                true => None,
                false => Some(Rows::of(graph.transpose().map_err(|e| Stop::Failed(e.into()))?)),
            };
            run.with(count, || Hops::<C>::new(rows, entering))
        }
        Some(Weights::U32(weights)) => {
            run.with(count, || Weighted::<C, _>::new(graph, Whole(weights)))
        }
        Some(Weights::F32(weights)) => {
            run.with(count, || Weighted::<C, _>::new(graph, Real(&weights[..])))
        }
        Some(Weights::F64(weights)) => {
            run.with(count, || Weighted::<C, _>::new(graph, Real(&weights[..])))
        }
    }
}

/// How many searches there is memory for, at most one a thread. Fails where there is not even for one.
fn searches_at_once(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    bytes_of_vertex: u64,
) -> Result<usize> {
    let vertices = u64::from(graph.vertices());
    let search = vertices.saturating_mul(bytes_of_vertex);
    let sums = Sums::bytes(graph, options);
    let what = format_args!("the betweenness of {vertices} vertices");
    memory::check(what, search.saturating_add(sums))?;
    let wanted = rayon::current_num_threads().min(plan.sources.len()).max(1);
    let left = memory::available().saturating_sub(sums) / 2;
    Ok(wanted.min((left / search.max(1)) as usize).max(1))
}

struct Run<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    options: &'a BetweennessOptions,
}

impl Run<'_> {
    /// Searches from all sources, so many at a time.
    fn with<S: Search>(
        &self,
        searches: usize,
        new: impl Fn() -> S + Sync + Send,
    ) -> Result<Betweenness, Stop> {
        let cancel = Cancel::current();
        let (sums, kernel) = timed(|| {
            let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
            let vertices = zeros(self.graph.vertices() as usize);
            let edges = self.options.edges.then(|| zeros(self.graph.edges() as usize));
            let mut searches: Vec<S> = (0..searches).into_par_iter().map(|_| new()).collect();
            let mut step =
                Step::new(0, if self.options.weighs(self.graph) { "weights" } else { "hops" });
            for sources in self.plan.sources.chunks(searches.len()) {
                let group = searches.par_iter_mut().zip(sources);
                group.try_for_each(|(search, &source)| cancel.watch(|| search.run(source)))?;
                for (search, &source) in searches.iter().zip(sources) {
                    step.edges += 2 * self.add(search, source, &vertices, edges.as_deref());
                    step.found += search.reached() as u64;
                }
                step.frontier += sources.len() as u64;
            }
            Ok((Sums { vertices: numbers(vertices), edges: edges.map(numbers) }, step))
        });
        let (sums, step) = sums?;
        let trace = Trace { steps: vec![Step { time: kernel, ..step }] };
        let times = Times { kernel, ..Times::default() };
        Ok(Betweenness::of(self.graph, sums, self.plan, trace, times))
    }

    /// Adds the dependencies of a source; how many edges leave the vertices that it reached.
    fn add<S: Search>(
        &self,
        search: &S,
        source: u32,
        vertices: &[AtomicU64],
        edges: Option<&[AtomicU64]>,
    ) -> u64 {
        let (rows, endpoints) = (Rows::of(self.graph), self.options.endpoints);
        let each = (0..search.reached()).into_par_iter().with_min_len(VERTICES_AT_ONCE);
        each.map(|place| {
            let vertex = search.vertex(place);
            let dependency = match (vertex == source, endpoints) {
                (true, true) => (search.reached() - 1) as f64,
                (true, false) => 0.0,
                (false, true) => search.dependency(vertex) + 1.0,
                (false, false) => search.dependency(vertex),
            };
            add_to(&vertices[vertex as usize], dependency);
            if let Some(edges) = edges {
                for (edge, &target) in rows.range(vertex).zip(rows.row(vertex)) {
                    add_to(&edges[edge], search.dependency_of_edge(vertex, edge, target));
                }
            }
            rows.degree(vertex)
        })
        .sum()
    }
}

/// Adds to a sum that no other thread adds to at the same time.
fn add_to(sum: &AtomicU64, number: f64) {
    if number != 0.0 {
        sum.store((f64::from_bits(sum.load(Relaxed)) + number).to_bits(), Relaxed);
    }
}

fn numbers(sums: Vec<AtomicU64>) -> Vec<f64> {
    sums.into_iter().map(|sum| f64::from_bits(sum.into_inner())).collect()
}
