//! All-pairs shortest paths for programs.

use std::{borrow::Cow, iter::repeat_n};

use equipoise_graph::{Edges, Graph, GraphBuilder, WeightType};
use equipoise_schedule::device::OpenDevice;

use super::{Apsp, ApspOptions, ApspStrategy, PairDistances, verify};
use crate::{
    Distances, LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Value, Values, Verdict},
};

/// Steps of Floyd-Warshall per second and thread.
const FLOYD_WARSHALL: f64 = 28e9;

/// The vertices of a test's graph whose matrix exceeds the memory limit.
const STREAMED: u32 = 1024;
/// Smaller graphs, such as those of slow devices, are not tested with a memory limit.
const STREAMED_FROM: u32 = 10_000;

impl Algorithm for Apsp {
    const NAME: &'static str = "apsp";
    const SUMMARY: &'static str = "Shortest paths between all pairs of vertices";
    const EXAMPLES: &'static [&'static str] = &[
        "er:n=1000,m=8000",
        "er:n=16384,m=200000,weights=1..99 --device cuda --strategy blocked",
        "roads.gr -o distances.npy --next-hops hops.npy",
        "roads.gr --path 1,5",
        "roads.gr --source 1,3 -o rows.csv",
    ];
    const HAS_OWN_COMMAND: bool = true;
    const CAN_SAMPLE: bool = true;

    type Options = ApspOptions;

    fn find(graph: &LoadedGraph<'_>, options: &ApspOptions) -> Result<Self> {
        graph.apsp(options)
    }

    fn check(&self, graph: &Graph, _options: &ApspOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(verify::verdict(self, graph))
    }

    /// A search per row, or Floyd-Warshall if that is faster.
    fn cost(graph: &Graph, options: &ApspOptions) -> Cost {
        let vertices = f64::from(graph.vertices());
        let rows = options.row_count(graph) as f64;
        let search = Cost::sssp(graph).without_wide_sums();
        let searches = rows * search.nanoseconds;
        let nanoseconds = match options.sources {
            Some(_) => searches,
            None => searches.min(vertices.powi(3) / FLOYD_WARSHALL * 1e9),
        };
        Cost { nanoseconds, bytes: rows * vertices * 4.0, ..search }
    }

    fn runs_anywhere(options: &ApspOptions) -> bool {
        options.strategy == ApspStrategy::Auto
    }

    fn times(&self) -> Times {
        self.times
    }

    /// Strategies have no steps in common.
    fn trace(&self) -> &Trace {
        static EMPTY: Trace = Trace { steps: Vec::new() };
        &EMPTY
    }

    fn step_names(_options: &ApspOptions) -> StepNames {
        StepNames { index: "step", strategy: "strategy", frontier: "vertices", found: "improved" }
    }

    fn report(&self, _graph: &Graph, _options: &ApspOptions) -> Report<'_> {
        let distances = match &self.distances {
            Distances::U32(all) => Distances::U32(&all[..]),
            Distances::U64(all) => Distances::U64(&all[..]),
            Distances::F32(all) => Distances::F32(&all[..]),
            Distances::F64(all) => Distances::F64(&all[..]),
        };
        let distances = Column::new("distance", "distances", Values::Distances(distances));
        let hops = self.next_hops.as_ref().map(|hops| Values::Vertices(hops[..].into()));
        let hops = hops.map(|hops| Column::new("next_hop", "next_hops", hops));
        let sources = self.sources.as_ref();
        let sources = sources.map(|all| Value::List(all.iter().copied().map(Into::into).collect()));
        let shape = [self.rows(), self.vertices as usize];
        Report::default()
            .fact("sources", sources)
            .fact("strategy", self.strategy.name())
            .fact("reason", &*self.reason)
            .matrix(shape, [distances].into_iter().chain(hops))
    }

    /// The rows to find, where the strategy finds single rows.
    fn sources(options: &mut ApspOptions) -> Option<&mut Option<Vec<u32>>> {
        let finds_rows = matches!(options.strategy, ApspStrategy::Auto | ApspStrategy::Sssp)
            && !options.next_hops;
        finds_rows.then_some(&mut options.sources)
    }

    /// Every strategy without and with next hops and, on a GPU, in less memory than the matrix takes: with less than 4
    /// or 8 bytes per pair.
    fn tests(on_gpu: bool) -> Vec<(&'static str, ApspOptions)> {
        let limit = |bytes| Some(bytes * u64::from(STREAMED).pow(2));
        let streamed = on_gpu.then_some([(false, limit(3)), (true, limit(5))]);
        let whole = ApspStrategy::ALL
            .iter()
            .flat_map(|&strategy| [false, true].map(|next_hops| (strategy, next_hops, None)));
        let streamed = streamed.into_iter().flatten();
        let streamed = streamed.map(|(next_hops, limit)| (ApspStrategy::Blocked, next_hops, limit));
        let options = |(strategy, next_hops, memory_limit): (ApspStrategy, bool, Option<u64>)| {
            let rest = ApspOptions::default();
            (strategy.name(), ApspOptions { strategy, next_hops, memory_limit, ..rest })
        };
        whole.chain(streamed).map(options).collect()
    }

    /// A matrix needs a smaller graph than rows of sources do.
    fn test_graph<'a>(graph: &'a Graph, options: &ApspOptions) -> Result<Option<Cow<'a, Graph>>> {
        if options.sources.is_some() {
            return Ok(Some(Cow::Borrowed(graph)));
        }
        let most = match options.memory_limit {
            Some(_) if graph.vertices() < STREAMED_FROM => return Ok(None),
            Some(_) => STREAMED,
            None => (graph.vertices() / 40).clamp(130, 2048),
        };
        Ok(Some(if graph.vertices() > most {
            Cow::Owned(folded(graph, most)?)
        } else {
            Cow::Borrowed(graph)
        }))
    }

    fn test_weights(
        _options: &ApspOptions,
        device: &OpenDevice,
        _are_large: bool,
    ) -> Vec<WeightType> {
        match device {
            OpenDevice::Cpu => vec![WeightType::U32, WeightType::F32, WeightType::F64],
            OpenDevice::Gpu(_) => vec![WeightType::U32, WeightType::F32],
        }
    }

    /// The same rows in any amount of memory. Next hops may differ: the verifier follows them.
    fn reference(&self, options: &ApspOptions) -> ApspOptions {
        ApspOptions { sources: options.sources.clone(), ..ApspOptions::default() }
    }

    fn difference(&self, reference: &Self, _options: &ApspOptions) -> Option<String> {
        let are_equal = match (&self.distances, &reference.distances) {
            (PairDistances::F32(ours), PairDistances::F32(theirs)) => {
                let slack = f64::from(self.vertices) * f64::from(f32::EPSILON);
                are_near(ours, theirs, 4.0 * slack)
            }
            (PairDistances::F64(ours), PairDistances::F64(theirs)) => {
                are_near(ours, theirs, 4.0 * f64::from(self.vertices) * f64::EPSILON)
            }
            (ours, theirs) => ours == theirs,
        };
        (!are_equal).then(|| "other distances than on the cpu".into())
    }
}

/// Whether numbers differ by at most `slack` times their size: strategies add up weights in other orders. The verifier
/// allows half of it to each.
fn are_near<T: Copy + Into<f64>>(ours: &[T], theirs: &[T], slack: f64) -> bool {
    let is_near = |(&a, &b): (&T, &T)| {
        let (a, b): (f64, f64) = (a.into(), b.into());
        a == b || (a - b).abs() <= slack * a.min(b)
    };
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(is_near)
}

/// The graph with vertices renumbered modulo `vertices`.
fn folded(graph: &Graph, vertices: u32) -> Result<Graph> {
    let ends = |source| repeat_n(source % vertices, graph.degree(source));
    let sources = (0..graph.vertices()).flat_map(ends).collect();
    let targets = graph.csr().indices().iter().map(|target| target % vertices).collect();
    let edges = Edges::new(sources, targets, graph.weights().cloned())?;
    Ok(GraphBuilder::new().vertices(vertices.into()).build(edges)?)
}
