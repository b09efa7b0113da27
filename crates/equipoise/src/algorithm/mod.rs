//! The common interface of all algorithms, and their list.
//!
//! The result type of an algorithm implements [`Algorithm`]: how to compute, verify and describe it. The program's
//! commands, the Python functions, the self-test and the benchmarks iterate over [`each`], and name no algorithm.
//!
//! ```
//! use equipoise::{algorithm::{Algorithm, Visitor, each}, prelude::*};
//!
//! /// Runs all algorithms on a graph and counts those whose results were verified.
//! struct RunAll<'a>(&'a Graph, usize);
//!
//! impl Visitor for RunAll<'_> {
//!     fn visit<A: Algorithm>(&mut self) {
//!         let options = A::Options::default();
//!         let loaded = LoadedGraph::new(&Device::Cpu.open().unwrap(), self.0).unwrap();
//!         let (_, verification) = A::run(&loaded, &options).unwrap();
//!         self.1 += usize::from(verification.verdict.is_proved());
//!     }
//! }
//!
//! let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
//! let mut all = RunAll(&graph, 0);
//! each(&mut all);
//! assert!(all.1 > 8);
//! # Ok::<(), Error>(())
//! ```

mod cost;
pub(crate) mod help;
mod list;
mod report;
mod search;
mod sweep;
mod verdict;

use std::borrow::Cow;

use equipoise_graph::{Graph, WeightType, Weights};
use equipoise_schedule::device::OpenDevice;

pub(crate) use self::search::STOPPED;
pub use self::{
    cost::{Cost, Gpus},
    help::PAPERS,
    list::{Visitor, each},
    report::{Column, Report, Table, Value, Values},
    search::{GpuArray, OnGpu, SearchOptions, SearchResult, SearchTree, largest_degree},
    sweep::Sweep,
    verdict::{Verdict, Verification, verifies_by_default},
};
use crate::{Error, LoadedGraph, Result, Times, Trace};

