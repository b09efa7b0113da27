//! Merge-path SpMV written directly in CubeCL, without tile sets, works and schedules: the baseline
//! for the cost of the programming model.
//!
//! The steps equal those of the model's merge-path, with arrays and sums instead of traits.

use cubecl::prelude::*;
use equipoise::sparse::gpu::DeviceMatrix;
use equipoise_schedule::device::{Buffer, Gpu, GpuRuntime};

use crate::Result;

const UNITS: u32 = 256;
const ITEMS: u32 = 7;
const SIZE: u32 = UNITS * ITEMS;

/// A prepared matrix.
pub struct Direct<'a> {
    matrix: &'a DeviceMatrix<f32>,
    pieces: u32,
    starts: Buffer<u32>,
    heads: Buffer<f32>,
    tails: Buffer<f32>,
}

impl<'a> Direct<'a> {
    /// Finds the starts of the pieces.
    pub fn new(gpu: &Gpu, matrix: &'a DeviceMatrix<f32>) -> Result<Self> {
        let pieces = (matrix.rows() + matrix.entries()).div_ceil(SIZE).max(1);
        let starts = gpu.empty(pieces as usize + 1)?;
        // SAFETY: the kernel writes one start per piece and one more.
        unsafe {
            direct_cuts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::Static((pieces + 1).div_ceil(UNITS), 1, 1),
                CubeDim::new_1d(UNITS),
                matrix.offsets().arg(),
                starts.arg(),
                matrix.rows(),
                pieces,
            );
        }
        let (heads, tails) = (gpu.empty(pieces as usize)?, gpu.empty(pieces as usize)?);
        Ok(Self { matrix, pieces, starts, heads, tails })
    }

    /// Enqueues `y = A·x`.
    pub fn run(&self, gpu: &Gpu, x: &Buffer<f32>, y: &Buffer<f32>) {
        let matrix = self.matrix;
        let planes = UNITS / gpu.plane_size();
        // SAFETY: starts, heads and tails have one slot per piece; columns are below the length of
        // x, rows below that of y.
        unsafe {
            direct_pieces::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::Static(self.pieces, 1, 1),
                CubeDim::new_1d(UNITS),
                matrix.offsets().arg(),
                matrix.indices().arg(),
                matrix.values().arg(),
                x.arg(),
                y.arg(),
                self.starts.arg(),
                self.heads.arg(),
                self.tails.arg(),
                matrix.rows(),
                gpu.plane_size(),
            );
            direct_fix_up::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::Static(self.pieces.div_ceil(planes), 1, 1),
                CubeDim::new_1d(UNITS),
                y.arg(),
                self.starts.arg(),
                self.heads.arg(),
                self.tails.arg(),
                self.pieces,
                gpu.plane_size(),
            );
        }
    }
}

