//! The features of a step of a graph traversal, as Verstraaten et al. have them ("Using Graph
//! Properties to Speed-up GPU-based Graph Traversal", 2017), and the edges of the frontier.
//!
//! | feature | what it is |
//! | --- | --- |
//! | `vertices`, `edges` | of the graph; edges as a device stores them: both directions of an undirected one |
//! | `frontier`, `frontier_relative` | vertices in the frontier, and as a share of all |
//! | `frontier_edges`, `frontier_edges_relative` | edges that leave the frontier's vertices, and as a share of all (not in the paper) |
//! | `discovered`, `discovered_relative` | vertices reached so far, the frontier's among them, and as a share of all |
//! | `out_degree_*`, `in_degree_*`, `degree_*` | the distribution of degrees: `min`, `lower_quartile`, `median`, `upper_quartile`, `max`, `mean`, `deviation`; `degree_*` is of out- and in-degree together |

/// How many features there are.
///
/// ```
/// use equipoise_select::features;
///
/// assert_eq!(features::NAMES.len(), features::COUNT);
/// ```
pub const COUNT: usize = 29;

/// The names of the features, in the order of [`GraphShape::at`].
///
/// ```
/// assert_eq!(equipoise_select::features::NAMES[0], "vertices");
/// ```
pub const NAMES: [&str; COUNT] = [
    "vertices",
    "edges",
    "frontier",
    "frontier_relative",
    "frontier_edges",
    "frontier_edges_relative",
    "discovered",
    "discovered_relative",
    "out_degree_min",
    "out_degree_lower_quartile",
    "out_degree_median",
    "out_degree_upper_quartile",
    "out_degree_max",
    "out_degree_mean",
    "out_degree_deviation",
    "in_degree_min",
    "in_degree_lower_quartile",
    "in_degree_median",
    "in_degree_upper_quartile",
    "in_degree_max",
    "in_degree_mean",
    "in_degree_deviation",
    "degree_min",
    "degree_lower_quartile",
    "degree_median",
    "degree_upper_quartile",
    "degree_max",
    "degree_mean",
    "degree_deviation",
];

/// A distribution of degrees.
///
/// ```
/// let degrees = equipoise_select::features::Distribution { mean: 2.0, max: 9.0, ..Default::default() };
/// assert_eq!(degrees.min, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The least.
    pub min: f32,
    /// A quarter are at most this.
    pub lower_quartile: f32,
    /// Half are at most this.
    pub median: f32,
    /// Three quarters are at most this.
    pub upper_quartile: f32,
    /// The greatest.
    pub max: f32,
    /// The mean.
    pub mean: f32,
    /// The standard deviation.
    pub deviation: f32,
}

impl Distribution {
    fn values(&self) -> [f32; 7] {
        let Self { min, lower_quartile, median, upper_quartile, max, mean, deviation } = *self;
        [min, lower_quartile, median, upper_quartile, max, mean, deviation]
    }
}

/// What stays the same through all steps on a graph.
///
/// ```
/// use equipoise_select::features::{GraphShape, NAMES, Step};
///
/// let graph = GraphShape { vertices: 1000, edges: 5000, ..GraphShape::default() };
/// let features = graph.at(&Step { frontier: 20, frontier_edges: 90, discovered: 250 });
/// let value = |name| features[NAMES.iter().position(|known| *known == name).unwrap()];
/// assert_eq!(value("frontier_relative"), 0.02);
/// assert_eq!(value("frontier_edges_relative"), 0.018);
/// assert_eq!(value("discovered_relative"), 0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraphShape {
    /// How many vertices it has.
    pub vertices: u64,
    /// How many edges a device stores of it.
    pub edges: u64,
    /// Edges that leave a vertex.
    pub out_degrees: Distribution,
    /// Edges that lead to a vertex.
    pub in_degrees: Distribution,
    /// Both together.
    pub degrees: Distribution,
}

/// Where a traversal stands before a step.
///
/// ```
/// let first = equipoise_select::features::Step { frontier: 1, frontier_edges: 3, discovered: 1 };
/// assert_eq!(first.frontier, first.discovered);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Vertices in the frontier.
    pub frontier: u64,
    /// Edges that leave them.
    pub frontier_edges: u64,
    /// Vertices reached so far, the frontier's among them.
    pub discovered: u64,
}

impl GraphShape {
    /// The features of a step, in the order of [`NAMES`]. Allocates nothing.
    pub fn at(&self, step: &Step) -> [f32; COUNT] {
        let relative = |count: u64, all: u64| (count as f64 / all.max(1) as f64) as f32;
        let mut features = [0.0; COUNT];
        features[..8].copy_from_slice(&[
            self.vertices as f32,
            self.edges as f32,
            step.frontier as f32,
            relative(step.frontier, self.vertices),
            step.frontier_edges as f32,
            relative(step.frontier_edges, self.edges),
            step.discovered as f32,
            relative(step.discovered, self.vertices),
        ]);
        features[8..15].copy_from_slice(&self.out_degrees.values());
        features[15..22].copy_from_slice(&self.in_degrees.values());
        features[22..].copy_from_slice(&self.degrees.values());
        features
    }
}
