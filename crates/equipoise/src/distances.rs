//! Lengths of shortest paths.

use std::ops::Deref;

/// Lengths of shortest paths, in the type that the weights require. The type parameters are the arrays that hold
/// them, vectors by default.
///
/// ```
/// use equipoise::Distances;
///
/// let distances: Distances = Distances::U32(vec![0, 7, u32::MAX]);
/// assert_eq!(distances.get(1), Some(7.0));
/// assert_eq!(distances.get(2), None);
/// assert_eq!(distances.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Distances<Narrow = Vec<u32>, Wide = Vec<u64>, Real = Vec<f32>, Double = Vec<f64>> {
    /// Sums of whole weights; `u32::MAX` without a path.
    U32(Narrow),
    /// Sums of whole weights that need more than 32 bits; `u64::MAX` without a path.
    U64(Wide),
    /// Sums of floating-point weights; infinity without a path.
    F32(Real),
    /// Sums of floating-point weights of 64 bits; infinity without a path.
    F64(Double),
}

impl<Narrow, Wide, Real, Double> Distances<Narrow, Wide, Real, Double>
where
    Narrow: Deref<Target = [u32]>,
    Wide: Deref<Target = [u64]>,
    Real: Deref<Target = [f32]>,
    Double: Deref<Target = [f64]>,
{
    /// The distance at `index`, if a path exists. Whole numbers above 2⁵³ are rounded.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Self::U32(all) => all.get(index).filter(|&&d| d != u32::MAX).map(|&d| d.into()),
            Self::U64(all) => all.get(index).filter(|&&d| d != u64::MAX).map(|&d| d as f64),
            Self::F32(all) => all.get(index).filter(|&&d| d != f32::INFINITY).map(|&d| d.into()),
            Self::F64(all) => all.get(index).filter(|&&d| d != f64::INFINITY).copied(),
        }
    }

    /// The number of vertices, those without a path included.
    pub fn len(&self) -> usize {
        match self {
            Self::U32(all) => all.len(),
            Self::U64(all) => all.len(),
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
        }
    }

    /// Whether it covers no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
