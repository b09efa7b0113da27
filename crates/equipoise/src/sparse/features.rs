//! The features of a matrix that policies choose by.
//!
//! | feature | what it is |
//! | --- | --- |
//! | `rows`, `columns`, `entries` | the matrix' size |
//! | `row_min`, `row_lower_quartile`, `row_median`, `row_upper_quartile`, `row_max`, `row_mean`, `row_deviation` | the distribution of entries per row |
//! | `row_variation` | deviation over mean |
//! | `empty_share` | rows without entries, as a share of all rows |
//! | `longest_share` | the longest row's entries, as a share of all entries |
//! | `padding` | entries if each row had the length of the longest in its group of 32, over the entries |
//!
//! All of them come from the row offsets. Entries per column would take a pass over all entries with
//! a random access each, many times the cost of a product.

use equipoise_graph::{Csr, Matrix, Value, parallel::*};

/// The features of a matrix that policies choose by.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::MatrixFeatures};
///
/// let matrix = Matrix::from_entries(3, 2, &[(0, 0, 1.0f32), (0, 1, 1.0), (2, 1, 1.0)])?;
/// let features = MatrixFeatures::new(&matrix);
/// assert_eq!((features.entries, features.longest_row, features.empty_rows), (3, 2, 1));
/// assert_eq!(features.quartiles, [0, 1, 1]);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MatrixFeatures {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The number of entries.
    pub entries: u64,
    /// The entries of the shortest row.
    pub shortest_row: u64,
    /// The quartiles of entries per row.
    pub quartiles: [u64; 3],
    /// The entries of the longest row.
    pub longest_row: u64,
    /// The number of rows without entries.
    pub empty_rows: u32,
    /// The standard deviation of entries per row.
    pub row_deviation: f64,
    /// The number of entries if each row had the length of the longest in its group of 32, over the
    /// number of entries; 1 without entries.
    pub padding: f64,
}

impl MatrixFeatures {
    /// The number of features of a model.
    pub const COUNT: usize = 14;

    /// The names of the features, in the order of [`values`](Self::values).
    pub const NAMES: [&str; Self::COUNT] = [
        "rows",
        "columns",
        "entries",
        "row_min",
        "row_lower_quartile",
        "row_median",
        "row_upper_quartile",
        "row_max",
        "row_mean",
        "row_deviation",
        "row_variation",
        "empty_share",
        "longest_share",
        "padding",
    ];

    /// The features of a matrix, from one pass over its row offsets.
    pub fn new<T: Value>(matrix: &Matrix<T>) -> Self {
        Self::from_csr(matrix.csr())
    }

    /// The features of rows without their values.
    pub(crate) fn from_csr(csr: &Csr) -> Self {
        let lengths = RowLengths::new(csr.offsets());
        let (rows, entries) = (csr.rows(), csr.entries());
        let (count, sum) = (u128::from(rows), u128::from(entries));
        // Exact: in integers.
        let variance = (count * lengths.squares - sum * sum) as f64;
        let last = u64::from(rows).saturating_sub(1);
        Self {
            rows,
            columns: csr.columns(),
            entries,
            shortest_row: lengths.nth(0),
            quartiles: [1, 2, 3].map(|quarter| lengths.nth(last * quarter / 4)),
            longest_row: lengths.nth(last),
            empty_rows: lengths.counts[0] as u32,
            row_deviation: variance.sqrt() / f64::from(rows.max(1)),
            padding: lengths.padded.max(1) as f64 / entries.max(1) as f64,
        }
    }

    /// The mean number of entries per row.
    pub fn mean_row(&self) -> f64 {
        self.entries as f64 / f64::from(self.rows.max(1))
    }

    /// The inputs of a model, in the order of [`NAMES`](Self::NAMES).
    ///
    /// ```
    /// use equipoise::{graph::Matrix, sparse::MatrixFeatures};
    ///
    /// let matrix = Matrix::from_entries(4, 2, &[(0, 0, 1.0f32), (0, 1, 1.0)])?;
    /// let values = MatrixFeatures::new(&matrix).values();
    /// let value = |name| values[MatrixFeatures::NAMES.iter().position(|&it| it == name).unwrap()];
    /// assert_eq!((value("empty_share"), value("longest_share"), value("padding")), (0.75, 1.0, 4.0));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn values(&self) -> [f32; Self::COUNT] {
        let [lower, median, upper] = self.quartiles.map(|quartile| quartile as f32);
        let mean = self.mean_row();
        let over = |part: f64, whole: f64| if whole > 0.0 { (part / whole) as f32 } else { 0.0 };
        [
            self.rows as f32,
            self.columns as f32,
            self.entries as f32,
            self.shortest_row as f32,
            lower,
            median,
            upper,
            self.longest_row as f32,
            mean as f32,
            self.row_deviation as f32,
            over(self.row_deviation, mean),
            over(self.empty_rows.into(), self.rows.into()),
            over(self.longest_row as f64, self.entries as f64),
            self.padding as f32,
        ]
    }
}

