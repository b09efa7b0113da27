//! Betweenness on the cpu: parallel over sources, and over the vertices of a level.
//!
//! Searches run in groups. Then the dependencies of each search are added to the sums in the order of the sources, so that
//! sums depend neither on the size of groups nor on the threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Graph, Weights, cancel::Cancel, memory, parallel::*};

use super::{
    Betweenness, BetweennessOptions, Plan, Sums,
    count::{PathCount, WideCount},
    hops::HopSearch,
    search::{PathSearch, Stop},
    weighted::{DecimalLengths, WeightedSearch, WholeLengths},
};
use crate::{Result, Step, Times, Trace, rows::Rows, times::timed};

/// Vertices per task when dependencies are added.
const VERTICES_AT_ONCE: usize = 1 << 12;
/// The most bytes per vertex of a search by edges, and of a search by weights.
const BYTES_OF_HOPS: u64 = 32;
const BYTES_OF_WEIGHTED: u64 = 72;

/// Finds the betweenness in a graph without parallel edges.
pub(super) fn betweenness(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness> {
    match sums::<f64>(graph, plan, options) {
        Err(Stop::TooManyPaths) => sums::<WideCount>(graph, plan, options),
        other => other,
    }
    .map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::TooManyPaths => unreachable!("wide counts do not overflow"),
    })
}

fn sums<C: PathCount>(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness, Stop> {
    let weights = graph.weights().filter(|_| options.weighted);
    let bytes_per_vertex = if weights.is_some() { BYTES_OF_WEIGHTED } else { BYTES_OF_HOPS };
    let count = searches_at_once(graph, plan, options, bytes_per_vertex)?;
    let rows = Rows::new(graph);
    let run = BrandesRun { graph, plan, options };
    match weights {
        None if graph.is_undirected() => run.run(count, || HopSearch::<C>::new(rows, None)),
        None => {
            let entering = Rows::new(graph.transpose().map_err(crate::Error::from)?);
            run.run(count, || HopSearch::<C>::new(rows, Some(entering)))
        }
        Some(Weights::U32(weights)) => {
            run.run(count, || WeightedSearch::<C, _>::new(graph, WholeLengths(weights)))
        }
        Some(Weights::F32(weights)) => {
            run.run(count, || WeightedSearch::<C, _>::new(graph, DecimalLengths(&weights[..])))
        }
        Some(Weights::F64(weights)) => {
            run.run(count, || WeightedSearch::<C, _>::new(graph, DecimalLengths(&weights[..])))
        }
    }
}

/// The number of searches that fit in memory, at most one per thread. Fails if not even one fits.
fn searches_at_once(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    bytes_per_vertex: u64,
) -> Result<usize> {
    let vertices = u64::from(graph.vertices());
    let search = vertices.saturating_mul(bytes_per_vertex);
    let sums = Sums::bytes(graph, options);
    let what = format_args!("the betweenness of {vertices} vertices");
    memory::check(what, search.saturating_add(sums))?;
    let wanted = rayon::current_num_threads().min(plan.sources.len()).max(1);
    let left = memory::available().saturating_sub(sums) / 2;
    Ok(wanted.min((left / search.max(1)) as usize).max(1))
}

struct BrandesRun<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    options: &'a BetweennessOptions,
}

impl BrandesRun<'_> {
    /// Searches from all sources, in groups of `searches`.
    fn run<S: PathSearch>(
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
            Ok::<_, Stop>((Sums { vertices: numbers(vertices), edges: edges.map(numbers) }, step))
        });
        let (sums, step) = sums?;
        let trace = Trace { steps: vec![Step { time: kernel, ..step }] };
        let times = Times { kernel, ..Times::default() };
        Ok(Betweenness::new(self.graph, sums, self.plan, trace, times))
    }

    /// Adds the dependencies of a source. Returns the number of edges that leave the vertices reached.
    fn add<S: PathSearch>(
        &self,
        search: &S,
        source: u32,
        vertices: &[AtomicU64],
        edges: Option<&[AtomicU64]>,
    ) -> u64 {
        let (rows, endpoints) = (Rows::new(self.graph), self.options.endpoints);
        let each = (0..search.reached()).into_par_iter().with_min_len(VERTICES_AT_ONCE);
        each.map(|index| {
            let vertex = search.vertex(index);
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

/// Adds to a sum without concurrent writers.
fn add_to(sum: &AtomicU64, number: f64) {
    if number != 0.0 {
        sum.store((f64::from_bits(sum.load(Relaxed)) + number).to_bits(), Relaxed);
    }
}

fn numbers(sums: Vec<AtomicU64>) -> Vec<f64> {
    sums.into_iter().map(|sum| f64::from_bits(sum.into_inner())).collect()
}
