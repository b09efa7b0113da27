//! `equipoise mst`: a minimum spanning forest.

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::{Graph, Weights},
    mst::{MstOptions, MstStrategy, SpanningForest, TotalWeight},
};
use serde::Serialize;

use crate::{
    arguments::OutputArgument,
    choice::Job,
    failure::Result,
    graph_command::GraphCommand,
    numbers,
    output::{ResultFile, with_rows},
    rows::Cell,
    screen::Screen,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise mst grid:width=300,height=200,weights=1..1000
  equipoise mst roads.csv --undirected -o forest.csv
  equipoise mst friends.mtx --device cuda --strategy boruvka --repeat 5";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: MstOptions,
}

#[derive(Serialize)]
struct Facts {
    strategy: MstStrategy,
    total_weight: TotalWeight,
    edges: usize,
    trees: u32,
}

impl GraphCommand for Command {
    const NAME: &'static str = "mst";
    const STEPS: StepNames =
        StepNames { index: "round", strategy: "which", frontier: "trees", found: "taken" };

    type Options = MstOptions;
    type Found = SpanningForest;

    fn file(output: &OutputArgument) -> Result<Option<ResultFile>> {
        ResultFile::of_rows(&output.output)
    }

    fn is_plain(&self) -> bool {
        self.options.strategy == MstStrategy::Auto
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        Job::mst(graph, runs)
    }

    fn options(&self, _graph: &Graph) -> Result<MstOptions> {
        Ok(self.options.clone())
    }

    fn find(there: &LoadedGraph, options: &MstOptions) -> equipoise::Result<SpanningForest> {
        there.mst(options)
    }

    fn told(found: &SpanningForest) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(
        found: &SpanningForest,
        graph: &Graph,
        _options: &MstOptions,
    ) -> equipoise::Result<()> {
        found.verify(graph)
    }

    fn verdict(_found: &SpanningForest) -> String {
        "the edges are those that Kruskal's algorithm takes, and close no circle".into()
    }

    fn write(
        &self,
        graph: &Graph,
        found: &SpanningForest,
        file: Option<&ResultFile>,
    ) -> Result<()> {
        with_rows(file, &["source", "target", "weight"], |rows| {
            let edges = found.edges.iter().enumerate().filter(|_| file.is_some());
            for (index, &(source, target)) in edges {
                let weight = match &found.weights {
                    Weights::U32(weights) => Cell::Whole(weights[index].into()),
                    Weights::F32(weights) => Cell::Single(weights[index]),
                    Weights::F64(weights) => Cell::Double(weights[index]),
                };
                let [source, target] = [source, target].map(|vertex| graph.ids().id(vertex).into());
                rows.write(&[source, target, weight])?;
            }
            Ok(())
        })
    }

    fn print(&self, _graph: &Graph, found: &SpanningForest, screen: &mut Screen) -> Result<()> {
        let edges = numbers::counted(found.edges.len() as u64, "edge", "edges");
        screen.fact("found", format_args!("{edges} ({})", found.strategy))?;
        match found.total {
            TotalWeight::U64(weight) => screen.fact("weight", numbers::count(weight))?,
            TotalWeight::F64(weight) => screen.fact("weight", weight)?,
        }
        screen.fact("trees", numbers::count(found.trees.into()))
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a SpanningForest) -> impl Serialize + 'a {
        Facts {
            strategy: found.strategy,
            total_weight: found.total,
            edges: found.edges.len(),
            trees: found.trees,
        }
    }
}