/// An algorithm on graphs, implemented by its result type.
///
/// ```
/// use equipoise::algorithm::{Algorithm, Verdict};
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::kcore::{KCore, KCoreOptions};
/// use equipoise::{LoadedGraph, device::Device};
///
/// let graph = load("complete:n=5", &ReadOptions::default())?;
/// let options = KCoreOptions::default();
/// let cores = KCore::find(&LoadedGraph::new(&Device::Cpu.open()?, &graph)?, &options)?;
/// assert!(matches!(cores.check(&graph, &options)?, Verdict::Proved { .. }));
/// assert_eq!(KCore::NAME, "kcore");
/// # Ok::<(), equipoise::Error>(())
/// ```
pub trait Algorithm: Sized + Send + Sync + 'static {
    /// The name on the command line, in Python and in JSON.
    const NAME: &'static str;
    /// A summary in one line, for help and indexes.
    const SUMMARY: &'static str;
    /// Example arguments of the command.
    const EXAMPLES: &'static [&'static str];
    /// Whether the result is one value per vertex or edge, which can be written as a NumPy array.
    const HAS_ARRAY: bool = true;
    /// Whether the program has a command of its own for the algorithm, with other options and output than the common ones.
    const HAS_OWN_COMMAND: bool = false;
    /// Whether the algorithm can run from some [sources](Self::sources) only.
    const CAN_SAMPLE: bool = false;
    /// Whether a [subgraph](Self::subgraph) can be written.
    const HAS_SUBGRAPH: bool = false;
    /// The columns of a search from a vertex, distances first; `None` for other algorithms. Searches have
    /// [options](Self::search_options) in common, and their results have a [tree](Self::tree).
    const SEARCH_COLUMNS: Option<[&'static str; 2]> = None;
    /// The most searches that a GPU does in one pass.
    const BATCH: usize = 1;
    /// The option for the file of the [side table](Self::side_table), and its help.
    const SIDE_TABLE: Option<(&'static str, &'static str)> = None;

    /// The options of a user.
    type Options: Options;

    /// Runs the algorithm on the device of a graph. A search starts from the vertex of the largest degree.
    fn find(graph: &LoadedGraph<'_>, options: &Self::Options) -> Result<Self>;

    /// Runs a search from each source, in batches if possible. Results stay on the device.
    ///
    /// Fails if the algorithm is not a [search](Self::SEARCH_COLUMNS).
    fn find_from<'g>(
        _graph: &'g LoadedGraph<'_>,
        _sources: &[u32],
        _options: &Self::Options,
    ) -> Result<Vec<Box<dyn SearchResult<Self> + 'g>>> {
        Err(Error::Option(format!("`{}` starts from no vertex", Self::NAME)))
    }

    /// Verifies the result. Fails if it is wrong.
    fn check(&self, graph: &Graph, options: &Self::Options) -> Result<Verdict>;

    /// Verifies the result on the device of the graph, by the same rules. Fails if it is wrong.
    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &Self::Options) -> Result<Verdict> {
        self.check(graph.graph(), options)
    }

    /// Verifies the result on the device if [that is faster](LoadedGraph::checks_in_place), and else on the host.
    fn check_where_fast(
        &self,
        graph: &LoadedGraph<'_>,
        options: &Self::Options,
    ) -> Result<Verdict> {
        if graph.checks_in_place() {
            self.check_in_place(graph, options)
        } else {
            self.check(graph.graph(), options)
        }
    }

    /// Runs the algorithm as [`find`](Self::find) does, and verifies the result unless the environment variable
    /// `EQUIPOISE_VERIFY` switches that [off](verifies_by_default).
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), and if the result is wrong.
    fn run(graph: &LoadedGraph<'_>, options: &Self::Options) -> Result<(Self, Verification)> {
        let result = Self::find(graph, options)?;
        let verification = if verifies_by_default() {
            Verification::of(|| result.check_where_fast(graph, options))?
        } else {
            Verification::off("switched off by EQUIPOISE_VERIFY")
        };
        Ok((result, verification))
    }

    /// The estimated work of a run, by which `--device auto` chooses.
    fn cost(graph: &Graph, options: &Self::Options) -> Cost;

    /// The options with ids resolved to vertices, and models read from their files.
    fn resolve(options: Self::Options, _graph: &Graph) -> Result<Self::Options> {
        Ok(options)
    }

    /// The options with a named array from Python; `None` for unknown names.
    fn with_array(
        _options: &Self::Options,
        _name: &str,
        _values: Vec<f64>,
    ) -> Option<Self::Options> {
        None
    }

    /// Whether the result is the same on every device, so that the program may choose one.
    fn runs_anywhere(_options: &Self::Options) -> bool {
        true
    }

    /// Named lines that are printed before the run.
    fn settings(_options: &Self::Options) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Runs to compare instead of a single run, if the options request them.
    fn sweep(_options: &Self::Options) -> Result<Option<Sweep<Self::Options>>> {
        Ok(None)
    }

    /// Where the time went.
    fn times(&self) -> Times;

    /// The steps of the run.
    fn trace(&self) -> &Trace;

    /// The headings of a table of steps.
    fn step_names(options: &Self::Options) -> StepNames;

    /// The output for the screen, files and Python.
    fn report(&self, graph: &Graph, options: &Self::Options) -> Report<'_>;

    /// A warning about a correct, but possibly unexpected result.
    fn warning(&self, _options: &Self::Options) -> Option<String> {
        None
    }

    /// The sources in the options, if the algorithm [can sample](Self::CAN_SAMPLE).
    fn sources(_options: &mut Self::Options) -> Option<&mut Option<Vec<u32>>> {
        None
    }

    /// The common options of searches.
    fn search_options(_options: &mut Self::Options) -> Option<SearchOptions<'_>> {
        None
    }

    /// The paths of a search.
    fn tree(&self) -> Option<SearchTree<'_>> {
        None
    }

    /// A subgraph and its name, if the algorithm [has one](Self::HAS_SUBGRAPH).
    fn subgraph(
        &self,
        _graph: &Graph,
        _options: &Self::Options,
    ) -> Option<Result<(String, Graph)>> {
        None
    }

    /// Additional rows, if the algorithm [has them](Self::SIDE_TABLE).
    fn side_table(&self, _graph: &Graph) -> Result<Option<Table<'_>>> {
        Ok(None)
    }

    /// The names and the options of the self-test's runs on the CPU or on a GPU.
    fn tests(on_gpu: bool) -> Vec<(&'static str, Self::Options)>;

    /// The graph of a test, derived from any graph; `None` if the algorithm does not support such a graph.
    fn test_graph<'a>(
        graph: &'a Graph,
        _options: &Self::Options,
    ) -> Result<Option<Cow<'a, Graph>>> {
        Ok(Some(Cow::Borrowed(graph)))
    }

    /// The types of weights of a test's graphs; `Auto` keeps the weights.
    fn test_weights(
        _options: &Self::Options,
        _device: &OpenDevice,
        _are_large: bool,
    ) -> Vec<WeightType> {
        vec![WeightType::Auto]
    }

    /// The options with which the CPU must find the same result.
    fn reference(&self, options: &Self::Options) -> Self::Options {
        options.clone()
    }

    /// A forbidden difference between the result of a test and that of the CPU.
    fn difference(&self, reference: &Self, options: &Self::Options) -> Option<String>;
}

