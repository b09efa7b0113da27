//! Random weights.

use std::{fmt, ops::Range};

use rand::Rng;

use super::random::{Random, Stream, below, draw_all};
use crate::Weights;

/// The range of random weights, which are uniform; both ends are included.
///
/// ```
/// use equipoise_graph::generate::{Spec, WeightRange};
///
/// let spec: Spec = "path:n=5,weights=1..1000".parse()?;
/// assert_eq!(spec.weights, Some(WeightRange::U32 { low: 1, high: 1000 }));
/// assert_eq!(WeightRange::F64 { low: 0.5, high: 2.0 }.to_string(), "0.5..2.0");
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightRange {
    /// Whole numbers.
    U32 {
        /// The smallest weight.
        low: u32,
        /// The largest weight.
        high: u32,
    },
    /// Floating-point numbers of either sign.
    F64 {
        /// The smallest weight.
        low: f64,
        /// The largest weight.
        high: f64,
    },
}

impl WeightRange {
    /// Parses `LOW..HIGH`; a decimal point or an exponent in either makes the weights
    /// floating-point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (low, high) = text.split_once("..")?;
        let decimal = [low, high].iter().any(|end| end.contains(['.', 'e', 'E']));
        let range = if decimal {
            Self::F64 { low: low.parse().ok()?, high: high.parse().ok()? }
        } else {
            Self::U32 { low: low.parse().ok()?, high: high.parse().ok()? }
        };
        range.check().ok().map(|()| range)
    }

    /// Checks that the range is not empty.
    pub(super) fn check(&self) -> Result<(), String> {
        let sound = match *self {
            Self::U32 { low, high } => low <= high,
            // NaN compares as false; the span of two finite numbers may be infinite.
            Self::F64 { low, high } => low <= high && (high - low).is_finite(),
        };
        if sound {
            Ok(())
        } else {
            Err(format!("weights={self}: expected a low end and a high one"))
        }
    }

    /// The number of bytes per weight.
    ///
    /// ```
    /// use equipoise_graph::generate::WeightRange;
    ///
    /// assert_eq!(WeightRange::F64 { low: 0.5, high: 2.0 }.bytes_each(), 8);
    /// ```
    pub fn bytes_each(self) -> u64 {
        match self {
            Self::U32 { .. } => 4,
            Self::F64 { .. } => 8,
        }
    }

    pub(super) fn draw(&self, numbers: Range<u64>, seed: u64) -> Weights {
        match *self {
            Self::U32 { low, high } => {
                let span = u64::from(high - low) + 1;
                let draw = |random: &mut Random| low + below(span, random.next_u64()) as u32;
                draw_all(numbers, seed, Stream::Weights, draw).into()
            }
            Self::F64 { low, high } => {
                let draw = |random: &mut Random| {
                    let share = (random.next_u64() >> 11) as f64 / 2f64.powi(53);
                    // Rounding may exceed the upper end.
                    (low + (high - low) * share).min(high)
                };
                draw_all(numbers, seed, Stream::Weights, draw).into()
            }
        }
    }
}

impl fmt::Display for WeightRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::U32 { low, high } => write!(f, "{low}..{high}"),
            // `Debug` writes a decimal point or an exponent, without which the range would parse as
            // whole numbers.
            Self::F64 { low, high } => write!(f, "{low:?}..{high:?}"),
        }
    }
}
