//! Shortest paths for programs.

use equipoise_graph::{Graph, WeightType, numbers};
use equipoise_schedule::device::OpenDevice;

use super::{Sssp, SsspOptions};
use crate::{
    Distances, LoadedGraph, Result, Times, Trace,
    algorithm::{
        Algorithm, Column, Cost, Report, STOPPED, SearchOptions, SearchResult, SearchTree,
        StepNames, Values, Verdict, largest_degree,
    },
    traversal::{Policy, SearchKind, Strategy},
};

impl Algorithm for Sssp {
    const NAME: &'static str = "sssp";
    const SUMMARY: &'static str =
        "Shortest paths from a source to each vertex; without weights, each edge counts 1";
    const EXAMPLES: &'static [&'static str] = &[
        "grid:width=500,height=500,weights=1..1000",
        "roads.gr.gz --source 1 --target 99 -o distances.tsv",
    ];
    const SEARCH_COLUMNS: Option<[&'static str; 2]> = Some(["distance", "predecessor"]);

    type Options = SsspOptions;

    fn find(graph: &LoadedGraph<'_>, options: &SsspOptions) -> Result<Self> {
        graph.sssp(largest_degree(graph.graph()), options)?.download()
    }

    fn find_from<'g>(
        graph: &'g LoadedGraph<'_>,
        sources: &[u32],
        options: &SsspOptions,
    ) -> Result<Vec<Box<dyn SearchResult<Self> + 'g>>> {
        let search = |&source: &u32| Ok(Box::new(graph.sssp(source, options)?) as _);
        sources.iter().map(search).collect()
    }

    fn check(&self, graph: &Graph, options: &SsspOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Self::verdict())
    }

    fn cost(graph: &Graph, options: &SsspOptions) -> Cost {
        let cost = Cost::sssp(graph);
        // The order of distances is the only one that a GPU has for weights of 64 bits.
        let is_in_order = matches!(options.strategy, Strategy::Auto | Strategy::NearFar)
            && options.plan.is_none()
            && options.model.is_none();
        if is_in_order { cost } else { cost.without_wide_sums() }
    }

    fn runs_anywhere(options: &SsspOptions) -> bool {
        options.strategy == Strategy::Auto && options.plan.is_none() && options.model.is_none()
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &SsspOptions) -> StepNames {
        StepNames { index: "bucket", strategy: "strategy", frontier: "frontier", found: "improved" }
    }

    fn report(&self, graph: &Graph, _options: &SsspOptions) -> Report<'_> {
        let all = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let reached = numbers::count(self.reached.into());
        let mut report = Report::default()
            .line("reached", format_args!("{reached} of {all}"))
            .line_if(!self.complete, "stopped", STOPPED);
        if let Some(delta) = self.delta {
            report = report.line("delta", numbers::decimal(delta));
        }
        let distances = match &self.distances {
            Distances::U32(all) => Distances::U32(&all[..]),
            Distances::U64(all) => Distances::U64(&all[..]),
            Distances::F32(all) => Distances::F32(&all[..]),
            Distances::F64(all) => Distances::F64(&all[..]),
        };
        report
            .fact("reached", self.reached)
            .fact("delta", self.delta)
            .fact("edges", self.edges)
            .fact("complete", self.complete)
            .per_vertex([
                Column::new("distance", "distances", Values::Distances(distances)),
                Column::new(
                    "predecessor",
                    "predecessors",
                    Values::Vertices((&self.predecessors).into()),
                ),
            ])
    }

    fn search_options(options: &mut SsspOptions) -> Option<SearchOptions<'_>> {
        Some(SearchOptions {
            strategy: options.strategy,
            target: &mut options.target,
            plan: &mut options.plan,
            model: &mut options.model,
            settings: &options.gpu,
            is_limited: false,
        })
    }

    fn tree(&self) -> Option<SearchTree<'_>> {
        Some(self.paths())
    }

    fn tests(on_gpu: bool) -> Vec<(&'static str, SsspOptions)> {
        use Strategy::{Auto, Delta, Dijkstra};
        let on_device = |strategy: &&Strategy| {
            if on_gpu { **strategy != Dijkstra } else { [Auto, Delta, Dijkstra].contains(strategy) }
        };
        let all = Strategy::SSSP.iter().filter(on_device);
        let options = |&strategy: &Strategy| SsspOptions { strategy, ..SsspOptions::default() };
        let learned = SsspOptions { policy: Policy::Learned, ..SsspOptions::default() };
        let by_strategy = all.map(|strategy| (strategy.name(), options(strategy)));
        by_strategy.chain([(Policy::Learned.name(), learned)]).collect()
    }

    /// Whole weights, decimal ones of 32 bits, and of 64 bits where the device adds them up.
    fn test_weights(
        options: &SsspOptions,
        device: &OpenDevice,
        are_large: bool,
    ) -> Vec<WeightType> {
        use Strategy::{Auto, Delta, Dijkstra, NearFar};
        // Strategies that spread work take a minute each to compile for another type of weights.
        let spreads = !matches!(options.strategy, Auto | Delta | Dijkstra | NearFar);
        let is_wide = match device {
            OpenDevice::Cpu => are_large || !spreads,
            OpenDevice::Gpu(gpu) => gpu.is_cuda() && matches!(options.strategy, Auto | NearFar),
        };
        let narrow = (are_large || !spreads).then_some(WeightType::F32);
        let wide = is_wide.then_some(WeightType::F64);
        [Some(WeightType::U32), narrow, wide].into_iter().flatten().collect()
    }

    fn reference(&self, _options: &SsspOptions) -> SsspOptions {
        SsspOptions::default()
    }

    fn difference(&self, reference: &Self, _options: &SsspOptions) -> Option<String> {
        (self.distances != reference.distances).then(|| "other distances than on the cpu".into())
    }
}
