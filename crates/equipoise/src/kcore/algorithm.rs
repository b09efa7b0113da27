//! [`Algorithm`] for cores.

use equipoise_graph::{Graph, numbers};

use super::KCore;
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

/// The options of [`KCore`]: the core that is written as a graph.
///
/// ```
/// use equipoise::kcore::KCoreOptions;
///
/// assert_eq!(KCoreOptions::default().core, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct KCoreOptions {
    /// Write this core with --subgraph [default: the innermost]
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", requires = "subgraph"))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub core: Option<u32>,
}

/// What is proved.
const RULES: &str =
    "vertices have enough neighbours in their cores, and an order in which no more follow";

impl Algorithm for KCore {
    const NAME: &'static str = "kcore";
    const SUMMARY: &'static str =
        "Find the core number of each vertex, and write a core as a graph";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=16",
        "friends.csv -o cores.csv",
        "links.mtx --device cuda --core 10 --subgraph core.mtx",
    ];
    const HAS_SUBGRAPH: bool = true;

    type Options = KCoreOptions;

    fn find(graph: &LoadedGraph<'_>, _options: &KCoreOptions) -> Result<Self> {
        graph.kcore()
    }

    fn check(&self, graph: &Graph, _options: &KCoreOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &KCoreOptions) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &KCoreOptions) -> Cost {
        Cost::per_edge(graph, 8.0, 4.0)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &KCoreOptions) -> StepNames {
        StepNames { index: "level", strategy: "by", frontier: "peeled", found: "left" }
    }

    fn report(&self, _graph: &Graph, _options: &KCoreOptions) -> Report<'_> {
        let (most, innermost) = (self.degeneracy, self.size(self.degeneracy));
        let vertices = numbers::counted(innermost.into(), "vertex", "vertices");
        Report::default()
            .line("degeneracy", numbers::count(most.into()))
            .line("innermost", format_args!("{vertices} in the {most}-core"))
            .fact("degeneracy", most)
            .fact("innermost", innermost)
            .per_vertex([Column::new("core", "cores", Values::U32((&self.cores).into()))])
    }

    fn subgraph(&self, graph: &Graph, options: &KCoreOptions) -> Option<Result<(String, Graph)>> {
        let core = options.core.unwrap_or(self.degeneracy);
        Some(self.subgraph(graph, core).map(|part| (format!("the {core}-core"), part)))
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, KCoreOptions)> {
        vec![("peel", KCoreOptions::default())]
    }

    fn difference(&self, reference: &Self, _options: &KCoreOptions) -> Option<String> {
        (self.cores != reference.cores).then(|| "other cores than on the cpu".into())
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};

    use super::*;
    use crate::kcore::kcore;

    #[test]
    fn the_innermost_core_is_written_unless_another_is_named() {
        let graph = load("star:n=9", &ReadOptions::default()).unwrap();
        let cores = kcore(&graph).unwrap();
        let written = |core| {
            let options = KCoreOptions { core };
            Algorithm::subgraph(&cores, &graph, &options).unwrap().unwrap()
        };
        assert_eq!((written(None).0, written(None).1.vertices()), ("the 1-core".into(), 9));
        assert_eq!((written(Some(2)).0, written(Some(2)).1.vertices()), ("the 2-core".into(), 0));
    }
}
