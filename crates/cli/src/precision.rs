//! The number types of matrix products.

use equipoise::npy;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::rows::Cell;

/// The precision of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32 bits
    #[default]
    F32,
    /// 64 bits
    F64,
}

/// A number of either precision.
pub trait Number: equipoise::sparse::Number + npy::Element {
    /// The number as a cell of a results file.
    fn cell(self) -> Cell<'static>;
}

impl Number for f32 {
    fn cell(self) -> Cell<'static> {
        Cell::Single(self)
    }
}

impl Number for f64 {
    fn cell(self) -> Cell<'static> {
        Cell::Double(self)
    }
}

/// The dense operand of a product.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Algorithm")]
pub struct OperandArguments {
    /// Multiply in 32 or 64 bits
    #[arg(long, value_enum, default_value_t)]
    pub precision: Precision,
    /// Multiply by random numbers from -1 to 1 with this seed [default: by ones]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl OperandArguments {
    /// The `count` numbers of the operand.
    pub fn numbers<T: Number>(&self, count: usize) -> Vec<T> {
        numbers_by(self.seed, count)
    }
}

/// `count` random numbers from -1 to 1 for a seed; without a seed, ones.
pub fn numbers_by<T: Number>(seed: Option<u64>, count: usize) -> Vec<T> {
    match seed {
        None => vec![T::from_f64(1.0); count],
        Some(seed) => {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            (0..count).map(|_| T::from_f64(random.random_range(-1.0..1.0))).collect()
        }
    }
}
