//! Matrices with entries near the diagonal only.

use std::ops::Range;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::{Ends, edges},
};

/// A matrix in which each row has `width` entries side by side, around the diagonal that leads from
/// its first to its last corner.
///
/// ```
/// use equipoise_graph::generate::{Band, Generator, Spec};
///
/// let band = Band { rows: 9, columns: 9, width: 3 };
/// let matrix = Spec::new(Generator::Band(band)).generate_matrix::<f32>()?;
/// assert_eq!(matrix.row(4).0, [3, 4, 5]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The number of rows.
    pub rows: u64,
    /// The number of columns.
    pub columns: u64,
    /// The entries of each row.
    pub width: u64,
}

pub(super) static BAND: Description = Description {
    name: "band",
    about: "a matrix, not a graph, with entries around its diagonal",
    example: "band:rows=100000,columns=100000,width=5",
    keys: &[
        Key::required("rows", "rows"),
        Key::required("columns", "columns"),
        Key::required("width", "entries of each row, side by side"),
    ],
    read: |values| {
        let (rows, columns) = (values.get("rows")?, values.get("columns")?);
        Ok(Generator::Band(Band { rows, columns, width: values.get("width")? }))
    },
};

impl Band {
    /// The first column of a row.
    fn start(&self, row: u64) -> u64 {
        let middle = u128::from(row) * u128::from(self.columns) / u128::from(self.rows);
        (middle as u64).saturating_sub(self.width / 2).min(self.columns - self.width)
    }
}

impl Family for Band {
    fn description(&self) -> &'static Description {
        &BAND
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Self { rows, columns, width } = self;
        vec![
            ("rows", rows.to_string()),
            ("columns", columns.to_string()),
            ("width", width.to_string()),
        ]
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { columns, width, .. } = self;
        match width <= columns {
            true => Ok(()),
            false => Err(format!("width={width}: expected at most the {columns} columns")),
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
            let (row, place) = (number / self.width, number % self.width);
            (row as u32, (self.start(row) + place) as u32)
        })
    }
}
