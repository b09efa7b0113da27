//! What a split is judged by.
//!
//! Samples that end up together cost their Gini impurity times their weight: Σ w (W − w) / W, where
//! w is the weight of a class and W that of all. They also cost the time that is lost if all of them
//! get the one candidate that loses the least. The impurity tells more of what is to come: it
//! drops with a split whose sides still have the same best candidate, where the time lost stays
//! as it is. The time lost tells what matters. Each is divided by that of all samples, and a mean
//! of both is taken.

/// What splits are judged by: samples on one side cost something, and what both sides cost
/// together should be little. All samples cost about 1, so that it is known what is rounding.
pub(crate) trait Criterion {
    /// Samples on one side of a split, added up.
    type Side: Clone;

    /// The values of each feature.
    fn columns(&self) -> &[Vec<f32>];
    /// No samples.
    fn empty(&self) -> Self::Side;
    fn add(&self, side: &mut Self::Side, sample: usize);
    fn cost(&self, side: &Self::Side) -> f64;
}

/// What a tree of classes is grown from. All values are finite.
pub(crate) struct Data<'a> {
    pub columns: &'a [Vec<f32>],
    pub labels: &'a [u32],
    pub weights: &'a [f64],
    /// For each sample, what each class loses.
    pub lost: &'a [f64],
    pub classes: usize,
    /// How much of the criterion is the time lost, from 0 to 1; the rest is the impurity.
    pub time_share: f64,
}

/// What each part of the criterion is multiplied with.
struct Scale {
    impurity: f64,
    lost: f64,
}

impl Scale {
    fn of(data: &Data) -> Self {
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
pub(crate) struct Choice<'a> {
    data: &'a Data<'a>,
    scale: Scale,
}

impl<'a> Choice<'a> {
    pub fn of(data: &'a Data<'a>) -> Self {
        Self { data, scale: Scale::of(data) }
    }
}

impl Criterion for Choice<'_> {
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

/// Samples on one side of a split, added up.
#[derive(Clone)]
pub(crate) struct Side {
    /// The weight of each class.
    weights: Vec<f64>,
    /// What each class loses; empty where that does not count.
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

    /// As twice the sum over pairs of classes: a sum of what is not negative has no cancellation,
    /// whatever the classes weigh.
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
