//! Floyd-Warshall as it is told: one launch for each vertex that paths may go through.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{
    blocked::Four,
    matrix::{DeviceLength, DeviceLengths, UNITS},
};
use crate::Result;

/// Closes the matrix.
pub(super) fn naive<T: DeviceLength, R: Runtime>(matrix: &DeviceLengths<T, R>) -> Result<()> {
    let gpu = matrix.gpu;
    for through in 0..matrix.vertices {
        // SAFETY: the matrix has `side` rows of as many lengths, and `through` is one of them.
        unsafe {
            go_through::launch_unchecked::<T, R>(
                gpu.client(),
                matrix.cubes(matrix.side),
                CubeDim::new_1d(UNITS),
                matrix.lengths.vector_arg(4),
                matrix.lengths.arg(),
                through,
                matrix.side,
            );
        }
    }
    Ok(gpu.finish()?)
}

/// Allows paths through one more vertex. A cube takes a row at a time, four lengths a unit.
///
/// The row and the column of that vertex stay as they are, so that it does not matter who reads
/// them before and who after others have written.
#[cube(launch_unchecked)]
fn go_through<L: Numeric>(
    fours: &mut Array<Four<L>>,
    lengths: &mut Array<L>,
    through: u32,
    side: u32,
) {
    let width = side / 4;
    for row in step_range(CUBE_POS as u32, side, CUBE_COUNT as u32) {
        let first = Four::<L>::new(lengths[(row * side + through) as usize]);
        for four in cube_stride_range(0, width) {
            let place = (row * width + four) as usize;
            let second = fours[(through * width + four) as usize];
            fours[place] = min(fours[place], first + second);
        }
    }
}
