//! The ranges of a schedule's loops.
//!
//! They are those of Osama et al. (section 5.1): by steps, without an end, and by the strides of a grid, a cube or a
//! plane. `for` loops in kernels take them.

use cubecl::prelude::*;

/// The numbers from `begin` to below `end` in steps of `step`.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::grid_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for index in grid_stride_range(0, array.len() as u32) {
///         array[index as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, Clone, Copy)]
pub struct StepRange {
    /// The first number.
    pub begin: u32,
    /// The exclusive upper bound.
    pub end: u32,
    /// The distance between two numbers.
    pub step: u32,
    /// Whether `end + step` may exceed 32 bits: then the loop counts its turns, which takes one division.
    #[cube(comptime)]
    pub far: bool,
}

impl IntoIterator for StepRange {
    type Item = u32;
    type IntoIter = std::iter::StepBy<std::ops::Range<u32>>;

    fn into_iter(self) -> Self::IntoIter {
        (self.begin..self.end).step_by(self.step as usize)
    }
}

impl Iterable<u32> for StepRangeExpand {
    fn expand(self, scope: &mut Scope, mut body: impl FnMut(&mut Scope, NativeExpand<u32>)) {
        if self.far {
            let (begin, step) = (self.begin, self.step);
            let turns = turns::expand(scope, begin.clone(), self.end, step.clone());
            let range = RangeExpand::new(0u32.into(), turns, false);
            Iterable::expand(range, scope, |scope, turn| {
                let index = index_of::expand(scope, turn, begin.clone(), step.clone());
                body(scope, index);
            });
        } else {
            let range = range_stepped::expand(scope, self.begin, self.end, self.step);
            Iterable::expand(range, scope, body);
        }
    }

    fn expand_unroll(self, scope: &mut Scope, body: impl FnMut(&mut Scope, NativeExpand<u32>)) {
        let range = range_stepped::expand(scope, self.begin, self.end, self.step);
        Iterable::expand_unroll(range, scope, body);
    }
}

#[cube]
fn turns(begin: u32, end: u32, step: u32) -> u32 {
    let mut turns = 0u32;
    if begin < end {
        turns = (end - begin - 1) / step + 1;
    }
    turns
}

#[cube]
fn index_of(turn: u32, begin: u32, step: u32) -> u32 {
    begin + turn * step
}

/// The numbers from `begin` to below `end` in steps of `step`.
///
/// ```
/// use equipoise_schedule::ranges::step_range;
///
/// assert!(step_range(1, 8, 3).into_iter().eq([1, 4, 7]));
/// ```
#[cube]
pub fn step_range(begin: u32, end: u32, step: u32) -> StepRange {
    StepRange { begin, end, step, far: false }
}

/// A [`step_range`] whose last step may lead beyond 32 bits, as steps of a whole launch do.
#[cube]
pub(crate) fn far_range(begin: u32, end: u32, step: u32) -> StepRange {
    StepRange { begin, end, step, far: true }
}

/// The numbers from `begin` on, without an end: a kernel leaves the loop with `break`.
#[cube]
pub fn infinite_range(begin: u32) -> StepRange {
    StepRange { begin, end: u32::MAX.runtime(), step: 1u32.runtime(), far: false }
}

/// The numbers of the calling unit, if all units of the launch take turns.
#[cube]
pub fn grid_stride_range(begin: u32, end: u32) -> StepRange {
    far_range(begin + ABSOLUTE_POS as u32, end, CUBE_COUNT as u32 * CUBE_DIM)
}

/// The numbers of the calling cube, if all cubes of the launch take turns.
#[cube]
pub fn cube_grid_stride_range(begin: u32, end: u32) -> StepRange {
    far_range(begin + CUBE_POS as u32, end, CUBE_COUNT as u32)
}

/// The numbers of the calling plane, if all planes of the launch take turns.
#[cube]
pub fn plane_grid_stride_range(begin: u32, end: u32) -> StepRange {
    let planes = CUBE_DIM.div_ceil(PLANE_DIM);
    let first = begin + CUBE_POS as u32 * planes + UNIT_POS / PLANE_DIM;
    far_range(first, end, CUBE_COUNT as u32 * planes)
}

/// The numbers of the calling unit, if the units of its cube take turns.
#[cube]
pub fn cube_stride_range(begin: u32, end: u32) -> StepRange {
    step_range(begin + UNIT_POS, end, CUBE_DIM)
}

/// The numbers of the calling unit, if the units of its plane take turns. The plane must be full.
#[cube]
pub fn plane_stride_range(begin: u32, end: u32) -> StepRange {
    step_range(begin + UNIT_POS_PLANE, end, PLANE_DIM)
}
