//! Sums in global memory to which the units of a cube add.

use cubecl::prelude::*;

/// What kind of sums they are.
pub(super) trait SumsKind {
    /// Whether several units may add to the same sum at once.
    const SHARED: bool;
}

/// Values of a product that are added up in place.
#[cube]
pub(super) trait Sums: SumsKind + LaunchArg {
    /// What is added up.
    type Value: Float;

    /// Adds to a sum.
    fn add(&mut self, place: u32, value: Self::Value);
}

/// Sums by atomic additions.
#[derive(CubeType, CubeLaunch)]
pub(super) struct AtomicSums<F: Float> {
    sums: Array<Atomic<F>>,
}

impl<F: Float> SumsKind for AtomicSums<F> {
    const SHARED: bool = true;
}

#[cube]
impl<F: Float> Sums for AtomicSums<F> {
    type Value = F;

    fn add(&mut self, place: u32, value: F) {
        self.sums[place as usize].fetch_add(value);
    }
}

/// Sums for devices without atomic additions of the type.
#[derive(CubeType, CubeLaunch)]
pub(super) struct PlainSums<F: Float> {
    sums: Array<F>,
}

impl<F: Float> SumsKind for PlainSums<F> {
    const SHARED: bool = false;
}

#[cube]
impl<F: Float> Sums for PlainSums<F> {
    type Value = F;

    fn add(&mut self, place: u32, value: F) {
        self.sums[place as usize] += value;
    }
}
