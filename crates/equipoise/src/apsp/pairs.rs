//! Lengths of shortest paths between pairs of vertices.

use std::io::{self, Write};

use super::numbers::Numbers;
use crate::{Distances, Result, npy};

/// Lengths of shortest paths between pairs of vertices, in memory or in a file.
///
/// ```
/// use equipoise::apsp::PairDistances;
///
/// let distances = PairDistances::U32(vec![0, 7, u32::MAX].into());
/// assert_eq!(distances.get(1), Some(7.0));
/// assert_eq!(distances.get(2), None);
/// assert_eq!(distances.len(), 3);
/// ```
pub type PairDistances = Distances<Numbers<u32>, Numbers<u64>, Numbers<f32>, Numbers<f64>>;

impl PairDistances {
    pub(super) fn write_npy(&self, out: &mut dyn Write, shape: &[u64]) -> io::Result<()> {
        match self {
            Self::U32(all) => npy::write(out, shape, all),
            Self::U64(all) => npy::write(out, shape, all),
            Self::F32(all) => npy::write(out, shape, all),
            Self::F64(all) => npy::write(out, shape, all),
        }
    }

    pub(super) fn save(&mut self) -> Result<()> {
        match self {
            Self::U32(all) => all.save(),
            Self::U64(all) => all.save(),
            Self::F32(all) => all.save(),
            Self::F64(all) => all.save(),
        }
    }
}
