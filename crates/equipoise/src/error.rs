//! What can go wrong with an algorithm.

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
    /// A device failed, or cannot do what was asked of it.
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
        /// How many there are.
        vertices: u32,
    },
    /// A weight that shortest paths cannot have.
    #[error(
        "the edge from {source_id} to {target_id} has weight {weight}: shortest paths need weights \
         that are zero or more and finite"
    )]
    BadWeight {
        /// Where the edge starts, in the input's own ids.
        source_id: String,
        /// Where the edge ends, in the input's own ids.
        target_id: String,
        /// Its weight.
        weight: f64,
    },
    /// A path is longer than the numbers that lengths are given in.
    #[error("{what} does not fit {numbers}: {instead}")]
    TooFar {
        /// Which path.
        what: String,
        /// What holds lengths.
        numbers: &'static str,
        /// What can be done instead.
        instead: &'static str,
    },
    /// The shapes of two operands do not fit.
    #[error("{0}")]
    Shape(String),
    /// An option has a value that makes no sense.
    #[error("{0}")]
    Option(String),
    /// A verifier found the result wrong.
    #[error("the result is wrong: {0}")]
    Wrong(String),
}

impl Error {
    /// Whether a device has no room for what was asked of it: less may fit.
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

    /// Whether a schedule was asked for something that it cannot do on a device: another one, or the
    /// same with other settings, may.
    ///
    /// ```
    /// use equipoise::Error;
    ///
    /// assert!(!Error::Option("the option is odd".into()).is_beyond_schedule());
    /// ```
    pub fn is_beyond_schedule(&self) -> bool {
        matches!(self, Self::Device(equipoise_schedule::Error::Schedule(_)))
    }

    /// An edge with a weight that shortest paths cannot have.
    pub(crate) fn bad_weight(ids: &VertexIds, source: u32, target: u32, weight: f64) -> Self {
        let [source_id, target_id] = [source, target].map(|vertex| ids.id(vertex).to_string());
        Error::BadWeight { source_id, target_id, weight }
    }

    /// A sum of floating-point weights that is infinite.
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

    /// Weights of 64 bits, of a graph on a GPU.
    pub(crate) fn weights_of_64_bits() -> Self {
        Error::Option(
            "the weights have 64 bits (f64): they are added up on the cpu, and by `sssp` on CUDA"
                .into(),
        )
    }

    /// A sum of whole weights that needs more bits than a GPU has for it.
    pub(crate) fn too_far_for_gpu(what: String) -> Self {
        let numbers = "the 32 bits that a GPU has for it";
        Error::TooFar { what, numbers, instead: "the cpu has 64" }
    }
}

/// The distance between two vertices, in words.
pub(crate) fn distance(ids: &VertexIds, source: u32, target: u32) -> String {
    format!("the distance from vertex {} to vertex {}", ids.id(source), ids.id(target))
}

/// What a verifier answers that found a result wrong.
pub(crate) fn wrong(message: String) -> Result<()> {
    Err(Error::Wrong(message))
}
