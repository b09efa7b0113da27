//! The weights of a graph's edges.

use crate::Storage;

/// One weight an edge, in the order of the graph's edges.
///
/// ```
/// use equipoise_graph::Weights;
///
/// let weights = Weights::from(vec![3u32, 4]);
/// assert_eq!(weights.len(), 2);
/// assert_eq!(weights.get(1), 4.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Whole numbers.
    U32(Storage<u32>),
    /// Floating-point numbers, of either sign.
    F32(Storage<f32>),
    /// The same in 64 bits. Algorithms that add weights up take them on the cpu, shortest paths from a vertex on CUDA too:
    /// other GPUs have them in 32 bits.
    F64(Storage<f64>),
}

impl Weights {
    /// How many weights there are.
    pub fn len(&self) -> usize {
        match self {
            Weights::U32(weights) => weights.len(),
            Weights::F32(weights) => weights.len(),
            Weights::F64(weights) => weights.len(),
        }
    }

    /// Whether there is no weight at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of edge `edge` as a number that holds each kind exactly.
    pub fn get(&self, edge: usize) -> f64 {
        match self {
            Weights::U32(weights) => weights[edge].into(),
            Weights::F32(weights) => weights[edge].into(),
            Weights::F64(weights) => weights[edge],
        }
    }

    /// `u32`, `f32` or `f64`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Weights::U32(_) => "u32",
            Weights::F32(_) => "f32",
            Weights::F64(_) => "f64",
        }
    }
}

impl From<Vec<u32>> for Weights {
    fn from(weights: Vec<u32>) -> Self {
        Weights::U32(weights.into())
    }
}

impl From<Vec<f32>> for Weights {
    fn from(weights: Vec<f32>) -> Self {
        Weights::F32(weights.into())
    }
}

impl From<Vec<f64>> for Weights {
    fn from(weights: Vec<f64>) -> Self {
        Weights::F64(weights.into())
    }
}
