//! Matrices of dense blocks.

use std::ops::Range;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    random::{Ends, edges},
};

parameters! {
    /// A matrix of `count` dense blocks along the diagonal. A single block is a dense matrix, down to a
    /// single row or column.
    ///
    /// ```
    /// use equipoise_graph::generate::{Blocks, Generator, Spec};
    ///
    /// let blocks = Blocks { count: 2, rows: 3, columns: 2 };
    /// let matrix = Spec::new(Generator::Blocks(blocks)).generate_matrix::<f32>()?;
    /// assert_eq!(matrix.row(2).0, [0, 1]);
    /// assert_eq!(matrix.row(3).0, [2, 3]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Blocks = BLOCKS(
        "blocks",
        "a matrix, not a graph, of dense blocks along its diagonal",
        "blocks:count=1000,rows=16,columns=16"
    ) {
        /// The number of blocks.
        count: u64 = Key::default("count", "1", "blocks"),
        /// The number of rows per block.
        rows: u64 = Key::required("rows", "rows of a block"),
        /// The number of columns per block.
        columns: u64 = Key::required("columns", "columns of a block"),
    }
}

impl Family for Blocks {
    fn size(&self) -> Size {
        let Self { count, rows, columns } = *self;
        // A size that overflows this is far beyond the limits of generation.
        let vertices = u128::from(count) * u128::from(rows.max(columns));
        let edges = (u128::from(count) * u128::from(rows)).saturating_mul(columns.into());
        Size { vertices, edges }
    }

    fn shape(&self) -> Option<(u64, u64)> {
        let Self { count, rows, columns } = *self;
        Some((count.saturating_mul(rows), count.saturating_mul(columns)))
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let Self { rows, columns, .. } = *self;
        edges(self.numbers(blocks), seed, |_, number| {
            let (row, column) = (number / columns, number % columns);
            (row as u32, (row / rows * columns + column) as u32)
        })
    }
}