/// The options of an algorithm. With the features `clap` and `serde`, they are also arguments and JSON.
pub trait Options:
    Clone + Default + Send + Sync + std::fmt::Debug + ProgramOptions + 'static
{
}
impl<T: Clone + Default + Send + Sync + std::fmt::Debug + ProgramOptions + 'static> Options for T {}

/// Arguments and JSON, with the features `clap` and `serde`.
#[cfg(all(feature = "clap", feature = "serde"))]
pub trait ProgramOptions: clap::Args + serde::Serialize + serde::de::DeserializeOwned {}
#[cfg(all(feature = "clap", feature = "serde"))]
impl<T: clap::Args + serde::Serialize + serde::de::DeserializeOwned> ProgramOptions for T {}

/// Arguments and JSON, with the features `clap` and `serde`.
#[cfg(not(all(feature = "clap", feature = "serde")))]
pub trait ProgramOptions {}
#[cfg(not(all(feature = "clap", feature = "serde")))]
impl<T> ProgramOptions for T {}

/// The first vertex with the largest value, and that value.
pub(crate) fn largest_of(values: &[f64]) -> Option<(u32, f64)> {
    let larger = |best: (u32, f64), next: (u32, f64)| if next.1 > best.1 { next } else { best };
    (0..).zip(values.iter().copied()).reduce(larger)
}

/// A graph with positive weights, symmetric and with many ties.
pub(crate) fn with_test_weights(graph: &Graph) -> Result<Cow<'_, Graph>> {
    let weight = |a: u32, b: u32| 1 + a.min(b).wrapping_mul(31).wrapping_add(a.max(b)) % 1009;
    let weights: Vec<u32> = (0..graph.vertices())
        .flat_map(|a| graph.neighbors(a).iter().map(move |&b| weight(a, b)))
        .collect();
    Ok(Cow::Owned(graph.clone().with_weights(Some(Weights::from(weights)))?))
}

/// The headings of a table of steps.
///
/// ```
/// use equipoise::algorithm::{Algorithm, StepNames};
/// use equipoise::mis::{Mis, MisOptions};
///
/// let StepNames { index, .. } = Mis::step_names(&MisOptions::default());
/// assert_eq!(index, "round");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepNames {
    /// The heading of step indices, such as `level`.
    pub index: &'static str,
    /// The heading of strategies, such as `direction`.
    pub strategy: &'static str,
    /// The heading of the vertices processed, such as `frontier`.
    pub frontier: &'static str,
    /// The heading of results, such as `found`.
    pub found: &'static str,
}
