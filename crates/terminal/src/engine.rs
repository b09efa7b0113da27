//! The library's errors as failures, and its distances as cells.

use std::ops::Deref;

use equipoise::{Distances, Error, apsp::PairDistances};

use crate::{failure::Failure, rows::Cell};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            Error::NotConverged { .. } => failure.hint(
                "--max-iterations and --tolerance say how long and how far to go, --iterations N makes N iterations",
            ),
            Error::WeightsTooWide { .. } => failure.hint("--weights f32 takes them in 32 bits"),
            _ => failure,
        }
    }
}

impl From<equipoise::select::Error> for Failure {
    fn from(error: equipoise::select::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<equipoise_schedule::Error> for Failure {
    fn from(error: equipoise_schedule::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl Cell<'_> {
    /// The distance of a pair; missing without a path.
    pub fn pair_distance(distances: &PairDistances, index: usize) -> Self {
        match distances {
            PairDistances::U32(values) if values[index] != u32::MAX => {
                Cell::Whole(values[index].into())
            }
            PairDistances::U64(values) if values[index] != u64::MAX => Cell::Whole(values[index]),
            PairDistances::F32(values) if values[index] != f32::INFINITY => {
                Cell::Single(values[index])
            }
            PairDistances::F64(values) if values[index] != f64::INFINITY => {
                Cell::Double(values[index])
            }
            _ => Cell::Missing,
        }
    }

    /// A distance; missing without a path.
    pub fn distance<A, B, C, D>(distances: &Distances<A, B, C, D>, index: usize) -> Self
    where
        A: Deref<Target = [u32]>,
        B: Deref<Target = [u64]>,
        C: Deref<Target = [f32]>,
        D: Deref<Target = [f64]>,
    {
        match distances {
            Distances::U32(values) if values[index] != u32::MAX => {
                Cell::Whole(values[index].into())
            }
            Distances::U64(values) if values[index] != u64::MAX => Cell::Whole(values[index]),
            Distances::F32(values) if values[index] != f32::INFINITY => Cell::Single(values[index]),
            Distances::F64(values) if values[index] != f64::INFINITY => Cell::Double(values[index]),
            _ => Cell::Missing,
        }
    }
}
