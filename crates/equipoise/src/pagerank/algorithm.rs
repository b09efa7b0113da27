//! [`Algorithm`] for ranks.

use equipoise_graph::{Graph, numbers};
use equipoise_schedule::ScheduleName;

use super::{PageRank, PageRankOptions};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Value, Values, Verdict},
    named::named_vertices,
};

/// The number of printed vertices.
const SHOWN: usize = 5;
/// The allowed sum of differences from the CPU's ranks.
const NEAR: f64 = 1e-3;
/// The smallest tolerance to which sums in `f32` always converge.
const TEST_TOLERANCE: f64 = 1e-5;

/// What is proved.
const RULES: &str =
    "one more iteration in f64 changes the ranks no more than it may, and they add up to 1";

impl Algorithm for PageRank {
    const NAME: &'static str = "pagerank";
    const SUMMARY: &'static str = "Rank the vertices by PageRank";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=16",
        "links.csv -o ranks.csv --tolerance 1e-4",
        "friends.csv --personalization Alice,Bob",
        "web.mtx --device cuda --iterations 20 --repeat 5",
    ];

    type Options = PageRankOptions;

    fn find(graph: &LoadedGraph<'_>, options: &PageRankOptions) -> Result<Self> {
        graph.pagerank(options)
    }

    fn check(&self, graph: &Graph, options: &PageRankOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(
        &self,
        graph: &LoadedGraph<'_>,
        options: &PageRankOptions,
    ) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph, options);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, options: &PageRankOptions) -> Cost {
        Cost::per_edge(graph, 2.5 * f64::from(options.most_iterations()), 4.0)
    }

    fn runs_anywhere(options: &PageRankOptions) -> bool {
        options.schedule.is_none()
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &PageRankOptions) -> StepNames {
        StepNames {
            index: "iteration",
            strategy: "direction",
            frontier: "vertices",
            found: "ranked",
        }
    }

    fn report(&self, graph: &Graph, _options: &PageRankOptions) -> Report<'_> {
        let highest = self.highest(SHOWN).into_iter();
        let (shown, highest): (Vec<String>, Vec<Value>) = highest
            .map(|vertex| (Value::id(graph, vertex), self.ranks[vertex as usize]))
            .map(|(id, rank)| {
                let shown = format!("{id} ({rank:.3e})");
                (shown, Value::Object(vec![("vertex", id), ("rank", rank.into())]))
            })
            .unzip();
        let iterations = numbers::counted(self.iterations.into(), "iteration", "iterations");
        let settled = if self.converged { "settled" } else { "not settled" };
        let change = self.change;
        let ranks = format_args!("{settled} after {iterations}, the last changed {change:.1e}");
        Report::default()
            .line_if(!shown.is_empty(), "highest", shown.join(", "))
            .line("ranks", ranks)
            .fact("iterations", self.iterations)
            .fact("change", change)
            .fact("converged", self.converged)
            .fact("highest", Value::List(highest))
            .per_vertex([Column::new("rank", "ranks", Values::F32(&self.ranks))])
    }

    fn resolve(options: PageRankOptions, graph: &Graph) -> Result<PageRankOptions> {
        if options.restart_at.is_empty() {
            return Ok(options);
        }
        let mut shares = vec![0.0; graph.vertices() as usize];
        for vertex in named_vertices(graph, &options.restart_at)? {
            shares[vertex as usize] = 1.0;
        }
        Ok(PageRankOptions { personalization: Some(shares), ..options })
    }

    fn with_array(
        options: &PageRankOptions,
        name: &str,
        values: Vec<f64>,
    ) -> Option<PageRankOptions> {
        let personalization = Some(values);
        (name == "personalization").then(|| PageRankOptions { personalization, ..options.clone() })
    }

    fn tests(on_gpu: bool) -> Vec<(&'static str, PageRankOptions)> {
        let options = |schedule| PageRankOptions {
            tolerance: TEST_TOLERANCE,
            schedule,
            ..PageRankOptions::default()
        };
        let schedules = ScheduleName::ALL.iter().filter(|_| on_gpu);
        let scheduled = schedules.map(|&schedule| (schedule.name(), options(Some(schedule))));
        [("auto", options(None))].into_iter().chain(scheduled).collect()
    }

    fn reference(&self, options: &PageRankOptions) -> PageRankOptions {
        PageRankOptions { schedule: None, ..options.clone() }
    }

    fn difference(&self, reference: &Self, _options: &PageRankOptions) -> Option<String> {
        let ranks = self.ranks.iter().zip(&reference.ranks);
        let apart: f64 = ranks.map(|(ours, theirs)| f64::from((ours - theirs).abs())).sum();
        let is_near = apart <= NEAR;
        (!is_near).then(|| format!("ranks differ by {apart} from the cpu's"))
    }
}
