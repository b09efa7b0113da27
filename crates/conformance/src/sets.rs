//! The tile sets of the suite, with the names that each gives to tiles and atoms.

use std::ops::Range;

use equipoise_schedule::{Result, device::Gpu, tiles::VertexList};

equipoise_graph::named_enum! {
    /// A kind of tile set, by its name.
    ///
    /// ```
    /// use equipoise_conformance::SetName;
    ///
    /// assert_eq!(SetName::Frontier.to_string(), "frontier");
    /// ```
    pub enum SetName("tile set") {
        /// The rows of a matrix.
        Csr = "csr",
        /// The entries of a matrix, one per tile of the shape.
        Coo = "coo",
        /// A list of vertices.
        Frontier = "frontier",
        /// Rows anywhere in an array, with the number of entries of each.
        Counted = "counted",
    }
}

/// The names of the tiles and atoms of a set.
pub(crate) struct Layout {
    /// For each tile, its name and those of its atoms.
    pub tiles: Vec<(u32, Range<u32>)>,
    /// Bound of the names of tiles.
    pub tile_names: u32,
    /// Bound of the names of atoms.
    pub atom_names: u32,
}

impl Layout {
    /// Rows or columns, with consecutive names.
    pub fn compressed(offsets: &[u32]) -> Self {
        let ends = offsets.windows(2).map(|ends| ends[0]..ends[1]);
        let tiles: Vec<_> = (0..).zip(ends).collect();
        let atom_names = offsets.last().copied().unwrap_or(0);
        Self { tile_names: tiles.len() as u32, atom_names, tiles }
    }

    /// One tile per entry.
    pub fn entries(entries: u32) -> Self {
        let tiles = (0..entries).map(|entry| (entry, entry..entry + 1)).collect();
        Self { tiles, tile_names: entries, atom_names: entries }
    }

    pub fn has_atoms(&self) -> bool {
        self.tiles.iter().any(|(_, atoms)| !atoms.is_empty())
    }
}

/// The starts of tiles of the given sizes, and the end of the last.
pub(crate) fn offsets(sizes: &[u32]) -> Vec<u32> {
    let ends = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Rows in descending order with an unused entry between any two: their names, where each begins, and its number of entries.
pub(crate) fn loose_rows(sizes: &[u32]) -> (Layout, Vec<u32>, Vec<u32>) {
    let mut end: u32 = sizes.iter().map(|size| size + 1).sum();
    let mut layout = Layout { tiles: vec![], tile_names: sizes.len() as u32, atom_names: end };
    for (row, &size) in (0..).zip(sizes) {
        end -= size + 1;
        layout.tiles.push((row, end..end + size));
    }
    let begins = layout.tiles.iter().map(|(_, atoms)| atoms.start).collect();
    (layout, begins, sizes.to_vec())
}

/// Edges of each vertex outside of the list.
const EDGES_OF_OTHERS: u32 = 3;

/// Entries of the list beyond its count.
const ROOM: usize = 5;

/// A graph, and a list of every second vertex in descending order.
pub(crate) fn frontier(gpu: &Gpu, sizes: &[u32]) -> Result<(Layout, VertexList)> {
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
