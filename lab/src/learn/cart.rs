//! Growing of a classification tree by CART (Breiman, Friedman, Stone and Olshen, 1984): each node
//! gets the split that lowers the weighted Gini impurity the most, or a mean of that and the time
//! lost (`criterion.rs`).
//!
//! The samples are sorted by each feature once; a split partitions each of the sorted lists stably.
//! The result is deterministic: of equally good splits, the first feature's lowest threshold is
//! taken.

use std::ops::Range;

use crate::learn::criterion::{ClassCost, Criterion, Data};

/// Limits on the growth of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub depth: usize,
    /// The minimum number of samples in a leaf.
    pub leaf: usize,
}

pub(crate) struct Cut {
    pub feature: usize,
    pub threshold: f32,
    pub left: usize,
    pub right: usize,
}

pub(crate) struct GrownNode {
    /// Its samples, as a range of [`Grown::order`].
    pub samples: Range<usize>,
    pub cut: Option<Cut>,
}

/// A grown tree; children come after their parents.
pub(crate) struct Grown {
    pub nodes: Vec<GrownNode>,
    pub order: Vec<u32>,
}

/// Gains up to this are rounding errors: the cost of the root is 1.
const ROUNDING: f64 = 1e-12;

/// Grows a tree of classes.
pub(crate) fn grow(data: &Data, limits: Limits) -> Grown {
    let features: Vec<usize> = (0..data.columns.len()).collect();
    grow_by(&ClassCost::new(data), sorted(data.columns), limits, || features.clone())
}

/// The samples sorted by each feature.
pub(crate) fn sorted(columns: &[Vec<f32>]) -> Vec<Vec<u32>> {
    columns.iter().map(|column| order_of(column)).collect()
}

/// Grows a tree from samples sorted by each feature; each node considers the features selected for
/// it, in ascending order.
pub(crate) fn grow_by<C: Criterion>(
    criterion: &C,
    mut orders: Vec<Vec<u32>>,
    limits: Limits,
    mut features: impl FnMut() -> Vec<usize>,
) -> Grown {
    let columns = criterion.columns();
    let count = orders[0].len();
    let mut dealer = Dealer { goes_left: vec![false; count], right: Vec::with_capacity(count) };
    let mut nodes = vec![GrownNode { samples: 0..count, cut: None }];
    let mut open = vec![(0, 0)];
    while let Some((node, depth)) = open.pop() {
        let samples = nodes[node].samples.clone();
        if depth == limits.depth || samples.len() < 2 * limits.leaf.max(1) {
            continue;
        }
        let Some((feature, threshold)) =
            best_cut(criterion, &features(), &orders, samples.clone(), limits.leaf)
        else {
            continue;
        };
        let middle = dealer.deal(&mut orders, &columns[feature], threshold, samples.clone());
        let (left, right) = (nodes.len(), nodes.len() + 1);
        nodes[node].cut = Some(Cut { feature, threshold, left, right });
        nodes.push(GrownNode { samples: samples.start..middle, cut: None });
        nodes.push(GrownNode { samples: middle..samples.end, cut: None });
        open.push((right, depth + 1));
        open.push((left, depth + 1));
    }
    Grown { nodes, order: orders.swap_remove(0) }
}

fn order_of(column: &[f32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..column.len() as u32).collect();
    order.sort_by(|&a, &b| column[a as usize].total_cmp(&column[b as usize]));
    order
}

/// Partitions the sorted lists by a split.
struct Dealer {
    goes_left: Vec<bool>,
    right: Vec<u32>,
}

impl Dealer {
    /// Moves samples with values up to the threshold to the front of every list; returns the
    /// position of the first other one.
    fn deal(
        &mut self,
        orders: &mut [Vec<u32>],
        column: &[f32],
        threshold: f32,
        samples: Range<usize>,
    ) -> usize {
        for &sample in &orders[0][samples.clone()] {
            self.goes_left[sample as usize] = column[sample as usize] <= threshold;
        }
        let mut middle = samples.start;
        for order in orders {
            let order = &mut order[samples.clone()];
            self.right.clear();
            let mut left = 0;
            for at in 0..order.len() {
                let sample = order[at];
                if self.goes_left[sample as usize] {
                    order[left] = sample;
                    left += 1;
                } else {
                    self.right.push(sample);
                }
            }
            order[left..].copy_from_slice(&self.right);
            middle = samples.start + left;
        }
        middle
    }
}

/// The best split of these samples, if any is better than none.
///
/// The costs of both sides are summed separately, the right one from its end: subtracting a large
/// weight from a running sum would leave a rounding error that may exceed the small weights.
fn best_cut<C: Criterion>(
    criterion: &C,
    features: &[usize],
    orders: &[Vec<u32>],
    samples: Range<usize>,
    leaf: usize,
) -> Option<(usize, f32)> {
    let mut all = criterion.empty();
    orders[0][samples.clone()].iter().for_each(|&sample| criterion.add(&mut all, sample as usize));
    let (mut least, mut best) = (criterion.cost(&all), None);
    let mut rights = vec![0.0; samples.len()];
    for &feature in features {
        let column = &criterion.columns()[feature];
        let order = &orders[feature][samples.clone()];
        let value = |at: usize| column[order[at] as usize];
        if value(0) == value(order.len() - 1) {
            continue;
        }
        let splits = leaf.max(1)..order.len() + 1 - leaf.max(1);
        let is_split = |at: usize| splits.contains(&at) && value(at - 1) != value(at);
        let mut right = criterion.empty();
        for at in (splits.start..order.len()).rev() {
            criterion.add(&mut right, order[at] as usize);
            if is_split(at) {
                rights[at] = criterion.cost(&right);
            }
        }
        let mut left = criterion.empty();
        for at in 1..splits.end {
            criterion.add(&mut left, order[at - 1] as usize);
            if !is_split(at) {
                continue;
            }
            let cost = criterion.cost(&left) + rights[at];
            if cost < least - ROUNDING {
                (least, best) = (cost, Some((feature, between(value(at - 1), value(at)))));
            }
        }
    }
    best
}

