//! The range and the mean of weights.

use crate::{Weights, parallel::*, weights::of_any_type};

/// The range and the mean of a graph's weights; all are NaN if a weight is NaN.
///
/// JSON has no NaN or infinities, so they are serialized as the strings `NaN`, `Infinity` and
/// `-Infinity`.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, stats::Statistics};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32), (1, 0, 2)]))?;
/// let weights = Statistics::new(&graph)?.weights.unwrap();
/// assert_eq!((weights.kind, weights.min, weights.max, weights.mean), ("u32", 2.0, 7.0, 4.5));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WeightStatistics {
    /// The type's name: `u32`, `f32` or `f64`.
    pub kind: &'static str,
    /// The smallest weight.
    #[cfg_attr(feature = "serde", serde(serialize_with = "number"))]
    pub min: f64,
    /// The largest weight.
    #[cfg_attr(feature = "serde", serde(serialize_with = "number"))]
    pub max: f64,
    /// The mean over all directed edges.
    #[cfg_attr(feature = "serde", serde(serialize_with = "number"))]
    pub mean: f64,
}

#[cfg(feature = "serde")]
fn number<S: serde::Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match crate::numbers::name_of_not_finite(*number) {
        None => serializer.serialize_f64(*number),
        Some(name) => serializer.serialize_str(name),
    }
}

impl WeightStatistics {
    /// The statistics of the weights; `None` without weights.
    pub(super) fn new(weights: &Weights) -> Option<Self> {
        let [min, max, sum] = of_any_type!(weights, all => summary(all))?;
        let count = weights.len() as f64;
        let mean = if sum.is_infinite() && max.is_finite() && min.is_finite() {
            // The sum of finite weights overflows; their mean does not.
            (0..weights.len()).map(|edge| weights.get(edge) / count).sum()
        } else {
            sum / count
        };
        Some(Self { kind: weights.type_name(), min, max, mean })
    }
}

/// The minimum, the maximum and the sum, which is accumulated over pieces of a fixed length so that
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

/// The minimum of two numbers, or NaN if either is NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}
