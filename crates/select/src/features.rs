//! The features of a traversal step: those of Verstraaten et al. ("Using Graph Properties to
//! Speed-up GPU-based Graph Traversal", 2017), and the edges of the frontier.
//!
//! | feature | meaning |
//! | --- | --- |
//! | `vertices`, `edges` | size of the graph; edges as stored on a device: both directions of an undirected edge |
//! | `frontier`, `frontier_relative` | vertices in the frontier, absolute and as a share of all vertices |
//! | `frontier_edges`, `frontier_edges_relative` | edges that leave the frontier, absolute and as a share of all edges (not in the paper) |
//! | `discovered`, `discovered_relative` | vertices reached so far, including the frontier, absolute and as a share of all vertices |
//! | `out_degree_*`, `in_degree_*`, `degree_*` | distribution of degrees: `min`, `lower_quartile`, `median`, `upper_quartile`, `max`, `mean`, `deviation`; `degree_*` is out-degree plus in-degree |

/// The number of features.
///
/// ```
/// use equipoise_select::features;
///
/// assert_eq!(features::NAMES.len(), features::COUNT);
/// ```
pub const COUNT: usize = 29;

/// The names of the features, in the order of [`GraphShape::features`].
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

/// The distribution of the degrees of a graph.
///
/// ```
/// let degrees = equipoise_select::features::Distribution { mean: 2.0, max: 9.0, ..Default::default() };
/// assert_eq!(degrees.min, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The minimum.
    pub min: f32,
    /// The lower quartile.
    pub lower_quartile: f32,
    /// The median.
    pub median: f32,
    /// The upper quartile.
    pub upper_quartile: f32,
    /// The maximum.
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

/// The features that are constant for a graph: its size and its degrees.
///
/// ```
/// use equipoise_select::features::{GraphShape, NAMES, Step};
///
/// let graph = GraphShape { vertices: 1000, edges: 5000, ..GraphShape::default() };
/// let features = graph.features(&Step { frontier: 20, frontier_edges: 90, discovered: 250 });
/// let value = |name| features[NAMES.iter().position(|known| *known == name).unwrap()];
/// assert_eq!(value("frontier_relative"), 0.02);
/// assert_eq!(value("frontier_edges_relative"), 0.018);
/// assert_eq!(value("discovered_relative"), 0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraphShape {
    /// The number of vertices.
    pub vertices: u64,
    /// The number of edges stored on a device.
    pub edges: u64,
    /// The distribution of out-degrees.
    pub out_degrees: Distribution,
    /// The distribution of in-degrees.
    pub in_degrees: Distribution,
    /// The distribution of the sums of out-degree and in-degree.
    pub degrees: Distribution,
}

/// The state of a traversal before a step.
///
/// ```
/// let first = equipoise_select::features::Step { frontier: 1, frontier_edges: 3, discovered: 1 };
/// assert_eq!(first.frontier, first.discovered);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The number of vertices in the frontier.
    pub frontier: u64,
    /// The number of edges that leave the frontier.
    pub frontier_edges: u64,
    /// The number of vertices reached so far, including the frontier.
    pub discovered: u64,
}

impl GraphShape {
    /// The features of a step, in the order of [`NAMES`]. Allocates nothing.
    pub fn features(&self, step: &Step) -> [f32; COUNT] {
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
