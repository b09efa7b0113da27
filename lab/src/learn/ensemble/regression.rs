//! The criterion for regression trees: the squared deviation from the mean.

use crate::learn::criterion::Criterion;

/// Numbers to be predicted from features.
pub(super) struct Numbers<'a> {
    columns: &'a [Vec<f32>],
    numbers: &'a [f64],
    weights: &'a [f64],
    /// The normalization: the sum of all squares.
    scale: f64,
}

impl<'a> Numbers<'a> {
    pub fn new(columns: &'a [Vec<f32>], numbers: &'a [f64], weights: &'a [f64]) -> Self {
        let squares = numbers.iter().zip(weights).map(|(number, weight)| weight * number * number);
        let scale = squares.sum::<f64>().max(f64::MIN_POSITIVE);
        Self { columns, numbers, weights, scale }
    }
}

/// The weighted sums of the numbers on one side of a split.
#[derive(Clone, Default)]
pub(super) struct Sum {
    weight: f64,
    sum: f64,
}

impl Criterion for Numbers<'_> {
    type Side = Sum;

    fn columns(&self) -> &[Vec<f32>] {
        self.columns
    }

    fn empty(&self) -> Sum {
        Sum::default()
    }

    #[inline]
    fn add(&self, side: &mut Sum, sample: usize) {
        side.weight += self.weights[sample];
        side.sum += self.weights[sample] * self.numbers[sample];
    }

    /// The squared deviation minus the sum of squares, which is the same for every split.
    #[inline]
    fn cost(&self, side: &Sum) -> f64 {
        if side.weight > 0.0 { -side.sum * side.sum / side.weight / self.scale } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::cart::{Limits, grow_by, sorted};

    #[test]
    fn numbers_are_split_where_they_change() {
        let columns = [vec![5.0, 1.0, 4.0, 2.0, 3.0], vec![0.0, 1.0, 0.0, 1.0, 0.0]];
        // They are low up to 2 of the first feature; the fifth has weight 0.
        let numbers = [7.0, 1.0, 7.5, 1.5, -100.0];
        let weights = [1.0, 1.0, 1.0, 1.0, 0.0];
        let criterion = Numbers::new(&columns, &numbers, &weights);
        let limits = Limits { depth: 1, leaf: 1 };
        let grown = grow_by(&criterion, sorted(&columns), limits, || vec![0, 1]);
        let cut = grown.nodes[0].cut.as_ref().unwrap();
        assert_eq!((cut.feature, cut.threshold), (0, 2.5));
        let constant = Numbers::new(&columns, &[2.0; 5], &weights);
        let grown = grow_by(&constant, sorted(&columns), limits, || vec![0, 1]);
        assert!(grown.nodes[0].cut.is_none());
    }
}
