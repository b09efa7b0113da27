//! How to find communities.

use std::path::PathBuf;

use equipoise_graph::Graph;

use crate::{Error, Result, limits::within};

equipoise_graph::named_enum! {
    /// How communities are found.
    ///
    /// ```
    /// use equipoise::communities::CommunitiesStrategy;
    ///
    /// assert_eq!("louvain".parse(), Ok(CommunitiesStrategy::Louvain));
    /// ```
    #[derive(Default)]
    pub enum CommunitiesStrategy("communities strategy") {
        /// Louvain.
        #[default]
        Auto = "auto",
        /// Vertices move to communities as long as the objective rises, level by level.
        Louvain = "louvain",
        /// Louvain with communities that are connected: before communities become vertices, each is built anew from its vertices.
        Leiden = "leiden",
        /// Vertices take the label that most of their neighbours have.
        LabelPropagation = "label-propagation",
    }
}

equipoise_graph::named_enum! {
    /// What communities maximise.
    ///
    /// ```
    /// use equipoise::communities::CommunitiesObjective;
    ///
    /// assert_eq!("cpm".parse(), Ok(CommunitiesObjective::Cpm));
    /// ```
    #[derive(Default)]
    pub enum CommunitiesObjective("communities objective") {
        /// Modularity: edges within communities, compared with a random graph with the same degrees.
        #[default]
        Modularity = "modularity",
        /// Modularity of a directed graph: edges within communities, compared with a random graph in which as many edges leave and
        /// enter each vertex.
        DirectedModularity = "directed-modularity",
        /// The constant Potts model: edges within communities, less the resolution for each pair of their vertices.
        Cpm = "cpm",
    }
}

/// How to find communities.
///
/// ```
/// use equipoise::communities::CommunitiesOptions;
///
/// let options = CommunitiesOptions { resolution: 0.5, ..CommunitiesOptions::default() };
/// assert_eq!((options.seed, options.max_iterations), (1, 100));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CommunitiesOptions {
    /// How communities are found.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: CommunitiesStrategy,
    /// What louvain and leiden maximise.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub objective: CommunitiesObjective,
    /// Less than 1 favors large communities, more than 1 small ones. By cpm: the density that communities exceed within, and
    /// not between them.
    #[cfg_attr(feature = "clap", arg(long, value_name = "R", default_value_t = 1.0))]
    pub resolution: f64,
    /// Louvain and leiden end when communities that each join their best neighbour gain no more modularity than this, or no
    /// more cpm as a share of all weight.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = 1e-7))]
    pub tolerance: f64,
    /// The most sweeps over all vertices: of a level by louvain and leiden, in all by label propagation.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 100))]
    pub max_iterations: u32,
    /// The seed of the order of vertices and, for label propagation, of the choice between equally frequent labels.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 1))]
    pub seed: u64,
    /// The most vertices of a community by louvain and leiden; 0 is no limit.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
    pub max_community_size: u32,
    /// The community of each vertex that louvain and leiden start from; equal numbers are one community.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub initial: Option<Vec<u32>>,
    /// Start louvain and leiden from FILE, with a vertex and its community per line, as --output writes them.
    #[cfg_attr(feature = "clap", arg(long = "initial", value_name = "FILE"))]
    #[cfg_attr(
        feature = "serde",
        serde(rename = "initial", skip_serializing_if = "Option::is_none")
    )]
    pub initial_file: Option<PathBuf>,
    /// Also output the communities after each level of louvain and leiden.
    #[cfg_attr(feature = "clap", arg(long = "levels", id = "level_columns"))]
    pub levels: bool,
}

impl Default for CommunitiesOptions {
    fn default() -> Self {
        Self {
            strategy: CommunitiesStrategy::default(),
            objective: CommunitiesObjective::default(),
            resolution: 1.0,
            tolerance: 1e-7,
            max_iterations: 100,
            seed: 1,
            max_community_size: 0,
            initial: None,
            initial_file: None,
            levels: false,
        }
    }
}

impl CommunitiesOptions {
    /// Fails if a number is out of range, an option has no meaning for the strategy, or `initial` does not fit the graph.
    pub(super) fn check(&self, graph: &Graph) -> Result<()> {
        within("resolution", self.resolution, 0.0..=MOST_RESOLUTION)?;
        within("tolerance", self.tolerance, 0.0..=1.0)?;
        within("max-iterations", self.max_iterations, 1..=u32::MAX)?;
        self.check_strategy()?;
        let Some(initial) = &self.initial else { return Ok(()) };
        let vertices = graph.vertices();
        if initial.len() as u64 != u64::from(vertices) {
            let count = initial.len();
            return Err(Error::Shape(format!("{count} initial communities, {vertices} vertices")));
        }
        Ok(())
    }

    fn check_strategy(&self) -> Result<()> {
        if self.strategy != CommunitiesStrategy::LabelPropagation {
            return Ok(());
        }
        let given = [
            ("objective", self.objective != CommunitiesObjective::Modularity),
            ("max-community-size", self.max_community_size != 0),
            ("initial", self.initial.is_some()),
            ("levels", self.levels),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Error::Option(format!(
                "`{option}` is for louvain and leiden, not for label-propagation"
            ))),
        }
    }

    /// Whether Louvain and Leiden on a GPU take these options.
    pub(super) fn fit_gpu(&self) -> bool {
        self.objective == CommunitiesObjective::Modularity && self.max_community_size == 0
    }
}

/// At much smaller resolutions, every vertex is already a community.
const MOST_RESOLUTION: f64 = 1e9;