/// Neighbouring rows that padding makes equally long.
const GROUP: usize = 32;
/// Rows per task: whole groups.
const PART: usize = GROUP << 11;
/// Shorter rows are counted by length. There are few others.
const COUNTED: usize = 1 << 10;

struct RowLengths {
    /// The number of rows of each length below `COUNTED`.
    counts: Vec<u64>,
    /// The lengths of all other rows, ascending.
    long: Vec<u64>,
    squares: u128,
    padded: u128,
}

impl RowLengths {
    fn new(offsets: &[u64]) -> Self {
        let rows = offsets.len().saturating_sub(1);
        let parts = (0..rows.div_ceil(PART)).into_par_iter().map(|part| {
            let end = ((part + 1) * PART).min(rows);
            Self::count(&offsets[part * PART..=end])
        });
        let mut lengths = parts.reduce(Self::empty, Self::merge);
        lengths.long.sort_unstable();
        lengths
    }

    fn empty() -> Self {
        Self { counts: vec![0; COUNTED], long: Vec::new(), squares: 0, padded: 0 }
    }

    fn count(offsets: &[u64]) -> Self {
        let mut lengths = Self::empty();
        let (starts, ends) = (&offsets[..offsets.len() - 1], &offsets[1..]);
        for (starts, ends) in starts.chunks(GROUP).zip(ends.chunks(GROUP)) {
            let mut longest = 0;
            for (start, end) in starts.iter().zip(ends) {
                let length = end - start;
                match lengths.counts.get_mut(length as usize) {
                    Some(count) => *count += 1,
                    None => lengths.long.push(length),
                }
                lengths.squares += u128::from(length) * u128::from(length);
                longest = longest.max(length);
            }
            lengths.padded += u128::from(longest) * starts.len() as u128;
        }
        lengths
    }

    fn merge(mut self, mut other: Self) -> Self {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.long.append(&mut other.long);
        self.squares += other.squares;
        self.padded += other.padded;
        self
    }

    /// The length of the row of this rank in ascending order of length; 0 beyond the last.
    fn nth(&self, mut rank: u64) -> u64 {
        for (length, &count) in (0..).zip(&self.counts) {
            if rank < count {
                return length;
            }
            rank -= count;
        }
        self.long.get(rank as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load_matrix};

    use super::*;

    #[test]
    fn features_are_those_of_sorted_rows() {
        for spec in [
            "matrix:rows=70001,columns=9000,entries=300000,skew=3,empty=0.3,giant=0.02",
            "matrix:rows=9,columns=40000,entries=90000",
            "star:n=5000",
            "band:rows=1000,columns=1000,width=7",
            "blocks:rows=1,columns=7",
            "blocks:rows=7,columns=1",
            "isolated:n=0",
            "isolated:n=5",
        ] {
            let matrix = load_matrix::<f32>(spec, &ReadOptions::default()).unwrap();
            let mut lengths: Vec<u64> =
                (0..matrix.rows()).map(|row| matrix.row(row).0.len() as u64).collect();
            let padded: u64 = lengths
                .chunks(32)
                .map(|group| group.iter().max().unwrap() * group.len() as u64)
                .sum();
            lengths.sort_unstable();
            let nth = |rank: usize| lengths.get(rank).copied().unwrap_or(0);
            let last = lengths.len().saturating_sub(1);
            let features = MatrixFeatures::new(&matrix);
            let quartiles = [1, 2, 3].map(|quarter| nth(last * quarter / 4));
            assert_eq!(features.quartiles, quartiles, "{spec}");
            assert_eq!(
                (features.shortest_row, features.longest_row),
                (nth(0), nth(last)),
                "{spec}"
            );
            let empty = lengths.iter().filter(|&&length| length == 0).count();
            assert_eq!(features.empty_rows as usize, empty, "{spec}");
            let mean = features.mean_row();
            let squares: f64 = lengths.iter().map(|&it| (it as f64 - mean).powi(2)).sum();
            let deviation = (squares / lengths.len().max(1) as f64).sqrt();
            assert!((features.row_deviation - deviation).abs() <= 1e-9 * deviation, "{spec}");
            let padding = padded.max(1) as f64 / matrix.entries().max(1) as f64;
            assert_eq!(features.padding, padding, "{spec}");
            assert!(features.values().iter().all(|value| value.is_finite()), "{spec}");
        }
    }
}
