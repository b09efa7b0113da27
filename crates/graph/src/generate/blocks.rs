//! Matrices of dense blocks.

use std::ops::Range;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::{Ends, edges},
};

/// A matrix of `count` dense blocks, one after the other along the diagonal. One block is a dense
/// matrix, of a single column or row if it is that narrow.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// How many blocks there are.
    pub count: u64,
    /// The rows of a block.
    pub rows: u64,
    /// The columns of a block.
    pub columns: u64,
}

pub(super) static BLOCKS: Description = Description {
    name: "blocks",
    about: "a matrix, not a graph, of dense blocks along its diagonal",
    example: "blocks:count=1000,rows=16,columns=16",
    keys: &[
        Key::default("count", "1", "blocks"),
        Key::required("rows", "rows of a block"),
        Key::required("columns", "columns of a block"),
    ],
    read: |values| {
        let (rows, columns) = (values.get("rows")?, values.get("columns")?);
        Ok(Generator::Blocks(Blocks { count: values.get("count")?, rows, columns }))
    },
};

impl Family for Blocks {
    fn description(&self) -> &'static Description {
        &BLOCKS
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Self { count, rows, columns } = self;
        vec![
            ("count", count.to_string()),
            ("rows", rows.to_string()),
            ("columns", columns.to_string()),
        ]
    }

    fn size(&self) -> Size {
        let Self { count, rows, columns } = *self;
        // What is too large for this is too large to generate, too.
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
