//! The candidates among which a model for shortest paths chooses.

use std::{fmt, str::FromStr};

use equipoise_graph::Graph;
use equipoise_select::{Model, features::GraphShape};

use super::{SsspOptions, features, prepare::automatic_delta};
use crate::{Error, Result, learned, traversal::Strategy, tree::check_vertex};

/// A width larger than any distance: all vertices are in one step.
pub(crate) const BEYOND_ALL: f64 = f32::MAX as f64;

/// The width of the steps of a strategy in the order of distances.
///
/// ```
/// use equipoise::sssp::{SsspCandidate, SsspWidth};
///
/// let candidate: SsspCandidate = "near-far+64".parse()?;
/// assert_eq!(candidate.width, Some(SsspWidth::Times(64)));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SsspWidth {
    /// This multiple of the mean weight divided by the mean degree.
    Times(u32),
    /// Larger than any distance.
    All,
    /// Adapted by the device during the search.
    Adaptive,
}

/// A strategy for a whole search, with the width of its steps if it has steps.
///
/// ```
/// use equipoise::{sssp::SsspCandidate, traversal::Strategy};
///
/// let candidate: SsspCandidate = "near-far+all".parse()?;
/// assert_eq!(candidate.strategy, Strategy::NearFar);
/// assert_eq!("merge-path".parse::<SsspCandidate>()?.to_string(), "merge-path");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SsspCandidate {
    /// The strategy.
    pub strategy: Strategy,
    /// The width of its steps, if it is in the order of distances.
    pub width: Option<SsspWidth>,
}

impl SsspCandidate {
    /// The candidates on a GPU.
    ///
    /// ```
    /// use equipoise::sssp::SsspCandidate;
    ///
    /// // Eight widths, no order, adaptive, and four strategies for an iteration.
    /// assert_eq!(SsspCandidate::of_gpu().len(), 8 + 1 + 1 + 4);
    /// ```
    pub fn of_gpu() -> Vec<Self> {
        use Strategy::{Decompose, EdgeTopology, MergePath, NearFar, Node};
        let times = (2..10).map(|power| SsspWidth::Times(1 << power));
        let widths = times.chain([SsspWidth::All, SsspWidth::Adaptive]);
        let ordered = widths.map(|width| Self { strategy: NearFar, width: Some(width) });
        ordered.chain([Node, Decompose, MergePath, EdgeTopology].map(Self::without_width)).collect()
    }

    /// The candidates on the cpu.
    ///
    /// ```
    /// use equipoise::sssp::SsspCandidate;
    ///
    /// let names: Vec<String> = SsspCandidate::of_cpu().iter().map(|it| it.to_string()).collect();
    /// assert_eq!((&names[0][..], &names[8][..]), ("delta+1", "dijkstra"));
    /// ```
    pub fn of_cpu() -> Vec<Self> {
        let widths = (0..8).map(|power| Some(SsspWidth::Times(1 << power)));
        let ordered = widths.map(|width| Self { strategy: Strategy::Delta, width });
        ordered.chain([Self::without_width(Strategy::Dijkstra)]).collect()
    }

    /// The candidates on any device.
    ///
    /// ```
    /// use equipoise::sssp::SsspCandidate;
    ///
    /// assert!(SsspCandidate::all().iter().all(|it| it.to_string().parse::<SsspCandidate>().is_ok()));
    /// ```
    pub fn all() -> Vec<Self> {
        Self::of_gpu().into_iter().chain(Self::of_cpu()).collect()
    }

    fn without_width(strategy: Strategy) -> Self {
        Self { strategy, width: None }
    }

    /// These options, with the strategy and the width of the candidate on a graph.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspCandidate, SsspOptions}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 6u32), (1, 2, 10)]))?;
    /// let candidate: SsspCandidate = "delta+4".parse()?;
    /// assert_eq!(candidate.options(&graph, &SsspOptions::default()).delta, Some(32.0));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn options(&self, graph: &Graph, base: &SsspOptions) -> SsspOptions {
        let delta = match self.width {
            Some(SsspWidth::Times(times)) => Some(f64::from(times) * automatic_delta(graph)),
            Some(SsspWidth::All) => Some(BEYOND_ALL),
            Some(SsspWidth::Adaptive) | None => None,
        };
        SsspOptions {
            strategy: self.strategy,
            delta,
            adaptive: self.width == Some(SsspWidth::Adaptive),
            plan: None,
            model: None,
            ..base.clone()
        }
    }

    /// The names of the features that a model reads: of the graph's shape, its weights and the source.
    ///
    /// ```
    /// assert!(equipoise::sssp::SsspCandidate::feature_names().contains(&"source_degree"));
    /// ```
    pub fn feature_names() -> Vec<&'static str> {
        features::names()
    }

    /// The features of a search of a graph with this shape, in the order of [`feature_names`](Self::feature_names).
    ///
    /// Fails where the source is not one of the graph's vertices.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::SsspCandidate, traversal::graph_shape};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (0, 2, 5)]))?;
    /// let features = SsspCandidate::features(&graph, &graph_shape(&graph)?, 0)?;
    /// let names = SsspCandidate::feature_names();
    /// let degree = names.iter().position(|&name| name == "source_degree").unwrap();
    /// assert_eq!((features.len(), features[degree]), (names.len(), 2.0));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn features(graph: &Graph, shape: &GraphShape, source: u32) -> Result<Vec<f32>> {
        check_vertex(graph, source)?;
        Ok(features::values(graph, shape, source))
    }

    /// A model for shortest paths, with the [features](Self::feature_names) of searches and these
    /// candidates, in their order.
    ///
    /// Fails where the model is for another algorithm, or has other features or candidates.
    ///
    /// ```
    /// use equipoise::{explain::Explainable, sssp::SsspCandidate};
    ///
    /// let of_bfs = Explainable::Bfs.embedded_model(true)?;
    /// let error = SsspCandidate::align(&of_bfs, &SsspCandidate::of_gpu()).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `bfs`, not for `sssp`");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn align(model: &Model, candidates: &[Self]) -> Result<Model> {
        let names: Vec<String> = candidates.iter().map(Self::to_string).collect();
        learned::align(model, "sssp", &features::names(), &names)
    }
}

impl fmt::Display for SsspCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = match self.width {
            None => String::new(),
            Some(SsspWidth::Times(times)) => format!("+{times}"),
            Some(SsspWidth::All) => "+all".into(),
            Some(SsspWidth::Adaptive) => "+adaptive".into(),
        };
        f.pad(&format!("{}{width}", self.strategy))
    }
}

impl FromStr for SsspCandidate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        learned::named(text, &Self::all())
    }
}
