//! Random weights.

use std::{fmt, ops::Range};

use rand::Rng;
use rayon::prelude::*;

use super::random::{BLOCK, Random, Stream, below, random};
use crate::Weights;

/// The range that random weights are drawn from, evenly; both ends belong to it.
///
/// ```
/// use equipoise_graph::generate::{Spec, WeightRange};
///
/// let spec: Spec = "path:n=5,weights=1..1000".parse()?;
/// assert_eq!(spec.weights, Some(WeightRange::U32 { low: 1, high: 1000 }));
/// assert_eq!(WeightRange::F32 { low: 0.5, high: 2.0 }.to_string(), "0.5..2.0");
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
    /// Floating-point numbers, of either sign.
    F32 {
        /// The smallest weight.
        low: f32,
        /// The largest weight.
        high: f32,
    },
}

impl WeightRange {
    /// Reads `LOW..HIGH`; a decimal point or an exponent in either makes the weights
    /// floating-point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (low, high) = text.split_once("..")?;
        let decimal = [low, high].iter().any(|end| end.contains(['.', 'e', 'E']));
        let range = match decimal {
            true => Self::F32 { low: low.parse().ok()?, high: high.parse().ok()? },
            false => Self::U32 { low: low.parse().ok()?, high: high.parse().ok()? },
        };
        range.check().ok().map(|()| range)
    }

    /// Whether the range holds a number.
    pub(super) fn check(&self) -> Result<(), String> {
        let sound = match *self {
            Self::U32 { low, high } => low <= high,
            Self::F32 { low, high } => low <= high && low.is_finite() && high.is_finite(),
        };
        match sound {
            true => Ok(()),
            false => Err(format!("weights={self}: expected a low end and a high one")),
        }
    }

    /// The weights of the edges `numbers`.
    pub(super) fn draw(&self, numbers: Range<u64>, seed: u64) -> Weights {
        match *self {
            Self::U32 { low, high } => {
                let span = u64::from(high - low) + 1;
                let draw = |random: &mut Random| low + below(span, random.next_u64()) as u32;
                fill(numbers, seed, draw).into()
            }
            Self::F32 { low, high } => {
                let span = f64::from(high) - f64::from(low);
                let draw = |random: &mut Random| {
                    let share = (random.next_u64() >> 11) as f64 / 2f64.powi(53);
                    (f64::from(low) + span * share) as f32
                };
                fill(numbers, seed, draw).into()
            }
        }
    }
}

fn fill<W: Copy + Default + Send>(
    numbers: Range<u64>,
    seed: u64,
    draw: impl Fn(&mut Random) -> W + Sync,
) -> Vec<W> {
    let mut weights = vec![W::default(); (numbers.end - numbers.start) as usize];
    let (block, skipped) = (numbers.start / BLOCK as u64, (numbers.start % BLOCK as u64) as usize);
    let of_block = |block| random(seed, Stream::Weights, block);
    let in_first = weights.len().min(BLOCK - skipped);
    let (first, others) = weights.split_at_mut(in_first);
    // Numbers need not start with a block.
    let mut random = of_block(block);
    (0..skipped).for_each(|_| {
        draw(&mut random);
    });
    first.fill_with(|| draw(&mut random));
    others.par_chunks_mut(BLOCK).enumerate().for_each(|(further, weights)| {
        let mut random = of_block(block + 1 + further as u64);
        weights.fill_with(|| draw(&mut random));
    });
    weights
}

impl fmt::Display for WeightRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::U32 { low, high } => write!(f, "{low}..{high}"),
            // Debug writes a decimal point or an exponent, without which they were whole numbers.
            Self::F32 { low, high } => write!(f, "{low:?}..{high:?}"),
        }
    }
}