/// A threshold with `low <= threshold < high`.
fn between(low: f32, high: f32) -> f32 {
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cost of these samples, by definition.
    fn cost(data: &Data, samples: &[usize]) -> (f64, f64) {
        let sum = |of: &dyn Fn(usize) -> f64| samples.iter().map(|&sample| of(sample)).sum::<f64>();
        let all = sum(&|sample| data.weights[sample]);
        let of_class = |class: usize| {
            sum(&|sample| {
                if data.labels[sample] as usize == class { data.weights[sample] } else { 0.0 }
            })
        };
        let mixed = |class: usize| {
            let others = (0..data.classes).filter(|&other| other != class);
            of_class(class) * (others.map(of_class).sum::<f64>() / all)
        };
        let lost = |class: usize| sum(&|sample| data.lost[sample * data.classes + class]);
        let least = (0..data.classes).map(lost).fold(f64::INFINITY, f64::min);
        (if all > 0.0 { (0..data.classes).map(mixed).sum() } else { 0.0 }, least)
    }

    /// Random samples of four classes; weights range over eight orders of magnitude.
    struct Random {
        columns: Vec<Vec<f32>>,
        labels: Vec<u32>,
        weights: Vec<f64>,
        lost: Vec<f64>,
    }

    impl Random {
        fn new(rows: &[(u8, u8, u32, i32, [u8; 4])]) -> Self {
            let columns = vec![
                rows.iter().map(|row| f32::from(row.0)).collect(),
                rows.iter().map(|row| f32::from(row.1) * 1e-7).collect(),
            ];
            Self {
                columns,
                labels: rows.iter().map(|row| row.2).collect(),
                weights: rows.iter().map(|row| 10f64.powi(row.3)).collect(),
                lost: rows.iter().flat_map(|row| row.4.map(f64::from)).collect(),
            }
        }

        fn data(&self, time_share: f64) -> Data<'_> {
            let Self { columns, labels, weights, lost } = self;
            Data { columns, labels, weights, lost, classes: 4, time_share }
        }
    }

    fn rows() -> impl Strategy<Value = Vec<(u8, u8, u32, i32, [u8; 4])>> {
        prop::collection::vec((0u8..6, 0u8..40, 0u32..4, -4..5, any::<[u8; 4]>()), 2..40)
    }

    proptest! {
        /// No threshold of any feature is better than the chosen one.
        #[test]
        fn the_best_split_is_found(rows in rows(), leaf in 1usize..5, time_share in 0.0f64..=1.0) {
            let random = Random::new(&rows);
            let data = random.data(time_share);
            let grown = grow(&data, Limits { depth: 1, leaf });

            let everything: Vec<usize> = (0..rows.len()).collect();
            let (gini, lost) = cost(&data, &everything);
            let relative = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
            let blend = |(a, b): (f64, f64)| {
                (1.0 - time_share) * relative(a, gini) + time_share * relative(b, lost)
            };
            let cut = |feature: usize, threshold: f32| {
                let (left, right): (Vec<usize>, Vec<usize>) = (0..rows.len())
                    .partition(|&sample| data.columns[feature][sample] <= threshold);
                let smaller = left.len().min(right.len());
                (smaller >= leaf).then(|| blend(cost(&data, &left)) + blend(cost(&data, &right)))
            };
            let cuts = (0..2).flat_map(|it| data.columns[it].iter().map(move |&at| (it, at)));
            let least = cuts.filter_map(|(it, at)| cut(it, at)).fold(blend((gini, lost)), f64::min);
            let found = match &grown.nodes[0].cut {
                Some(found) => cut(found.feature, found.threshold),
                None => Some(blend((gini, lost))),
            };
            prop_assert!(found.is_some_and(|cost| cost <= least + 1e-9), "{found:?} > {least}");
        }

        /// A tree of limited depth is a pruned deeper tree: cross-validation relies on it.
        #[test]
        fn a_deeper_tree_starts_with_the_shallower(rows in rows(), depth in 0usize..4) {
            let random = Random::new(&rows);
            let data = random.data(0.5);
            let shallow = grow(&data, Limits { depth, leaf: 1 });
            let deep = grow(&data, Limits { depth: depth + 3, leaf: 1 });
            let mut open = vec![(0, 0)];
            while let Some((in_shallow, in_deep)) = open.pop() {
                let (a, b) = (&shallow.nodes[in_shallow], &deep.nodes[in_deep]);
                prop_assert_eq!(&a.samples, &b.samples);
                if let Some(cut) = &a.cut {
                    let other = b.cut.as_ref().unwrap();
                    prop_assert_eq!((cut.feature, cut.threshold), (other.feature, other.threshold));
                    open.extend([(cut.left, other.left), (cut.right, other.right)]);
                }
            }
        }
    }
}
