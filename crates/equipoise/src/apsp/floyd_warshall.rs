//! Blocked Floyd-Warshall.
//!
//! The matrix of distances is stored tile after tile. For each diagonal tile: close it over itself;
//! then update the tiles of its row, by one min-plus product each; then, in every other row of tiles,
//! the tile of its column and with that all others. Threads share the tiles of the diagonal's row,
//! and then the other rows.

use equipoise_graph::{Graph, cancel, parallel::*};

use super::{
    length::Length,
    tile::{AREA, SIDE, Vectors},
};

/// The size of the matrix in numbers: whole tiles.
pub(super) fn numbers(vertices: u32) -> u64 {
    let side = u64::from(vertices).next_multiple_of(SIDE as u64);
    side.saturating_mul(side)
}

/// The working memory of a thread in numbers: a row of tiles.
pub(super) fn numbers_per_thread(vertices: u32) -> u64 {
    u64::from(vertices).next_multiple_of(SIDE as u64) * SIDE as u64
}

/// Finds all distances, row after row, at the start of `matrix`, which is filled with `FAR` and has
/// [`numbers`] elements.
pub(super) fn floyd_warshall<T: Length>(graph: &Graph, matrix: &mut [T], vectors: Vectors) {
    let vertices = graph.vertices() as usize;
    let tiles = vertices.div_ceil(SIDE);
    if tiles == 0 {
        return;
    }
    fill(graph, matrix, tiles);
    for diagonal in 0..tiles {
        cancel::poll();
        step(matrix, tiles, diagonal, vectors);
    }
    into_rows(matrix, vertices, tiles);
}

/// Sets the diagonal to 0, and each pair with an edge to the least weight of its edges.
fn fill<T: Length>(graph: &Graph, matrix: &mut [T], tiles: usize) {
    matrix.par_chunks_mut(tiles * AREA).enumerate().for_each(|(index, strip)| {
        let start = index * SIDE;
        for row in 0..SIDE.min(graph.vertices() as usize - start) {
            let vertex = (start + row) as u32;
            let index = |column: usize| column / SIDE * AREA + row * SIDE + column % SIDE;
            for (&target, edge) in graph.neighbors(vertex).iter().zip(graph.csr().range(vertex)) {
                let best = &mut strip[index(target as usize)];
                *best = T::weight_of(graph, edge).smaller(*best);
            }
            strip[index(start + row)] = T::default();
        }
    });
}

/// Allows paths through the vertices of one diagonal tile.
fn step<T: Length>(matrix: &mut [T], tiles: usize, diagonal: usize, vectors: Vectors) {
    let (above, rest) = matrix.split_at_mut(diagonal * tiles * AREA);
    let (strip, below) = rest.split_at_mut(tiles * AREA);
    let center = &mut strip[diagonal * AREA..][..AREA];
    vectors.close(center);
    let center = center.to_vec();
    other_tiles(strip, diagonal).for_each(|(_, tile)| {
        let before = tile.to_vec();
        vectors.product(tile, &center, &before);
    });
    let strip = &*strip;
    above.par_chunks_mut(tiles * AREA).chain(below.par_chunks_mut(tiles * AREA)).for_each(|row| {
        let column = &mut row[diagonal * AREA..][..AREA];
        let before = column.to_vec();
        vectors.product(column, &before, &center);
        let column = column.to_vec();
        other_tiles(row, diagonal).for_each(|(index, tile)| {
            vectors.product(tile, &column, &strip[index * AREA..][..AREA]);
        });
    });
}

/// The tiles of a strip except the one at `diagonal`, with their numbers.
fn other_tiles<T: Length>(
    strip: &mut [T],
    diagonal: usize,
) -> impl ParallelIterator<Item = (usize, &mut [T])> {
    strip.par_chunks_mut(AREA).enumerate().filter(move |(index, _)| *index != diagonal)
}

/// Converts tiles to rows without padding, and lengths to those of results.
fn into_rows<T: Length>(matrix: &mut [T], vertices: usize, tiles: usize) {
    let width = tiles * SIDE;
    matrix.par_chunks_mut(tiles * AREA).for_each_init(Vec::new, |copy, strip| {
        copy.clear();
        copy.extend_from_slice(strip);
        for (row, target) in strip.chunks_exact_mut(width).enumerate() {
            for (tile, target) in copy.chunks_exact(AREA).zip(target.chunks_exact_mut(SIDE)) {
                for (&length, target) in tile[row * SIDE..][..SIDE].iter().zip(target) {
                    *target = length.in_result();
                }
            }
        }
    });
    if vertices < width {
        for row in 1..vertices {
            matrix.copy_within(row * width..row * width + vertices, row * vertices);
        }
    }
}
