//! Lengths of shortest paths between pairs of vertices.

use std::io::{self, Write};

use super::numbers::Numbers;
use crate::{Result, npy};

/// Lengths of shortest paths, in the type that the weights ask for, in memory or in a file.
///
/// ```
/// use equipoise::PairDistances;
///
/// let distances = PairDistances::U32(vec![0, 7, u32::MAX].into());
/// assert_eq!(distances.get(1), Some(7.0));
/// assert_eq!(distances.get(2), None);
/// assert_eq!(distances.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum PairDistances {
    /// Sums of whole weights; `u32::MAX` where there is no path.
    U32(Numbers<u32>),
    /// Sums of whole weights that need more than 32 bits; `u64::MAX` where there is no path.
    U64(Numbers<u64>),
    /// Sums of floating-point weights; infinity where there is no path.
    F32(Numbers<f32>),
}

impl PairDistances {
    /// The distance at `index`, if there is a path. Whole numbers above 2⁵³ are rounded.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Self::U32(all) => all.get(index).filter(|&&d| d != u32::MAX).map(|&d| d.into()),
            Self::U64(all) => all.get(index).filter(|&&d| d != u64::MAX).map(|&d| d as f64),
            Self::F32(all) => all.get(index).filter(|&&d| d != f32::INFINITY).map(|&d| d.into()),
        }
    }

    /// How many distances there are, those without a path included.
    pub fn len(&self) -> usize {
        match self {
            Self::U32(all) => all.len(),
            Self::U64(all) => all.len(),
            Self::F32(all) => all.len(),
        }
    }

    /// Whether there is no distance at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn write_npy(&self, out: &mut dyn Write, shape: &[u64]) -> io::Result<()> {
        match self {
            Self::U32(all) => npy::write(out, shape, all),
            Self::U64(all) => npy::write(out, shape, all),
            Self::F32(all) => npy::write(out, shape, all),
        }
    }

    pub(super) fn save(&mut self) -> Result<()> {
        match self {
            Self::U32(all) => all.save(),
            Self::U64(all) => all.save(),
            Self::F32(all) => all.save(),
        }
    }
}
