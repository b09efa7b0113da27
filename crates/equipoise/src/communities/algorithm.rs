//! [`Algorithm`] for communities.

use equipoise_graph::{Graph, numbers};

use super::{Communities, CommunitiesOptions, CommunitiesStrategy};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Gpus, Report, StepNames, Value, Values, Verdict},
};

/// The allowed difference in modularity between Louvain runs that visit the vertices in different orders.
const NEAR: f64 = 0.05;

impl Algorithm for Communities {
    const NAME: &'static str = "communities";
    const SUMMARY: &'static str =
        "Find communities, which have more edges within them than between them";
    const EXAMPLES: &'static [&'static str] = &[
        "friends.csv -o communities.csv",
        "power-law:n=100000,m=800000 --resolution 0.5",
        "links.mtx --strategy label-propagation --device cuda --seed 7",
    ];

    type Options = CommunitiesOptions;

    fn find(graph: &LoadedGraph<'_>, options: &CommunitiesOptions) -> Result<Self> {
        graph.communities(options)
    }

    fn check(&self, graph: &Graph, options: &CommunitiesOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        let also = match (self.strategy, self.converged) {
            (CommunitiesStrategy::LabelPropagation, true) => {
                ", and no vertex has more neighbours in another community"
            }
            (CommunitiesStrategy::LabelPropagation, false) => "",
            (_, true) => ", and no two gain more than the tolerance by joining",
            (_, false) => ", and does not fall from level to level",
        };
        Ok(Verdict::proved(format!("the modularity is that of the communities{also}")))
    }

    /// Label propagation sums weights, colors the vertices, and makes about ten sweeps. Louvain makes as many on the first level.
    fn cost(graph: &Graph, options: &CommunitiesOptions) -> Cost {
        match options.strategy {
            CommunitiesStrategy::LabelPropagation => Cost::per_edge(graph, 250.0, 24.0),
            _ => Cost {
                gpus: Gpus::Slower("louvain takes longer on a GPU"),
                ..Cost::per_edge(graph, 300.0, 24.0)
            },
        }
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(options: &CommunitiesOptions) -> StepNames {
        let [index, strategy, found] = match options.strategy {
            CommunitiesStrategy::LabelPropagation => ["sweep", "by", "relabeled"],
            _ => ["level", "reaches", "merged"],
        };
        StepNames { index, strategy, frontier: "vertices", found }
    }

    fn report(&self, _graph: &Graph, options: &CommunitiesOptions) -> Report<'_> {
        let count = numbers::counted(self.count.into(), "community", "communities");
        let device = if self.on_gpu { "the GPU" } else { "the cpu" };
        let most = options.max_iterations;
        let ended = format_args!("after {most} sweeps, as `max-iterations` says");
        Report::default()
            .line("found", format_args!("{count} ({}, on {device})", self.strategy))
            .line("modularity", format_args!("{:.6}", self.modularity))
            .line("largest", numbers::counted(self.largest.into(), "vertex", "vertices"))
            .line_if(!self.converged, "ended", ended)
            .fact("strategy", self.strategy.name())
            .fact("on_gpu", self.on_gpu)
            .fact("count", self.count)
            .fact("largest", self.largest)
            .fact("modularity", self.modularity)
            .fact("levels", Value::List(self.levels.iter().map(|&level| level.into()).collect()))
            .fact("converged", self.converged)
            .per_vertex([Column::new(
                "community",
                "communities",
                Values::U32((&self.communities).into()),
            )])
    }

    fn warning(&self, options: &CommunitiesOptions) -> Option<String> {
        let most = options.max_iterations;
        (!self.converged).then(|| {
            format!("the communities did not converge: `max-iterations` is {most}, which ended the search for better ones")
        })
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, CommunitiesOptions)> {
        let options = |strategy| CommunitiesOptions { strategy, ..CommunitiesOptions::default() };
        CommunitiesStrategy::ALL.iter().map(|&it| (it.name(), options(it))).collect()
    }

    fn difference(&self, reference: &Self, options: &CommunitiesOptions) -> Option<String> {
        let differs = match options.strategy {
            CommunitiesStrategy::LabelPropagation => self.communities != reference.communities,
            _ => self.modularity < reference.modularity - NEAR,
        };
        differs.then(|| "other communities than on the cpu".into())
    }
}
