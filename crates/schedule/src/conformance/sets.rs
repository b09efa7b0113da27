//! The tile sets of the suite: what the tiles and atoms of a shape are called in each.

use std::ops::Range;

use crate::{Result, device::Gpu, tiles::VertexList};

equipoise_base::named_enum! {
    /// A kind of tile set, by its name.
    ///
    /// ```
    /// use equipoise_schedule::conformance::SetName;
    ///
    /// assert_eq!(SetName::Frontier.to_string(), "frontier");
    /// ```
    pub enum SetName("tile set") {
        /// The rows of a matrix.
        Csr = "csr",
        /// The columns of a matrix.
        Csc = "csc",
        /// The entries of a matrix: as many as the shape has tiles.
        Coo = "coo",
        /// A list of vertices.
        Frontier = "frontier",
        /// Rows that lie anywhere, of which only the number of entries is known.
        Counted = "counted",
    }
}

/// What the tiles and atoms of a set are called.
pub(super) struct Layout {
    /// For each tile, its name and those of its atoms.
    pub tiles: Vec<(u32, Range<u32>)>,
    /// Tiles have names below it.
    pub tile_names: u32,
    /// Atoms have names below it.
    pub atom_names: u32,
}

impl Layout {
    /// Rows or columns: names are counted through.
    pub fn compressed(offsets: &[u32]) -> Self {
        let ends = offsets.windows(2).map(|ends| ends[0]..ends[1]);
        let tiles: Vec<_> = (0..).zip(ends).collect();
        let atom_names = offsets.last().copied().unwrap_or(0);
        Self { tile_names: tiles.len() as u32, atom_names, tiles }
    }

    /// A tile each entry.
    pub fn entries(entries: u32) -> Self {
        let tiles = (0..entries).map(|entry| (entry, entry..entry + 1)).collect();
        Self { tiles, tile_names: entries, atom_names: entries }
    }

    pub fn has_atoms(&self) -> bool {
        self.tiles.iter().any(|(_, atoms)| !atoms.is_empty())
    }
}

/// Where tiles of the given sizes start, and where the last one ends.
pub(super) fn offsets(sizes: &[u32]) -> Vec<u32> {
    let ends = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Rows that lie in the opposite order, with an entry between each two that belongs to none: what
/// they are called, where each begins, and how many entries it has.
pub(super) fn loose_rows(sizes: &[u32]) -> (Layout, Vec<u32>, Vec<u32>) {
    let mut end: u32 = sizes.iter().map(|size| size + 1).sum();
    let mut layout = Layout { tiles: vec![], tile_names: sizes.len() as u32, atom_names: end };
    for (row, &size) in (0..).zip(sizes) {
        end -= size + 1;
        layout.tiles.push((row, end..end + size));
    }
    let begins = layout.tiles.iter().map(|(_, atoms)| atoms.start).collect();
    (layout, begins, sizes.to_vec())
}

/// Edges of each vertex that is not in the list.
const EDGES_OF_OTHERS: u32 = 3;

/// Entries of the list that its count leaves out.
const ROOM: usize = 5;

/// A graph, every second vertex of which is in the list, the last one first.
pub(super) fn frontier(gpu: &Gpu, sizes: &[u32]) -> Result<(Layout, VertexList)> {
    let degrees: Vec<u32> =
        sizes.iter().rev().flat_map(|&size| [EDGES_OF_OTHERS, size]).chain([1]).collect();
    let offsets = offsets(&degrees);
    let listed = sizes.len() as u32;
    let vertices = (0..listed).map(|index| (listed - 1 - index) * 2 + 1);
    let edges = |vertex: u32| offsets[vertex as usize]..offsets[vertex as usize + 1];
    let layout = Layout {
        tiles: vertices.clone().map(|vertex| (vertex, edges(vertex))).collect(),
        tile_names: degrees.len() as u32,
        atom_names: degrees.iter().sum(),
    };
    let list: Vec<u32> = vertices.chain([0; ROOM]).collect();
    let count = gpu.upload(&[listed])?;
    let list = VertexList::new(gpu, &gpu.upload(&offsets)?, gpu.upload(&list)?, count)?;
    Ok((layout, list))
}
