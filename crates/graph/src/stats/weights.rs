//! The range and the mean of the weights.

use rayon::prelude::*;

use crate::Weights;

/// The range and the mean of a graph's weights. All are NaN where one of the weights is.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, stats::Statistics};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32), (1, 0, 2)]))?;
/// let weights = Statistics::of(&graph)?.weights.unwrap();
/// assert_eq!((weights.kind, weights.min, weights.max, weights.mean), ("u32", 2.0, 7.0, 4.5));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WeightStatistics {
    /// `u32`, `f32` or `f64`.
    pub kind: &'static str,
    /// The smallest weight.
    pub min: f64,
    /// The largest weight.
    pub max: f64,
    /// The mean over all directed edges.
    pub mean: f64,
}

impl WeightStatistics {
    /// The statistics of the weights; none where there are none.
    pub(super) fn of(weights: &Weights) -> Option<Self> {
        let [min, max, sum] = match weights {
            Weights::U32(weights) => summary(weights),
            Weights::F32(weights) => summary(weights),
            Weights::F64(weights) => summary(weights),
        }?;
        Some(Self { kind: weights.type_name(), min, max, mean: sum / weights.len() as f64 })
    }
}

/// The smallest, the largest and the sum, which is added up by pieces of a fixed length so that
/// it does not depend on the threads.
fn summary<W: Copy + Into<f64> + Sync>(weights: &[W]) -> Option<[f64; 3]> {
    const PIECE: usize = 1 << 14;
    let merge =
        |a: [f64; 3], b: [f64; 3]| [smaller(a[0], b[0]), -smaller(-a[1], -b[1]), a[2] + b[2]];
    let pieces: Vec<[f64; 3]> = weights
        .par_chunks(PIECE)
        .filter_map(|piece| piece.iter().map(|&weight| [weight.into(); 3]).reduce(merge))
        .collect();
    pieces.into_iter().reduce(merge)
}

/// The smaller of two numbers, or NaN where one of them is.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}
