//! Matrices with entries near the diagonal only.

use std::ops::Range;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    random::{Ends, edges},
};

parameters! {
    /// A matrix in which each row has `width` adjacent entries, around the line from its first to its
    /// last corner.
    ///
    /// ```
    /// use equipoise_graph::generate::{Band, Generator, Spec};
    ///
    /// let band = Band { rows: 9, columns: 9, width: 3 };
    /// let matrix = Spec::new(Generator::Band(band)).generate_matrix::<f32>()?;
    /// assert_eq!(matrix.row(4).0, [3, 4, 5]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Band = BAND(
        "band",
        "a matrix, not a graph, with entries around its diagonal",
        "band:rows=100000,columns=100000,width=5"
    ) {
        /// The number of rows.
        rows: u64 = Key::required("rows", "rows"),
        /// The number of columns.
        columns: u64 = Key::required("columns", "columns"),
        /// The number of entries per row.
        width: u64 = Key::required("width", "entries of each row, side by side"),
    }
}

impl Band {
    /// The first column of a row.
    fn start(&self, row: u64) -> u64 {
        let middle = u128::from(row) * u128::from(self.columns) / u128::from(self.rows);
        (middle as u64).saturating_sub(self.width / 2).min(self.columns - self.width)
    }
}

impl Family for Band {
    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { columns, width, .. } = self;
        if width <= columns {
            Ok(())
        } else {
            Err(format!("width={width}: expected at most the {columns} columns"))
        }
    }

    fn size(&self) -> Size {
        let edges = u128::from(self.rows) * u128::from(self.width);
        Size { vertices: self.rows.max(self.columns).into(), edges }
    }

    fn shape(&self) -> Option<(u64, u64)> {
        Some((self.rows, self.columns))
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        edges(self.numbers(blocks), seed, |_, number| {
            let (row, offset) = (number / self.width, number % self.width);
            (row as u32, (self.start(row) + offset) as u32)
        })
    }
}
