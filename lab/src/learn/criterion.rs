//! Criteria for splits.
//!
//! The cost of the samples on one side of a split is a mean of two parts. The first is their
//! weighted Gini impurity: Σ w (W − w) / W, where w is the weight of a class and W that of all. The
//! second is the time lost if all of them get the single candidate that loses the least. The
//! impurity looks ahead: it also decreases for splits whose sides have the same best candidate,
//! which leave the time lost unchanged. The time lost is the objective. Each part is normalized by
//! that of all samples.

/// A criterion for splits: the total cost of both sides is minimized. The cost of all samples is
/// about 1, so that rounding errors are recognized.
pub(crate) trait Criterion {
    /// The accumulated samples of one side of a split.
    type Side: Clone;

    /// The values of each feature.
    fn columns(&self) -> &[Vec<f32>];
    /// An empty side.
    fn empty(&self) -> Self::Side;
    fn add(&self, side: &mut Self::Side, sample: usize);
    fn cost(&self, side: &Self::Side) -> f64;
}

/// The data that a classification tree is grown from. All values are finite.
pub(crate) struct Data<'a> {
    pub columns: &'a [Vec<f32>],
    pub labels: &'a [u32],
    pub weights: &'a [f64],
    /// The loss of each class, for each sample.
    pub lost: &'a [f64],
    pub classes: usize,
    /// The weight of the time lost in the criterion, from 0 to 1; the rest is the impurity.
    pub time_share: f64,
}

/// The normalization of each part of the criterion.
struct Scale {
    impurity: f64,
    lost: f64,
}

impl Scale {
    fn new(data: &Data) -> Self {
        let mut all = Side::empty(data);
        (0..data.labels.len()).for_each(|sample| all.add(data, sample));
        let relative = |share: f64, whole: f64| if whole > 0.0 { share / whole } else { 0.0 };
        Self {
            impurity: relative(1.0 - data.time_share, all.impurity()),
            lost: relative(data.time_share, all.least_lost()),
        }
    }
}

/// The criterion for classes.
pub(crate) struct ClassCost<'a> {
    data: &'a Data<'a>,
    scale: Scale,
}

impl<'a> ClassCost<'a> {
    pub fn new(data: &'a Data<'a>) -> Self {
        Self { data, scale: Scale::new(data) }
    }
}

impl Criterion for ClassCost<'_> {
    type Side = Side;

    fn columns(&self) -> &[Vec<f32>] {
        self.data.columns
    }

    fn empty(&self) -> Side {
        Side::empty(self.data)
    }

    #[inline]
    fn add(&self, side: &mut Side, sample: usize) {
        side.add(self.data, sample);
    }

    #[inline]
    fn cost(&self, side: &Side) -> f64 {
        side.cost(&self.scale)
    }
}

/// The accumulated samples of one side of a split.
#[derive(Clone)]
pub(crate) struct Side {
    /// The weight of each class.
    weights: Vec<f64>,
    /// The loss of each class; empty if unused.
    lost: Vec<f64>,
}

impl Side {
    fn empty(data: &Data) -> Self {
        let timed = if data.time_share > 0.0 { data.classes } else { 0 };
        let (weights, lost) = (vec![0.0; data.classes], vec![0.0; timed]);
        Self { weights, lost }
    }

    #[inline]
    fn add(&mut self, data: &Data, sample: usize) {
        self.weights[data.labels[sample] as usize] += data.weights[sample];
        let lost = &data.lost[sample * data.classes..];
        self.lost.iter_mut().zip(lost).for_each(|(sum, lost)| *sum += lost);
    }

    /// Computed as twice the sum over pairs of classes: a sum of non-negative terms has no
    /// cancellation, whatever the weights.
    fn impurity(&self) -> f64 {
        let (mut before, mut pairs) = (0.0, 0.0);
        for &weight in &self.weights {
            pairs += weight * before;
            before += weight;
        }
        if before > 0.0 { 2.0 * pairs / before } else { 0.0 }
    }

    fn least_lost(&self) -> f64 {
        self.lost.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }

    #[inline]
    fn cost(&self, scale: &Scale) -> f64 {
        scale.impurity * self.impurity() + scale.lost * self.least_lost()
    }
}
