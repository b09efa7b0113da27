//! Plain Floyd-Warshall: one launch per intermediate vertex.

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, ranges::*};

use super::{
    block::Four,
    length::{DeviceLength, UNITS},
    strip::Strip,
};
use crate::Result;

/// Runs Floyd-Warshall on a strip that is the whole matrix.
pub(super) fn naive<T: DeviceLength>(matrix: &Strip<T>) -> Result<()> {
    let (client, cube) = (matrix.gpu.client(), CubeDim::new_1d(UNITS));
    let cubes = || matrix.cubes(matrix.side);
    for through in 0..matrix.vertices {
        // SAFETY: the matrix has `side` rows of `side` lengths and hops, and `through` is one of them.
        unsafe {
            match &matrix.hops {
                None => go_through::launch_unchecked::<T, GpuRuntime>(
                    client,
                    cubes(),
                    cube,
                    matrix.lengths.vector_arg(4),
                    through,
                    matrix.side,
                ),
                Some(hops) => go_through_with_hops::launch_unchecked::<T, GpuRuntime>(
                    client,
                    cubes(),
                    cube,
                    matrix.lengths.arg(),
                    hops.arg(),
                    through,
                    matrix.side,
                ),
            }
        }
    }
    Ok(matrix.gpu.finish()?)
}

/// Allows paths through one more vertex. A cube takes a row at a time, four lengths per unit.
///
/// The row and the column of that vertex do not change, so it does not matter whether a unit reads them
/// before or after others write.
#[cube(launch_unchecked)]
fn go_through<L: Numeric>(fours: &mut Array<Four<L>>, through: u32, side: u32) {
    let width = side / 4;
    for row in step_range(CUBE_POS as u32, side, CUBE_COUNT as u32) {
        let four = fours[(row * width + through / 4) as usize];
        let first = Four::<L>::new(four[(through % 4) as usize]);
        for four in cube_stride_range(0, width) {
            let index = (row * width + four) as usize;
            let second = fours[(through * width + four) as usize];
            fours[index] = min(fours[index], first + second);
        }
    }
}

/// The same with next hops, as `with_hops` does on the cpu.
#[cube(launch_unchecked)]
fn go_through_with_hops<L: Numeric>(
    lengths: &mut Array<L>,
    hops: &mut Array<u32>,
    through: u32,
    side: u32,
) {
    for row in step_range(CUBE_POS as u32, side, CUBE_COUNT as u32) {
        let first = lengths[(row * side + through) as usize];
        let hop = hops[(row * side + through) as usize];
        for column in cube_stride_range(0, side) {
            let index = (row * side + column) as usize;
            let path = first + lengths[(through * side + column) as usize];
            if path < lengths[index] {
                lengths[index] = path;
                hops[index] = hop;
            }
        }
    }
}