#[cube(launch_unchecked)]
fn direct_cuts(offsets: &Array<u32>, starts: &mut Array<u32>, rows: u32, pieces: u32) {
    let index = ABSOLUTE_POS as u32;
    if index <= pieces {
        let entries = offsets[rows as usize];
        let position = min(index * SIZE, rows + entries);
        let mut low = position.saturating_sub(entries);
        let mut high = min(position, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if offsets[(middle + 1) as usize] < position - middle {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        starts[index as usize] = low;
    }
}

#[cube(launch_unchecked)]
fn direct_pieces(
    offsets: &Array<u32>,
    columns: &Array<u32>,
    values: &Array<f32>,
    x: &Array<f32>,
    y: &mut Array<f32>,
    starts: &Array<u32>,
    heads: &mut Array<f32>,
    tails: &mut Array<f32>,
    rows: u32,
    #[comptime] plane: u32,
) {
    let piece = CUBE_POS as u32;
    let begin = piece * SIZE;
    let stop = min(begin + SIZE, rows + offsets[rows as usize]);
    let (first_row, last_row) = (starts[piece as usize], starts[(piece + 1) as usize]);
    let (first_entry, last_entry) = (begin - first_row, stop - last_row);

    let mut ends = SharedMemory::<u32>::new(comptime!(SIZE.div_ceil(2) as usize));
    let piece_rows = last_row - first_row;
    let mut pair = UNIT_POS;
    while pair < piece_rows.div_ceil(2) {
        let row = first_row + pair * 2;
        let low = offsets[(row + 1) as usize] - first_entry;
        let mut high = low;
        if row + 1 < last_row {
            high = offsets[(row + 2) as usize] - first_entry;
        }
        ends[pair as usize] = low | (high << 16);
        pair += UNITS;
    }
    sync_cube();
    let mut products = SharedMemory::<f32>::new(comptime!(SIZE as usize));
    #[unroll]
    for item in 0..ITEMS {
        let slot = item * UNITS + UNIT_POS;
        let entry = first_entry + slot;
        if entry < last_entry {
            products[slot as usize] = values[entry as usize] * x[columns[entry as usize] as usize];
        }
    }
    sync_cube();

    let position = min(UNIT_POS * ITEMS, stop - begin);
    let next_position = min(position + ITEMS, stop - begin);
    let mut low = position.saturating_sub(last_entry - first_entry);
    let mut high = min(position, piece_rows);
    while low < high {
        let middle = (low + high) / 2;
        let end = (ends[(middle / 2) as usize] >> (middle % 2 * 16)) & 0xffff;
        if end < position - middle {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut row = low;
    let mut unit_rows = SharedMemory::<u32>::new(comptime!((UNITS + 1) as usize));
    unit_rows[UNIT_POS as usize] = row;
    if UNIT_POS == 0 {
        unit_rows[comptime!(UNITS as usize)] = piece_rows;
    }
    sync_cube();
    let last = unit_rows[(UNIT_POS + 1) as usize];
    let mut entry = position - row;
    let last_own = next_position - last;

    let unit_row = row;
    let mut ended = 0u32.runtime();
    let mut head = 0.0f32;
    let mut total = 0.0f32;
    let mut end = last_own;
    if row < last {
        end = (ends[(row / 2) as usize] >> (row % 2 * 16)) & 0xffff;
    }
    while row < last || entry < last_own {
        if entry < end {
            total += products[entry as usize];
            entry += 1;
        } else {
            if ended == 0u32 {
                head = total;
            } else {
                y[(first_row + row) as usize] = total;
            }
            ended += 1u32;
            total = 0.0f32;
            row += 1;
            end = last_own;
            if row < last {
                end = (ends[(row / 2) as usize] >> (row % 2 * 16)) & 0xffff;
            }
        }
    }

    let rank = UNIT_POS % plane;
    let mut closed = u32::cast_from(ended > 0u32);
    let mut own = total;
    #[unroll]
    for doubling in 0..comptime!(plane.ilog2()) {
        let step = 1u32 << doubling;
        let left_closed = plane_shuffle_up(closed, step);
        let left = plane_shuffle_up(own, step);
        if rank >= step {
            if closed == 0 {
                own += left;
            }
            closed |= left_closed;
        }
    }
    let shuffled_closed = plane_shuffle_up(closed, 1u32);
    let shuffled = plane_shuffle_up(own, 1u32);
    let mut left_closed = 0u32;
    let mut left = 0.0f32;
    if rank >= 1 {
        left_closed = shuffled_closed;
        left = shuffled;
    }
    let planes = comptime!(UNITS / plane);
    let mut plane_closed = SharedMemory::<u32>::new(comptime!(planes as usize));
    let mut plane_total = SharedMemory::<f32>::new(comptime!(planes as usize));
    let own_plane = UNIT_POS / plane;
    if rank == comptime!(plane - 1) {
        plane_closed[own_plane as usize] = closed;
        plane_total[own_plane as usize] = own;
    }
    sync_cube();
    let mut earlier = 0.0f32;
    for other in 0..own_plane {
        if plane_closed[other as usize] == 0 {
            earlier += plane_total[other as usize];
        } else {
            earlier = plane_total[other as usize];
        }
    }
    if left_closed == 0 {
        left += earlier;
    }
    if closed == 0 {
        own += earlier;
    }
    if ended > 0u32 {
        if unit_row == 0 && piece > 0 {
            heads[piece as usize] = left + head;
        } else {
            y[(first_row + unit_row) as usize] = left + head;
        }
    }
    if UNIT_POS == comptime!(UNITS - 1) {
        tails[piece as usize] = own;
    }
}

#[cube(launch_unchecked)]
fn direct_fix_up(
    y: &mut Array<f32>,
    starts: &Array<u32>,
    heads: &Array<f32>,
    tails: &Array<f32>,
    pieces: u32,
    #[comptime] plane: u32,
) {
    let piece = CUBE_POS as u32 * comptime!(UNITS / plane) + UNIT_POS / plane;
    let rank = UNIT_POS % plane;
    let mut total = 0.0f32;
    let mut row = 0u32;
    let mut ends_here = false;
    if piece > 0 && piece < pieces {
        row = starts[piece as usize];
        ends_here = row < starts[(piece + 1) as usize];
        if ends_here {
            let mut after = piece.saturating_sub(rank);
            let mut ends_there = after > 0 && starts[after as usize] == row;
            while ends_there {
                total += tails[(after - 1) as usize];
                after = after.saturating_sub(plane);
                ends_there = after > 0 && starts[after as usize] == row;
            }
        }
    }
    #[unroll]
    for doubling in 0..comptime!(plane.ilog2()) {
        total += plane_shuffle_xor(total, 1u32 << doubling);
    }
    if ends_here && rank == 0 {
        y[row as usize] = total + heads[piece as usize];
    }
}
