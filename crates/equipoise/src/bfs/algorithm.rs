//! Breadth-first search for programs.

use equipoise_graph::{Graph, numbers};

use super::{BATCH, Bfs, BfsOptions, BfsSearch};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{
        Algorithm, Column, Cost, Report, STOPPED, SearchOptions, SearchResult, SearchTree,
        StepNames, Values, Verdict, largest_degree,
    },
    traversal::{Policy, SearchKind, Strategy},
};

impl Algorithm for Bfs {
    const NAME: &'static str = "bfs";
    const SUMMARY: &'static str =
        "Breadth-first search: the least number of edges from a source to each vertex";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=18",
        "roads.mtx.xz --undirected --source 1 --target 99 -o levels.tsv",
        "rmat:scale=18 --device cuda --strategy merge-path --repeat 5",
    ];
    const SEARCH_COLUMNS: Option<[&'static str; 2]> = Some(["level", "parent"]);
    const BATCH: usize = BATCH;

    type Options = BfsOptions;

    fn find(graph: &LoadedGraph<'_>, options: &BfsOptions) -> Result<Self> {
        graph.bfs(largest_degree(graph.graph()), options)?.download()
    }

    fn find_from<'g>(
        graph: &'g LoadedGraph<'_>,
        sources: &[u32],
        options: &BfsOptions,
    ) -> Result<Vec<Box<dyn SearchResult<Self> + 'g>>> {
        match sources {
            [source] => Ok(vec![Box::new(graph.bfs(*source, options)?)]),
            several => {
                let searches = graph.bfs_batch(several, options)?.into_iter();
                let on_host = |search| Box::new(BfsSearch::on_host(graph.graph(), search)) as _;
                Ok(searches.map(on_host).collect())
            }
        }
    }

    fn check(&self, graph: &Graph, options: &BfsOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Self::verdict())
    }

    fn cost(graph: &Graph, _options: &BfsOptions) -> Cost {
        Cost::bfs(graph)
    }

    fn runs_anywhere(options: &BfsOptions) -> bool {
        options.strategy == Strategy::Auto && options.plan.is_none() && options.model.is_none()
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &BfsOptions) -> StepNames {
        StepNames { index: "level", strategy: "strategy", frontier: "frontier", found: "found" }
    }

    fn report(&self, graph: &Graph, _options: &BfsOptions) -> Report<'_> {
        let all = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let reached = numbers::count(self.reached.into());
        Report::default()
            .line("reached", format_args!("{reached} of {all}"))
            .line_if(!self.complete, "stopped", STOPPED)
            .line("depth", self.depth)
            .fact("reached", self.reached)
            .fact("depth", self.depth)
            .fact("edges", self.edges)
            .fact("complete", self.complete)
            .per_vertex([
                Column::new("level", "levels", Values::U32((&self.levels).into())),
                Column::new("parent", "parents", Values::Vertices((&self.parents).into())),
            ])
    }

    fn search_options(options: &mut BfsOptions) -> Option<SearchOptions<'_>> {
        Some(SearchOptions {
            strategy: options.strategy,
            target: &mut options.target,
            plan: &mut options.plan,
            model: &mut options.model,
            settings: &options.gpu,
            is_limited: options.max_depth.is_some(),
        })
    }

    fn tree(&self) -> Option<SearchTree<'_>> {
        Some(self.paths())
    }

    fn tests(on_gpu: bool) -> Vec<(&'static str, BfsOptions)> {
        let on_cpu = [Strategy::Auto, Strategy::DirectionOptimising, Strategy::Node];
        let all = if on_gpu { Strategy::BFS } else { &on_cpu };
        let options = |&strategy: &Strategy| BfsOptions { strategy, ..BfsOptions::default() };
        let learned = BfsOptions { policy: Policy::Learned, ..BfsOptions::default() };
        let by_strategy = all.iter().map(|strategy| (strategy.name(), options(strategy)));
        by_strategy.chain([(Policy::Learned.name(), learned)]).collect()
    }

    fn reference(&self, _options: &BfsOptions) -> BfsOptions {
        BfsOptions::default()
    }

    fn difference(&self, reference: &Self, _options: &BfsOptions) -> Option<String> {
        (self.levels != reference.levels).then(|| "other levels than on the cpu".into())
    }
}
