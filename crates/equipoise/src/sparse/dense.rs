//! Dense matrices.

use equipoise_graph::Value;

use crate::{Error, Result};

/// A dense matrix, row after row.
///
/// ```
/// use equipoise::sparse::Dense;
///
/// let dense = Dense::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(dense.row(1), [4.0, 5.0, 6.0]);
/// assert_eq!(dense.into_values().len(), 6);
/// assert!(Dense::new(2, 3, vec![1.0]).is_err());
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Dense<T> {
    rows: u32,
    columns: u32,
    values: Vec<T>,
}

impl<T: Value> Dense<T> {
    /// A matrix from its values, row after row.
    ///
    /// Fails unless `values` has `rows` × `columns` elements.
    pub fn new(rows: u32, columns: u32, values: Vec<T>) -> Result<Self> {
        let expected = u64::from(rows) * u64::from(columns);
        if values.len() as u64 != expected {
            return Err(Error::Shape(format!(
                "{} values were given for a dense matrix of {rows} rows × {columns} columns, which \
                 has {expected}",
                values.len()
            )));
        }
        Ok(Self { rows, columns, values })
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Row `row`.
    pub fn row(&self, row: u32) -> &[T] {
        let width = self.columns as usize;
        &self.values[row as usize * width..][..width]
    }

    /// All values, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Takes all values, row after row.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}
