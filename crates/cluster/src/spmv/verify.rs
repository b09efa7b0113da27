//! The verifier of products.

use equipoise_graph::{Value, Weights};

use super::{Numbers, Spmv, operand};
use crate::{Comm, DistGraph, Error, Result, agree};

impl Spmv {
    /// Checks that this is the product of the graph's matrix and x.
    ///
    /// Each rank computes the numbers of x for its rows from their seed and sums every row again in `f64`, with Neumaier's
    /// compensated sum. With k entries in a row, u half the epsilon of `f64`, v half the epsilon of y's type, and the products
    /// a·x of the row:
    ///
    /// - Each row has a number, in the type that the weights determine.
    /// - Each product goes through at most k roundings to `f64` (its own, and k − 1 additions), and the sum through one
    ///   to its type. So its error is at most (k·u + v)·Σ|a·x|, to first order; that of the other sum 2u·Σ|a·x|. The tolerance
    ///   is twice both, plus the smallest normal number for underflow.
    /// - If a product is NaN, or products are infinities of both signs, y must be NaN; if some are one infinity, y must be it.
    ///   Otherwise y may be infinite only if the sum with its error exceeds the type; if Σ|a·x| exceeds `f64`, any y passes.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, Numbers, SpmvOptions, spmv};
    ///
    /// let slice = EdgeSlice { sources: vec![0], targets: vec![1], ..EdgeSlice::new(2) };
    /// let matrix = DistGraph::build(&Alone, slice)?;
    /// let mut product = spmv(&Alone, &matrix, &SpmvOptions::default())?;
    /// product.verify(&Alone, &matrix)?;
    /// product.y = Numbers::F64(vec![0.25, 0.0]);
    /// assert!(product.verify(&Alone, &matrix).is_err());
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn verify(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        let rows = graph.owned() as usize;
        let checked = match (&self.y, graph.local.weights()) {
            (y, _) if y.len() != rows => {
                wrong(format!("y has {} numbers, and the matrix {rows} rows", y.len()))
            }
            (Numbers::F32(y), Some(weights @ Weights::F32(_))) => {
                self.check_rows(graph, y, Some(weights))
            }
            (Numbers::F64(y), None) => self.check_rows(graph, y, None),
            (Numbers::F64(y), Some(weights @ (Weights::U32(_) | Weights::F64(_)))) => {
                self.check_rows(graph, y, Some(weights))
            }
            (_, weights) => wrong(format!(
                "y is of another kind than the weights, {}",
                weights.map_or("none", Weights::type_name)
            )),
        };
        agree(comm, checked)
    }

    fn check_rows<T: Value>(
        &self,
        graph: &DistGraph,
        y: &[T],
        weights: Option<&Weights>,
    ) -> Result<()> {
        let csr = graph.local.csr();
        (0..).zip(y).try_for_each(|(row, found)| {
            let mut sum = Sum::default();
            for (entry, &column) in csr.range(row).zip(csr.row(row)) {
                let value = weights.map_or(1.0, |weights| weights.get(entry));
                sum.add(value * operand(self.seed, graph.global(column)));
            }
            let bound = sum.bound::<T>(csr.row_len(row) as f64);
            if sum.accepts::<T>(found.to_f64(), bound) {
                Ok(())
            } else {
                wrong(format!(
                    "row {}: {found} was found, {} expected (± {bound:e})",
                    graph.global(row),
                    sum.exact()
                ))
            }
        })
    }
}

/// A compensated sum.
#[derive(Default)]
struct Sum {
    sum: f64,
    lost: f64,
    /// The sum of absolute values.
    size: f64,
    /// The sum of infinite terms and NaN.
    beyond: Option<f64>,
}

impl Sum {
    fn add(&mut self, term: f64) {
        if !term.is_finite() {
            self.beyond = Some(self.beyond.unwrap_or(0.0) + term);
            return;
        }
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            self.sum - sum + term
        } else {
            term - sum + self.sum
        };
        self.sum = sum;
        self.size += term.abs();
    }

    fn exact(&self) -> f64 {
        self.beyond.unwrap_or(self.sum + self.lost)
    }

    /// The tolerance of a sum with this number of terms.
    fn bound<T: Value>(&self, terms: f64) -> f64 {
        let relative = (terms + 2.0) * f64::EPSILON + T::EPSILON;
        relative * self.size + T::MIN_POSITIVE
    }

    fn accepts<T: Value>(&self, found: f64, bound: f64) -> bool {
        let exact = self.exact();
        if self.beyond.is_some() {
            return found == exact || found.is_nan() && exact.is_nan();
        }
        if self.size.is_infinite() {
            return true;
        }
        if found.is_infinite() {
            T::from_f64(exact + bound.copysign(found)).to_f64() == found
        } else {
            (found - exact).abs() <= bound
        }
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<T: Value>(terms: &[f64], found: f64) -> bool {
        let mut sum = Sum::default();
        terms.iter().for_each(|&term| sum.add(term));
        sum.accepts::<T>(found, sum.bound::<T>(terms.len() as f64))
    }

    #[test]
    fn a_sum_may_be_off_by_its_roundings_and_no_more() {
        let terms = [1.0, 1e-3, -0.5];
        assert!(accepts::<f64>(&terms, 0.501) && accepts::<f32>(&terms, f64::from(0.501f32)));
        assert!(!accepts::<f64>(&terms, f64::from(0.501f32)));
        assert!(!accepts::<f32>(&terms, 0.5011));
        assert!(accepts::<f64>(&[1e16, 1.0, -1e16], 1.0) && accepts::<f64>(&[], 0.0));
        assert!(!accepts::<f64>(&[], 1e-300));
    }

    #[test]
    fn infinities_are_accepted_only_where_they_must_be() {
        let infinity = f64::INFINITY;
        for wrong in [f64::NAN, infinity, -infinity] {
            assert!(!accepts::<f32>(&[1.0], wrong) && !accepts::<f64>(&[], wrong));
        }
        assert!(accepts::<f32>(&[3e38, 3e38], infinity));
        assert!(!accepts::<f32>(&[3e38, 3e38], -infinity));
        assert!(!accepts::<f64>(&[3e38, 3e38], infinity));
        assert!(accepts::<f64>(&[infinity, 1.0], infinity));
        assert!(!accepts::<f64>(&[infinity, 1.0], 1.0));
        assert!(accepts::<f64>(&[infinity, -infinity], f64::NAN));
        assert!(!accepts::<f64>(&[infinity, -infinity], 0.0));
    }
}
