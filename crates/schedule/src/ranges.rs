//! Ranges: what the loops of a schedule run over.
//!
//! They are those of Osama et al. (section 5.1): by steps, without an end, and by the strides of a
//! grid, a cube or a plane. In a kernel, `for` takes them.

use cubecl::prelude::*;

/// From `begin` up to but not including `end`, in steps of `step`.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::step_range;
///
/// /// Adds up every other element.
/// #[cube(launch)]
/// fn every_other(input: &Array<u32>, output: &mut Array<u32>) {
///     let mut sum = 0u32;
///     for i in step_range(0, input.len() as u32, 2) {
///         sum += input[i as usize];
///     }
///     output[0] = sum;
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, Clone, Copy)]
pub struct StepRange {
    /// The first.
    pub begin: u32,
    /// Where it stops; not part of it.
    pub end: u32,
    /// The distance from one to the next.
    pub step: u32,
    /// Whether `end + step` may be more than 32 bits hold: then the loop counts its turns, for
    /// which it divides once.
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

/// How many there are.
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

/// From `begin` to `end` in steps of `step`: a constant number of things a unit, or any other
/// custom step.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::step_range;
///
/// #[cube(launch)]
/// fn every_third(array: &mut Array<u32>) {
///     for i in step_range(0, array.len() as u32, 3) {
///         array[i as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn step_range(begin: u32, end: u32, step: u32) -> StepRange {
    StepRange { begin, end, step, far: false }
}

/// The same where the steps are those of a whole launch, so that the last of them may lead beyond 32
/// bits.
#[cube]
pub(crate) fn far_range(begin: u32, end: u32, step: u32) -> StepRange {
    StepRange { begin, end, step, far: true }
}

/// From `begin` on without an end, for kernels that run until they find nothing left to do: leave
/// the loop with `break`.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::infinite_range;
///
/// #[cube(launch)]
/// fn count_up(array: &mut Array<u32>) {
///     for i in infinite_range(0) {
///         if i >= array.len() as u32 {
///             break;
///         }
///         array[i as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn infinite_range(begin: u32) -> StepRange {
    StepRange { begin, end: u32::MAX.runtime(), step: 1u32.runtime(), far: false }
}

/// The share of the calling unit, where all units of the launch take turns.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::grid_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for i in grid_stride_range(0, array.len() as u32) {
///         array[i as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn grid_stride_range(begin: u32, end: u32) -> StepRange {
    far_range(begin + ABSOLUTE_POS as u32, end, CUBE_COUNT as u32 * CUBE_DIM)
}

/// The share of the calling cube, where all cubes of the launch take turns.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::cube_grid_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for i in cube_grid_stride_range(0, array.len() as u32) {
///         if UNIT_POS == 0 {
///             array[i as usize] += 1;
///         }
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn cube_grid_stride_range(begin: u32, end: u32) -> StepRange {
    far_range(begin + CUBE_POS as u32, end, CUBE_COUNT as u32)
}

/// The share of the calling plane, where all planes of the launch take turns.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::plane_grid_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for i in plane_grid_stride_range(0, array.len() as u32) {
///         if UNIT_POS_PLANE == 0 {
///             array[i as usize] += 1;
///         }
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn plane_grid_stride_range(begin: u32, end: u32) -> StepRange {
    let planes = CUBE_DIM.div_ceil(PLANE_DIM);
    let first = begin + CUBE_POS as u32 * planes + UNIT_POS / PLANE_DIM;
    far_range(first, end, CUBE_COUNT as u32 * planes)
}

/// The share of the calling unit, where the units of its cube take turns.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::cube_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for i in cube_stride_range(0, array.len() as u32) {
///         array[i as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn cube_stride_range(begin: u32, end: u32) -> StepRange {
    step_range(begin + UNIT_POS, end, CUBE_DIM)
}

/// The share of the calling unit, where the units of its plane take turns; the plane must be full.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::ranges::plane_stride_range;
///
/// #[cube(launch)]
/// fn add_one(array: &mut Array<u32>) {
///     for i in plane_stride_range(0, array.len() as u32) {
///         array[i as usize] += 1;
///     }
/// }
/// # fn main() {}
/// ```
#[cube]
pub fn plane_stride_range(begin: u32, end: u32) -> StepRange {
    step_range(begin + UNIT_POS_PLANE, end, PLANE_DIM)
}
