//! Explanations of what a learned model chooses for a graph or matrix.
//!
//! ```
//! use equipoise::explain::{Explainable, Explainer};
//! use equipoise::graph::{io::ReadOptions, load};
//!
//! let graph = load("star:n=50", &ReadOptions::default())?;
//! let model = Explainable::Bfs.embedded_model(true)?;
//! for choice in Explainer::new(&graph, Explainable::Bfs, &model)?.explain(0)? {
//!     println!("{}", choice.sentence);
//! }
//! # Ok::<(), equipoise::Error>(())
//! ```

use equipoise_graph::{Graph, Matrix};
use equipoise_select::{
    CandidateSet, Chooser, Model, Reason,
    features::{self, GraphShape, Step},
};

use crate::{
    Error, Result,
    bfs::{BfsOptions, bfs},
    color::ColorCandidate,
    sparse::MatrixFeatures,
    sssp::SsspCandidate,
    traversal::{graph_shape, level_steps},
    tree::check_vertex,
};

equipoise_graph::named_enum! {
    /// An algorithm that a model chooses for.
    ///
    /// ```
    /// use equipoise::explain::Explainable;
    ///
    /// assert_eq!("color".parse(), Ok(Explainable::Color));
    /// ```
    #[derive(Default)]
    pub enum Explainable("algorithm that a model chooses for") {
        /// Breadth-first search: the strategy of each level.
        #[default]
        Bfs = "bfs",
        /// Shortest paths: the strategy, and the width of its steps.
        Sssp = "sssp",
        /// Coloring: the strategy.
        Color = "color",
        /// Sparse matrix times vector: the schedule.
        Spmv = "spmv",
    }
}

impl Explainable {
    /// The names of the features that its models may read, in the order of their values.
    fn features(self) -> Vec<&'static str> {
        match self {
            Self::Bfs => features::NAMES.to_vec(),
            Self::Sssp => SsspCandidate::feature_names(),
            Self::Color => ColorCandidate::feature_names(),
            Self::Spmv => MatrixFeatures::NAMES.to_vec(),
        }
    }

    /// The model built into the library, for a GPU or for the cpu.
    ///
    /// Fails where the library has none.
    ///
    /// ```
    /// use equipoise::explain::Explainable;
    ///
    /// assert_eq!(Explainable::Bfs.embedded_model(false)?.description().device, "cpu");
    /// assert!(Explainable::Color.embedded_model(false).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn embedded_model(self, on_gpu: bool) -> Result<Model> {
        let kind = if on_gpu { "gpu" } else { "cpu" };
        let model = Model::embedded(self.name(), kind).cloned();
        let missing = || Error::Option(format!("no model for `{self}` on a {kind} is built in"));
        self.aligned(model.ok_or_else(missing)?)
    }

    /// The model with its features in this algorithm's order.
    ///
    /// Fails where the model is for another algorithm, or reads unknown features.
    ///
    /// ```
    /// use equipoise::explain::Explainable;
    ///
    /// let model = Explainable::Bfs.embedded_model(true)?;
    /// assert!(Explainable::Sssp.aligned(model).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn aligned(self, model: Model) -> Result<Model> {
        let about = model.description();
        if about.algorithm != self.name() {
            return Err(Error::Option(format!(
                "the model is for `{}`, not for `{self}`",
                about.algorithm
            )));
        }
        let candidates = about.candidates.clone();
        Ok(model.aligned(&self.features(), &candidates)?)
    }
}

/// A model's choice, and the reason.
///
/// ```
/// use equipoise::explain::{Explainable, Explainer};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("path:n=9", &ReadOptions::default())?;
/// let model = Explainable::Color.embedded_model(true)?;
/// let choices = Explainer::new(&graph, Explainable::Color, &model)?.explain(0)?;
/// assert!(choices[0].sentence.contains(&choices[0].strategy));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Choice {
    /// The frontier's vertices, where a search chooses once per level.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub frontier: Option<u64>,
    /// The chosen candidate.
    pub strategy: String,
    /// `predicted`, `kept`, `first` or `substituted`.
    pub reason: &'static str,
    /// The choice and its reason as a sentence.
    pub sentence: String,
}

/// Explains a model's choices for a graph: one per level of a breadth-first search, which runs on the cpu to find the
/// levels, otherwise one. All candidates count as available, whatever memory they need.
///
/// ```
/// use equipoise::explain::{Explainable, Explainer};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("path:n=9", &ReadOptions::default())?;
/// let model = Explainable::Bfs.embedded_model(true)?;
/// let explainer = Explainer::new(&graph, Explainable::Bfs, &model)?;
/// assert_eq!(explainer.explain(0)?.len(), 9);
/// assert_eq!(explainer.explain(4)?.len(), 5);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct Explainer<'a> {
    graph: &'a Graph,
    algorithm: Explainable,
    model: Model,
    shape: GraphShape,
}

