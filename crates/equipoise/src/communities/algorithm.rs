//! [`Algorithm`] for communities.

use equipoise_graph::{Graph, numbers};

use super::{
    Communities, CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy,
    initial::{self, Labels},
};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Gpus, Report, StepNames, Value, Values, Verdict},
};

/// The allowed difference in modularity between Louvain runs that visit the vertices in different orders.
const NEAR: f64 = 0.05;

fn of_vertices(communities: &[u32]) -> Values<'_> {
    Values::U32(communities.into())
}

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
            (CommunitiesStrategy::Leiden, true) => {
                ", each is connected, and no two gain more than the tolerance by joining"
            }
            (CommunitiesStrategy::Leiden, false) => ", and each is connected",
            (_, true) => ", and no two gain more than the tolerance by joining",
            (_, false) => ", and does not fall from level to level",
        };
        let of = options.objective;
        Ok(Verdict::proved(format!("the {of} is that of the communities{also}")))
    }

    /// Label propagation sums weights, colors the vertices, and makes about ten sweeps. Louvain makes as many on the first level,
    /// and Leiden starts again once or twice.
    fn cost(graph: &Graph, options: &CommunitiesOptions) -> Cost {
        let cost = |nanoseconds| Cost::per_edge(graph, nanoseconds, 24.0);
        match options.strategy {
            CommunitiesStrategy::LabelPropagation => cost(250.0),
            strategy => {
                let nanoseconds =
                    if strategy == CommunitiesStrategy::Leiden { 900.0 } else { 300.0 };
                let is_slower = "this objective, or a limit of sizes, runs on the cpu";
                let gpus = if options.fit_gpu() { Gpus::All } else { Gpus::Slower(is_slower) };
                Cost { gpus, ..cost(nanoseconds) }
            }
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
        let quality = self.quality.unwrap_or(self.modularity);
        let objective = options.objective.name();
        let most = options.max_iterations;
        let ended = format_args!("after {most} sweeps, as `max-iterations` says");
        let report = Report::default()
            .line("found", format_args!("{count} ({}, on {device})", self.strategy))
            .line("modularity", format_args!("{:.6}", self.modularity))
            .line_if(self.quality.is_some(), "quality", format_args!("{quality:.6} ({objective})"))
            .line("largest", numbers::counted(self.largest.into(), "vertex", "vertices"))
            .line_if(!self.converged, "ended", ended)
            .fact("strategy", self.strategy.name())
            .fact("on_gpu", self.on_gpu)
            .fact("count", self.count)
            .fact("largest", self.largest)
            .fact("modularity", self.modularity)
            .fact("objective", objective)
            .fact("quality", quality)
            .fact("levels", Value::List(self.levels.iter().map(|&level| level.into()).collect()))
            .fact("converged", self.converged);
        let column = Column::new("community", "communities", of_vertices(&self.communities));
        if self.hierarchy.is_empty() {
            return report.per_vertex([column]);
        }
        let shape = [self.hierarchy.len(), self.communities.len()];
        let levels = (1..).zip(&self.hierarchy);
        let levels =
            levels.map(|(level, it)| Column::in_file(format!("level{level}"), of_vertices(it)));
        let all = Values::U32(self.hierarchy.concat().into());
        report
            .matrix(shape, [Column::new("community", "hierarchy", all)])
            .per_vertex([column].into_iter().chain(levels))
    }

    fn warning(&self, options: &CommunitiesOptions) -> Option<String> {
        let most = options.max_iterations;
        (!self.converged).then(|| {
            format!("the communities did not converge: `max-iterations` is {most}, which ended the search for better ones")
        })
    }

    fn resolve(options: CommunitiesOptions, graph: &Graph) -> Result<CommunitiesOptions> {
        match &options.initial_file {
            None => Ok(options),
            Some(path) => {
                Ok(CommunitiesOptions { initial: Some(initial::read(path, graph)?), ..options })
            }
        }
    }

    fn with_array(
        options: &CommunitiesOptions,
        name: &str,
        values: Vec<f64>,
    ) -> Option<CommunitiesOptions> {
        let mut labels = Labels::default();
        let mut initial = || values.iter().map(|value| labels.number(value.to_bits())).collect();
        (name == "initial")
            .then(|| CommunitiesOptions { initial: Some(initial()), ..options.clone() })
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, CommunitiesOptions)> {
        let options = |strategy| CommunitiesOptions { strategy, ..CommunitiesOptions::default() };
        let strategies = CommunitiesStrategy::ALL.iter().map(|&it| (it.name(), options(it)));
        let cpm = CommunitiesOptions {
            objective: CommunitiesObjective::Cpm,
            resolution: 0.25,
            ..options(CommunitiesStrategy::Leiden)
        };
        strategies.chain([("leiden by cpm", cpm)]).collect()
    }

    fn difference(&self, reference: &Self, options: &CommunitiesOptions) -> Option<String> {
        let differs = match options.strategy {
            CommunitiesStrategy::LabelPropagation => self.communities != reference.communities,
            _ => self.modularity < reference.modularity - NEAR,
        };
        differs.then(|| "other communities than on the cpu".into())
    }
}
