//! Random matrices of any shape, with rows alike or not.

use std::ops::Range;

use rand::Rng;

use super::{
    description::{Description, Family, Generator, Size},
    keys::{Key, Values},
    permutation::Permutation,
    random::{Ends, Random, below, edges},
};

/// A matrix with entries at random places: columns are drawn evenly, rows by `skew`, `empty` and
/// `giant`, and then renumbered at random. Repeated entries are dropped.
///
/// With a skew of s, an entry is in row `n uˢ` of the `n` rows that are not empty, for a `u` that
/// is uniform below 1: 1 draws rows evenly, 3 some far more often than others.
///
/// ```
/// use equipoise_graph::generate::{Generator, RandomMatrix, Spec};
///
/// let tall = RandomMatrix { skew: 3, ..RandomMatrix::new(1000, 20, 4000) };
/// let matrix = Spec::new(Generator::Matrix(tall)).generate_matrix::<f32>()?;
/// assert_eq!((matrix.rows(), matrix.columns()), (1000, 20));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomMatrix {
    /// The number of rows.
    pub rows: u64,
    /// The number of columns.
    pub columns: u64,
    /// How many entries are generated, before any is dropped.
    pub entries: u64,
    /// How unlike rows are, from 1 on.
    pub skew: u64,
    /// The share of rows that have no entries.
    pub empty: f64,
    /// The share of entries that are in one row.
    pub giant: f64,
}

/// The largest skew: beyond it nearly all entries are in the same few rows.
pub(super) const MOST_SKEW: u64 = 16;

pub(super) static MATRIX: Description = Description {
    name: "matrix",
    about: "a matrix of any shape, not a graph, with random entries",
    example: "matrix:rows=100000,columns=500,entries=800000,skew=3",
    keys: &[
        Key::required("rows", "rows"),
        Key::required("columns", "columns"),
        Key::required("entries", "entries generated"),
        Key::default("skew", "1", "how unlike rows are, from 1 (alike) to 16"),
        Key::default("empty", "0", "share of rows without entries"),
        Key::default("giant", "0", "share of entries that are in one row"),
    ],
    read: |values| RandomMatrix::read(values).map(Generator::Matrix),
};

impl RandomMatrix {
    /// A matrix whose rows are alike.
    ///
    /// ```
    /// assert_eq!(equipoise_graph::generate::RandomMatrix::new(2, 3, 4).skew, 1);
    /// ```
    pub fn new(rows: u64, columns: u64, entries: u64) -> Self {
        Self { rows, columns, entries, skew: 1, empty: 0.0, giant: 0.0 }
    }

    fn read(values: &Values) -> Result<Self, String> {
        Ok(Self {
            rows: values.get("rows")?,
            columns: values.get("columns")?,
            entries: values.get("entries")?,
            skew: values.get("skew")?,
            empty: values.get("empty")?,
            giant: values.get("giant")?,
        })
    }

    /// The rows that may have entries: the first ones, before rows are renumbered.
    fn filled(&self) -> u64 {
        let empty = (self.rows as f64 * self.empty) as u64;
        self.rows.saturating_sub(empty).max(1)
    }

    /// The row of an entry, before rows are renumbered.
    fn row(&self, random: &mut Random) -> u64 {
        if self.giant > 0.0 && uniform(random) < self.giant {
            return 0;
        }
        skewed(self.filled(), self.skew, random)
    }
}

/// A number below `count`, which is not 0: the first ones far more often than others where the skew
/// is large.
pub(super) fn skewed(count: u64, skew: u64, random: &mut Random) -> u64 {
    let share = uniform(random);
    let power = (1..skew).fold(share, |power, _| power * share);
    ((count as f64 * power) as u64).min(count - 1)
}

/// A number from 0 to below 1.
fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / 2f64.powi(53)
}

impl Family for RandomMatrix {
    fn description(&self) -> &'static Description {
        &MATRIX
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![
            ("rows", self.rows.to_string()),
            ("columns", self.columns.to_string()),
            ("entries", self.entries.to_string()),
            ("skew", self.skew.to_string()),
            ("empty", self.empty.to_string()),
            ("giant", self.giant.to_string()),
        ]
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { rows, columns, entries, skew, empty, giant } = *self;
        if !(1..=MOST_SKEW).contains(&skew) {
            return Err(format!("skew={skew}: expected a whole number from 1 to {MOST_SKEW}"));
        }
        for (name, share) in [("empty", empty), ("giant", giant)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("{name}={share}: expected a number from 0 to 1"));
            }
        }
        match (rows == 0 || columns == 0) && entries > 0 {
            true => Err(format!("entries={entries}: entries need rows and columns")),
            false => Ok(()),
        }
    }

    fn size(&self) -> Size {
        Size { vertices: self.rows.max(self.columns).into(), edges: self.entries.into() }
    }

    fn shape(&self) -> Option<(u64, u64)> {
        Some((self.rows, self.columns))
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let labels = Permutation::new(self.rows, seed);
        edges(self.numbers(blocks), seed, |random, _| {
            let row = labels.apply(self.row(random));
            (row as u32, below(self.columns, random.next_u64()) as u32)
        })
    }
}
