//! The errors of algorithms.

use equipoise_graph::{Graph, VertexIds, Weights};

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an algorithm did not run, or its result was not accepted.
///
/// ```
/// use equipoise::Error;
///
/// let error = Error::NoSuchVertex { vertex: 9, vertices: 5 };
/// assert_eq!(error.to_string(), "vertex 9 does not exist: the graph has 5 vertices");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The graph or matrix could not be read or is not sound.
    #[error(transparent)]
    Graph(#[from] equipoise_graph::Error),
    /// A device failed, or does not support the operation.
    #[error(transparent)]
    Device(#[from] equipoise_schedule::Error),
    /// A learned policy cannot be used.
    #[error(transparent)]
    Model(#[from] equipoise_select::Error),
    /// A source or target is not a vertex of the graph.
    #[error("vertex {vertex} does not exist: the graph has {vertices} vertices")]
    NoSuchVertex {
        /// The vertex asked for, as the user called it.
        vertex: u64,
        /// The number of vertices in the graph.
        vertices: u32,
    },
    /// A weight that is negative, infinite or NaN in a search for shortest paths.
    #[error(
        "the edge from {source_id} to {target_id} has weight {}: shortest paths need weights that are zero or more \
         and finite",
        equipoise_graph::numbers::short(.weight)
    )]
    BadWeight {
        /// Where the edge starts, in the input's own ids.
        source_id: String,
        /// Where the edge ends, in the input's own ids.
        target_id: String,
        /// Its weight.
        weight: f64,
    },
    /// The length of a path overflows its type.
    #[error("{what} does not fit {numbers}: {instead}")]
    TooFar {
        /// Which path.
        what: String,
        /// The type of lengths, in words.
        numbers: &'static str,
        /// What the user can do instead.
        instead: &'static str,
    },
    /// The GPU version of an algorithm does not support 64-bit weights.
    #[error(
        "this GPU finds {what} by weights of 32 bits, and these have 64 (f64): use the cpu, or weights of type f32, whose \
         sums are rounded"
    )]
    WeightsTooWide {
        /// What the algorithm computes.
        what: &'static str,
    },
    /// The iteration limit was reached before the result was within its tolerance.
    #[error(
        "the ranks did not converge: iteration {iterations} still changed them by {change:.1e}, and the tolerance is \
         {tolerance:e}; allow more iterations or a larger tolerance, or ask for a number of iterations"
    )]
    NotConverged {
        /// The number of iterations made.
        iterations: u32,
        /// The change of the last iteration, summed over all vertices.
        change: f64,
        /// The largest change that counts as converged.
        tolerance: f64,
    },
    /// The shapes of two operands do not match.
    #[error("{0}")]
    Shape(String),
    /// An option has an invalid value.
    #[error("{0}")]
    Option(String),
    /// A verifier found the result wrong.
    #[error("the result is wrong: {0}")]
    Wrong(String),
}

impl Error {
    /// Whether the device ran out of memory: a smaller problem may fit.
    ///
    /// ```
    /// use equipoise::Error;
    ///
    /// assert!(!Error::Option("the option is odd".into()).is_too_large());
    /// ```
    pub fn is_too_large(&self) -> bool {
        use equipoise_schedule::Error::{BufferTooLarge, OutOfMemory, TooMany};
        matches!(self, Self::Device(OutOfMemory { .. } | BufferTooLarge { .. } | TooMany { .. }))
    }

    /// Whether the device does not support a schedule with these settings: another schedule, or other settings, may work.
    ///
    /// ```
    /// use equipoise::Error;
    ///
    /// assert!(!Error::Option("the option is odd".into()).is_beyond_schedule());
    /// ```
    pub fn is_beyond_schedule(&self) -> bool {
        matches!(self, Self::Device(equipoise_schedule::Error::Schedule(_)))
    }

    /// The error for an edge whose weight is negative, infinite or NaN.
    pub(crate) fn bad_weight(ids: &VertexIds, source: u32, target: u32, weight: f64) -> Self {
        let [source_id, target_id] = [source, target].map(|vertex| ids.id(vertex).to_string());
        Error::BadWeight { source_id, target_id, weight }
    }

    /// The error for a sum of floating-point weights that is infinite.
    pub(crate) fn too_far(graph: &Graph, source: u32, target: u32) -> Self {
        Error::TooFar {
            what: distance(graph.ids(), source, target),
            numbers: match graph.weights() {
                Some(Weights::F64(_)) => {
                    "the numbers of 64 bits that weights are given in, up to 1.8e308"
                }
                _ => "the numbers of 32 bits that weights are given in, up to 3.4e38",
            },
            instead: "divide all weights by the same number",
        }
    }

    /// The error for a sum of integer weights that needs more than the GPU's 32 bits.
    pub(crate) fn too_far_for_gpu(what: String) -> Self {
        let numbers = "the 32 bits that a GPU has for it";
        Error::TooFar { what, numbers, instead: "the cpu has 64" }
    }
}

/// The distance between two vertices, in words.
pub(crate) fn distance(ids: &VertexIds, source: u32, target: u32) -> String {
    format!("the distance from vertex {} to vertex {}", ids.id(source), ids.id(target))
}

/// The verdict of a verifier on a wrong result.
pub(crate) fn wrong(message: String) -> Result<()> {
    Err(Error::Wrong(message))
}
