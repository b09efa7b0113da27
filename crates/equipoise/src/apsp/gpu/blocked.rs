//! Floyd-Warshall in blocks of 64 vertices that paths may go through.
//!
//! For each block: the tile where its rows and columns meet is closed over itself; with that, its
//! rows and its columns are, which makes two panels; and then every length of the matrix is compared
//! with the paths through the block, by a product of the panels.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, GpuRuntime};

use super::{
    block::{BLOCK, Block, Columns},
    length::{DeviceLength, UNITS},
    matrix::Strip,
    panels::{close_middle, make_panels},
    product::improve_all,
    with_hops,
};
use crate::Result;

/// Closes a matrix all of whose rows are there.
pub(super) fn blocked<T: DeviceLength>(matrix: &Strip<T>) -> Result<()> {
    let gpu = matrix.gpu;
    let block = Block::new(gpu, matrix.side)?;
    let columns = Columns::new(gpu, matrix.side, matrix.hops.is_some())?;
    for number in 0..matrix.vertices.div_ceil(BLOCK) {
        block.step_of_its_rows(matrix, &columns, number);
    }
    Ok(gpu.finish()?)
}

impl<T: DeviceLength> Block<T> {
    /// Allows paths through the block with that number in a strip whose rows include its own: row
    /// `i` of the strip is that of the vertex of column `i`.
    pub fn step_of_its_rows(&self, strip: &Strip<T>, columns: &Columns<T>, number: u32) {
        let (across, down) = (strip.side / BLOCK, strip.rows / BLOCK);
        if let (Some(hops), Some(column_hops)) = (&strip.hops, &columns.hops) {
            with_hops::stage_middle_of(strip, self, number);
            with_hops::make_rows(strip, self, number);
            with_hops::make_columns(strip, self, columns, column_hops, hops, number);
            with_hops::improve_all(strip, self, columns, column_hops, hops);
            return;
        }
        // SAFETY: the strip has `rows` rows of `side` lengths, of which the block's are some, and
        // the middle those of a tile.
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
            self.make(strip, &self.rows, columns, number, CubeCount::new_2d(across, 1));
        }
        self.make(strip, &self.rows, columns, number, CubeCount::new_2d(down, 2));
        improve_all(strip, &self.rows, &columns.lengths);
    }

    /// The same in a strip of other rows. The panel of rows that could be made of it goes to
    /// `discarded`.
    pub fn step_of_other_rows(
        &self,
        strip: &Strip<T>,
        columns: &Columns<T>,
        discarded: &Buffer<T>,
        number: u32,
    ) {
        if let (Some(hops), Some(column_hops)) = (&strip.hops, &columns.hops) {
            with_hops::make_columns(strip, self, columns, column_hops, hops, number);
            with_hops::improve_all(strip, self, columns, column_hops, hops);
            return;
        }
        let down = strip.rows / BLOCK;
        self.make(strip, discarded, columns, number, CubeCount::new_2d(down, 2));
        improve_all(strip, &self.rows, &columns.lengths);
    }

    /// Makes tiles of panels: of rows, and of columns if `tiles` has a second row.
    fn make(
        &self,
        strip: &Strip<T>,
        rows: &Buffer<T>,
        columns: &Columns<T>,
        number: u32,
        tiles: CubeCount,
    ) {
        // SAFETY: the strip has `rows` rows of `side` lengths, as many or more, and no tile is beyond
        // the last one, or if it is one of rows, the last column. The block's rows, or as many
        // others, are in it. The panels have a row of `side` lengths for each vertex of a block.
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
