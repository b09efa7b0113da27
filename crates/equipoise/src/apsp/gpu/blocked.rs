//! Floyd-Warshall in blocks of 64 vertices.
//!
//! For each block: close the tile where its rows and columns meet over itself; with that, update its
//! rows and its columns, which become two panels; then compare every length of the matrix with the
//! paths through the block, by a product of the panels.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, GpuRuntime};

use super::{
    block::{BLOCK, Block, Columns},
    length::{DeviceLength, UNITS},
    panels::{close_middle, make_panels},
    product::improve_all,
    strip::Strip,
    with_hops,
};
use crate::Result;

/// Runs Floyd-Warshall on a strip that is the whole matrix.
pub(super) fn blocked<T: DeviceLength>(matrix: &Strip<T>) -> Result<()> {
    let gpu = matrix.gpu;
    let block = Block::new(gpu, matrix.side)?;
    let columns = Columns::new(gpu, matrix.side, matrix.hops.is_some())?;
    for number in 0..matrix.vertices.div_ceil(BLOCK) {
        block.step(matrix, &columns, number, None);
    }
    Ok(gpu.finish()?)
}

impl<T: DeviceLength> Block<T> {
    /// Allows paths through block `number` in a strip. Without `discarded`, the strip has the block's
    /// rows, those of vertices `number * BLOCK` on, and the block is made of them. Otherwise the block
    /// was made before, and the panel of rows that is made again goes to `discarded`.
    pub fn step(
        &self,
        strip: &Strip<T>,
        columns: &Columns<T>,
        number: u32,
        discarded: Option<&Buffer<T>>,
    ) {
        if let (Some(hops), Some(column_hops)) = (&strip.hops, &columns.hops) {
            let has_rows = discarded.is_none();
            with_hops::step(strip, self, &columns.lengths, [hops, column_hops], number, has_rows);
            return;
        }
        let (across, down) = (strip.side / BLOCK, strip.rows / BLOCK);
        let rows = discarded.unwrap_or(&self.rows);
        if discarded.is_none() {
            // SAFETY: the strip has `rows` rows of `side` lengths, the block's among them, and the
            // middle has the lengths of a tile.
            unsafe {
                close_middle::launch_unchecked::<T, GpuRuntime>(
                    strip.gpu.client(),
                    CubeCount::new_single(),
                    CubeDim::new_1d(UNITS),
                    strip.lengths.arg(),
                    self.middle.arg(),
                    number,
                    strip.side,
                );
            }
            if across > down {
                self.make_panels(strip, rows, columns, number, CubeCount::new_2d(across, 1));
            }
        }
        self.make_panels(strip, rows, columns, number, CubeCount::new_2d(down, 2));
        improve_all(strip, &self.rows, &columns.lengths);
    }

    /// Makes the tiles of panels: of rows, and of columns if `tiles` has a second row.
    fn make_panels(
        &self,
        strip: &Strip<T>,
        rows: &Buffer<T>,
        columns: &Columns<T>,
        number: u32,
        tiles: CubeCount,
    ) {
        // SAFETY: no tile is beyond the last row of the strip or, for tiles of rows, its last column.
        // The strip has as many rows as a block, from `number * BLOCK` on. The panels have a row of
        // `side` lengths per vertex of a block.
        unsafe {
            make_panels::launch_unchecked::<T, GpuRuntime>(
                strip.gpu.client(),
                tiles,
                CubeDim::new_1d(UNITS),
                strip.lengths.arg(),
                self.middle.arg(),
                rows.arg(),
                columns.lengths.arg(),
                number,
                strip.side,
            );
        }
    }
}
