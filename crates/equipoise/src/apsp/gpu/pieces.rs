//! Copies of the host's rows to and from a strip, a piece at a time.
//!
//! In a strip, the length of rows is a multiple of 128, and rows begin with the column of a chosen
//! vertex, so that the vertices of a block have the same indices as rows and as columns.

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{
    device::{Buffer, Element, Gpu, GpuRuntime},
    ranges::*,
};

use super::length::UNITS;
use crate::Result;

/// The layout of the host's rows in a strip.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub vertices: u32,
    /// The length of a row of the strip.
    pub side: u32,
    /// The vertex of the first column.
    pub first: u32,
    /// Rows per piece.
    pub piece: u32,
}

/// Copies whole rows of the host to the first rows of a strip. Columns beyond the last vertex get
/// `padding`.
pub(super) fn put<E: Element + Numeric>(
    gpu: &Gpu,
    strip: &Buffer<E>,
    rows: &[E],
    layout: Layout,
    padding: E,
) -> Result<()> {
    let Layout { vertices, side, first, piece } = layout;
    let pieces = rows.chunks((piece * vertices).max(1) as usize);
    for (start, rows) in (0..).step_by(piece as usize).zip(pieces) {
        let count = rows.len() as u32 / vertices;
        let from = gpu.upload(rows)?;
        // SAFETY: the piece has `count` rows of `vertices` numbers, and the strip as many rows of `side`
        // numbers from row `start` on.
        unsafe {
            put_rows::launch_unchecked::<E, GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(count * side).div_ceil(UNITS.into())),
                CubeDim::new_1d(UNITS),
                from.arg(),
                strip.arg(),
                padding,
                start * side,
                count * side,
                vertices,
                side,
                first,
            );
        }
        // The memory suffices for one piece at a time.
        gpu.finish()?;
    }
    Ok(())
}

/// Copies the first rows of a strip to the host, with each number changed by `convert`.
pub(super) fn take<E: Element + Numeric>(
    gpu: &Gpu,
    strip: &Buffer<E>,
    rows: &mut [E],
    layout: Layout,
    convert: impl Fn(E) -> E + Sync,
) -> Result<()> {
    let Layout { vertices, side, first, piece } = layout;
    let numbers = (piece * vertices).max(1) as usize;
    let buffer = gpu.empty::<E>(numbers.min(rows.len()))?;
    for (start, rows) in (0..).step_by(piece as usize).zip(rows.chunks_mut(numbers)) {
        let count = rows.len() as u32;
        // SAFETY: the piece has `count` numbers, `vertices` per row, and the strip as many rows of `side`
        // numbers from row `start` on.
        unsafe {
            take_rows::launch_unchecked::<E, GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(count).div_ceil(UNITS.into())),
                CubeDim::new_1d(UNITS),
                strip.arg(),
                buffer.arg(),
                start * side,
                count,
                vertices,
                side,
                first,
            );
        }
        let piece = gpu.download(&buffer)?;
        rows.par_iter_mut().zip(&piece).for_each(|(number, &value)| *number = convert(value));
    }
    Ok(())
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn put_rows<E: Numeric + CubeElement>(
    piece: &Array<E>,
    strip: &mut Array<E>,
    padding: E,
    start: u32,
    count: u32,
    vertices: u32,
    side: u32,
    first: u32,
) {
    for index in grid_stride_range(0, count) {
        let (row, column) = (index / side, index % side);
        let mut number = padding;
        if column < vertices {
            let mut vertex = column + first;
            if vertex >= vertices {
                vertex -= vertices;
            }
            number = piece[(row * vertices + vertex) as usize];
        }
        strip[(start + index) as usize] = number;
    }
}

#[cube(launch_unchecked)]
fn take_rows<E: Numeric>(
    strip: &Array<E>,
    piece: &mut Array<E>,
    start: u32,
    count: u32,
    vertices: u32,
    side: u32,
    first: u32,
) {
    for index in grid_stride_range(0, count) {
        let (row, vertex) = (index / vertices, index % vertices);
        let mut column = vertex + vertices - first;
        if column >= vertices {
            column -= vertices;
        }
        piece[index as usize] = strip[(start + row * side + column) as usize];
    }
}
