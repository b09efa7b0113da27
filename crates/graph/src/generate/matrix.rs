//! Random matrices of any shape, with uniform or skewed rows.

use std::ops::Range;

use rand::Rng;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    permutation::Permutation,
    random::{Ends, Random, below, edges},
};

parameters! {
    /// A matrix with entries at random positions: columns are uniform, rows are drawn by `skew`,
    /// `empty` and `giant` and then renumbered at random. Repeated entries are dropped.
    ///
    /// With skew s, an entry is in row `⌊n uˢ⌋` of the `n` non-empty rows, for `u` uniform in [0, 1):
    /// skew 1 draws rows uniformly, 3 draws some far more often than others.
    ///
    /// ```
    /// use equipoise_graph::generate::{Generator, RandomMatrix, Spec};
    ///
    /// let tall = RandomMatrix { skew: 3, ..RandomMatrix::new(1000, 20, 4000) };
    /// let matrix = Spec::new(Generator::Matrix(tall)).generate_matrix::<f32>()?;
    /// assert_eq!((matrix.rows(), matrix.columns()), (1000, 20));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct RandomMatrix = MATRIX(
        "matrix",
        "a matrix of any shape, not a graph, with random entries",
        "matrix:rows=100000,columns=500,entries=800000,skew=3"
    ) {
        /// The number of rows.
        rows: u64 = Key::required("rows", "rows"),
        /// The number of columns.
        columns: u64 = Key::required("columns", "columns"),
        /// The number of generated entries, before repeated ones are dropped.
        entries: u64 = Key::required("entries", "entries generated"),
        /// The skew of the distribution of rows, at least 1.
        skew: u64 = Key::default("skew", "1", "how unlike rows are, from 1 (alike) to 16"),
        /// The share of rows without entries.
        empty: f64 = Key::default("empty", "0", "share of rows without entries"),
        /// The share of entries that are in a single row.
        giant: f64 = Key::default("giant", "0", "share of entries that are in one row"),
    }
}

/// The maximum skew: beyond it, nearly all entries are in the same few rows.
pub(super) const MOST_SKEW: u64 = 16;

impl RandomMatrix {
    /// A matrix with uniformly distributed rows.
    ///
    /// ```
    /// assert_eq!(equipoise_graph::generate::RandomMatrix::new(2, 3, 4).skew, 1);
    /// ```
    pub fn new(rows: u64, columns: u64, entries: u64) -> Self {
        Self { rows, columns, entries, skew: 1, empty: 0.0, giant: 0.0 }
    }

    /// The number of rows that may have entries: the first ones, before rows are renumbered.
    fn filled(&self) -> u64 {
        let empty = (self.rows as f64 * self.empty) as u64;
        self.rows.saturating_sub(empty).max(1)
    }

    /// Draws the row of an entry, before rows are renumbered.
    fn row(&self, random: &mut Random) -> u64 {
        if self.giant > 0.0 && uniform(random) < self.giant {
            return 0;
        }
        skewed(self.filled(), self.skew, random)
    }
}

/// A random number below `count`, which is not 0; a large skew makes the first ones far more
/// likely.
pub(super) fn skewed(count: u64, skew: u64, random: &mut Random) -> u64 {
    let share = uniform(random);
    let power = (1..skew).fold(share, |power, _| power * share);
    ((count as f64 * power) as u64).min(count - 1)
}

/// A uniform random number in [0, 1).
fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / 2f64.powi(53)
}

impl Family for RandomMatrix {
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
        if (rows == 0 || columns == 0) && entries > 0 {
            Err(format!("entries={entries}: entries need rows and columns"))
        } else {
            Ok(())
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