impl<'a> Explainer<'a> {
    /// An explainer of a model's choices for a graph.
    ///
    /// Fails where the model is for another algorithm, and for products: [`explain_matrix`] explains those.
    ///
    /// ```
    /// use equipoise::explain::{Explainable, Explainer};
    /// use equipoise::graph::{io::ReadOptions, load};
    ///
    /// let graph = load("path:n=9", &ReadOptions::default())?;
    /// let model = Explainable::Spmv.embedded_model(true)?;
    /// assert!(Explainer::new(&graph, Explainable::Spmv, &model).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn new(graph: &'a Graph, algorithm: Explainable, model: &Model) -> Result<Self> {
        if algorithm == Explainable::Spmv {
            let problem = "products are explained for a matrix, not for a graph";
            return Err(Error::Option(problem.into()));
        }
        let model = algorithm.aligned(model.clone())?;
        Ok(Self { graph, algorithm, model, shape: graph_shape(graph)? })
    }

    /// The model's choices for a search from `source`; coloring ignores it.
    ///
    /// Fails where a search's source is not a vertex of the graph.
    ///
    /// ```
    /// use equipoise::explain::{Explainable, Explainer};
    /// use equipoise::graph::{io::ReadOptions, load};
    ///
    /// let graph = load("path:n=9", &ReadOptions::default())?;
    /// let model = Explainable::Sssp.embedded_model(true)?;
    /// let explainer = Explainer::new(&graph, Explainable::Sssp, &model)?;
    /// assert_eq!(explainer.explain(8)?.len(), 1);
    /// assert!(explainer.explain(9).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn explain(&self, source: u32) -> Result<Vec<Choice>> {
        let Self { graph, model, shape, .. } = self;
        let once = |what: &str, features: &[f32]| {
            Ok(vec![chosen(what, features, model, &mut chooser(model)?)])
        };
        match self.algorithm {
            Explainable::Sssp => {
                check_vertex(graph, source)?;
                once("the search", &SsspCandidate::features(graph, shape, source)?)
            }
            Explainable::Color => once("the graph", &ColorCandidate::features(shape)),
            _ => {
                let mut chooser = chooser(model)?;
                let levels = bfs(graph, source, &BfsOptions::default())?.levels;
                let steps = level_steps(graph, &levels).into_iter().enumerate();
                let choice = |(level, step): (usize, Step)| {
                    let what = format!("level {level}");
                    let choice = chosen(&what, &shape.features(&step), model, &mut chooser);
                    Choice { frontier: Some(step.frontier), ..choice }
                };
                Ok(steps.map(choice).collect())
            }
        }
    }
}

/// The model's choice for the products of a matrix with vectors.
///
/// Fails where the model is for another algorithm.
///
/// ```
/// use equipoise::explain::{Explainable, explain_matrix};
/// use equipoise::graph::{io::ReadOptions, load_matrix};
///
/// let matrix = load_matrix::<f32>("blocks:rows=9,columns=9", &ReadOptions::default())?;
/// let model = Explainable::Spmv.embedded_model(true)?;
/// assert!(explain_matrix(&matrix, &model)?.sentence.starts_with("the matrix "));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn explain_matrix(matrix: &Matrix<f32>, model: &Model) -> Result<Choice> {
    let model = &Explainable::Spmv.aligned(model.clone())?;
    let features = MatrixFeatures::new(matrix).values();
    Ok(chosen("the matrix", &features, model, &mut chooser(model)?))
}

/// A chooser from all candidates of a model.
fn chooser(model: &Model) -> Result<Chooser<'_>> {
    Ok(Chooser::new(model, CandidateSet::all(model.description().candidates.len()))?)
}

fn chosen(what: &str, features: &[f32], model: &Model, chooser: &mut Chooser) -> Choice {
    let choice = chooser.choose(features);
    let explanation = model.explain(features);
    let strategy = model.candidate(choice.candidate).to_owned();
    let (reason, sentence) = match choice.reason {
        Reason::Predicted => ("predicted", format!("gets {explanation}")),
        Reason::Kept => ("kept", format!("stays with `{strategy}`; the model says {explanation}")),
        Reason::First => ("first", format!("gets `{strategy}`; the model says {explanation}")),
        Reason::Substituted => {
            ("substituted", format!("gets `{strategy}`; not available is {explanation}"))
        }
    };
    Choice { frontier: None, strategy, reason, sentence: format!("{what} {sentence}") }
}
