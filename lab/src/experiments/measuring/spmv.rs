//! Times every schedule and its settings on products of sparse matrices and a vector, in `f32`.

use equipoise::{
    device::OpenDevice,
    sparse::{MatrixFeatures, SpmvCandidate},
};
use equipoise_cli::suite::Entry;

use super::{
    request::{Measure, Request, Runs, too_large},
    step,
};
use crate::{
    experiments::{Result, measure_spmv, spmv_candidates},
    learn::{Schema, Subset},
};

/// The only run of a matrix.
const RUN: &str = "0";

/// Measures products on a device.
pub struct Products {
    device: OpenDevice,
    candidates: Vec<SpmvCandidate>,
    repeat: u32,
}

impl Products {
    pub fn new(device: OpenDevice, request: &Request) -> Result<Self> {
        let candidates = request.select(spmv_candidates(&device))?;
        Ok(Self { device, candidates, repeat: request.repeat })
    }
}

impl Measure for Products {
    fn schema(&self) -> Schema {
        let candidates: Vec<String> =
            self.candidates.iter().map(SpmvCandidate::to_string).collect();
        Schema::new(&MatrixFeatures::NAMES, &candidates)
    }

    fn runs(&self) -> Vec<String> {
        vec![RUN.to_owned()]
    }

    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>> {
        let matrix = entry.load_matrix()?;
        let x = numbers(matrix.columns() as usize);
        match measure_spmv(&self.device, &matrix, &x, &self.candidates, self.repeat) {
            Ok(times) => {
                let features = MatrixFeatures::new(&matrix).values().to_vec();
                (runs.record)(RUN, vec![step::of_times(features, &times)])?;
            }
            Err(error) => return too_large(error).map(Some),
        }
        Ok(None)
    }
}

/// Distinct numbers, so that a product with wrong operands is detected.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|index| (index * 7919 % 1000) as f32 / 1000.0 - 0.4995).collect()
}

/// The subsets of the features to compare.
pub fn subsets() -> Vec<Subset> {
    let all = MatrixFeatures::NAMES;
    let without = |name, left_out: &[&str]| {
        let remaining: Vec<&str> = all.into_iter().filter(|it| !left_out.contains(it)).collect();
        Subset::new(name, &remaining)
    };
    vec![
        Subset::new("all", &all),
        Subset::new("the paper's three", &["rows", "columns", "entries"]),
        without("rows' entries only", &["rows", "columns", "entries"]),
        without("without padding", &["padding"]),
    ]
}
