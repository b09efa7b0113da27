//! Growing a classification tree by CART (Breiman, Friedman, Stone and Olshen, 1984): at every
//! node the split that lowers the Gini impurity the most, with a weight for each sample.
//!
//! The samples are sorted by each feature once; a split deals out each of the sorted lists and
//! keeps its order. The Gini impurity of a node of weight W is 1 − Σ w² / W² over the weights w of
//! its classes, so that the best split is that with the greatest Σ w² / W, summed over both sides;
//! it is kept up to date sample by sample. Nothing depends on anything but the samples: of equally
//! good splits it is the first feature's, and there the least threshold.

use std::ops::Range;

/// What a tree is grown from. All values are finite.
pub(crate) struct Labelled<'a> {
    pub columns: &'a [Vec<f32>],
    pub labels: &'a [u32],
    pub weights: &'a [f64],
    pub classes: usize,
}

/// When growing ends.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub depth: usize,
    /// The fewest samples in a leaf.
    pub leaf: usize,
}

pub(crate) struct Cut {
    pub feature: usize,
    pub threshold: f32,
    pub left: usize,
    pub right: usize,
}

pub(crate) struct GrownNode {
    /// Its samples, as a part of [`Grown::order`].
    pub samples: Range<usize>,
    pub cut: Option<Cut>,
}

/// A tree; children come after their parents.
pub(crate) struct Grown {
    pub nodes: Vec<GrownNode>,
    pub order: Vec<u32>,
}

/// A gain that is no more than this share of the whole is rounding.
const ROUNDING: f64 = 1e-12;

pub(crate) fn grow(data: &Labelled, limits: Limits) -> Grown {
    let count = data.labels.len();
    let mut orders: Vec<Vec<u32>> = data.columns.iter().map(|column| sorted(column)).collect();
    let mut dealer = Dealer { goes_left: vec![false; count], right: Vec::with_capacity(count) };
    let mut nodes = vec![GrownNode { samples: 0..count, cut: None }];
    let mut open = vec![(0, 0)];
    while let Some((node, depth)) = open.pop() {
        let samples = nodes[node].samples.clone();
        if depth == limits.depth || samples.len() < 2 * limits.leaf.max(1) {
            continue;
        }
        let Some((feature, threshold)) = best_cut(data, &orders, samples.clone(), limits.leaf)
        else {
            continue;
        };
        let middle = dealer.deal(&mut orders, &data.columns[feature], threshold, samples.clone());
        let (left, right) = (nodes.len(), nodes.len() + 1);
        nodes[node].cut = Some(Cut { feature, threshold, left, right });
        nodes.push(GrownNode { samples: samples.start..middle, cut: None });
        nodes.push(GrownNode { samples: middle..samples.end, cut: None });
        open.push((right, depth + 1));
        open.push((left, depth + 1));
    }
    Grown { nodes, order: orders.swap_remove(0) }
}

fn sorted(column: &[f32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..column.len() as u32).collect();
    order.sort_by(|&a, &b| column[a as usize].total_cmp(&column[b as usize]));
    order
}

/// Deals sorted lists out to both sides of a split.
struct Dealer {
    goes_left: Vec<bool>,
    right: Vec<u32>,
}

impl Dealer {
    /// Puts those samples first, in every list, whose value is at most the threshold; says where
    /// the others start.
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

/// The weights of the classes on one side of a split.
struct Side {
    weights: Vec<f64>,
    weight: f64,
    /// Σ w² over the classes.
    squares: f64,
}

impl Side {
    fn empty(classes: usize) -> Self {
        Self { weights: vec![0.0; classes], weight: 0.0, squares: 0.0 }
    }

    fn add(&mut self, class: u32, weight: f64) {
        let of_class = &mut self.weights[class as usize];
        self.squares += weight * (2.0 * *of_class + weight);
        *of_class += weight;
        self.weight += weight;
    }

    /// Σ w² / W: great where few classes have most of the weight.
    fn purity(&self) -> f64 {
        if self.weight > 0.0 { self.squares / self.weight } else { 0.0 }
    }
}

/// The feature and threshold of the best split of these samples, if any is better than none.
fn best_cut(
    data: &Labelled,
    orders: &[Vec<u32>],
    samples: Range<usize>,
    leaf: usize,
) -> Option<(usize, f32)> {
    let mut all = Side::empty(data.classes);
    let order = &orders[0][samples.clone()];
    order
        .iter()
        .for_each(|&sample| all.add(data.labels[sample as usize], data.weights[sample as usize]));
    let rounding = ROUNDING * all.weight;
    let mut best = (all.purity() + rounding, None);
    for (feature, (column, order)) in data.columns.iter().zip(orders).enumerate() {
        let order = &order[samples.clone()];
        let value = |at: usize| column[order[at] as usize];
        if value(0) == value(order.len() - 1) {
            continue;
        }
        let mut left = Side::empty(data.classes);
        let mut right = Side { weights: all.weights.clone(), ..all };
        for (at, &sample) in order.iter().enumerate().take(order.len() - leaf.max(1)) {
            let sample = sample as usize;
            left.add(data.labels[sample], data.weights[sample]);
            right.add(data.labels[sample], -data.weights[sample]);
            if at + 1 < leaf || value(at) == value(at + 1) {
                continue;
            }
            let purity = left.purity() + right.purity();
            if purity > best.0 + rounding {
                best = (purity, Some((feature, between(value(at), value(at + 1)))));
            }
        }
    }
    best.1
}

/// A threshold that the first value is at most and the second is above.
fn between(low: f32, high: f32) -> f32 {
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The weighted Gini impurity of these samples times their weight, by its definition.
    fn impurity(data: &Labelled, samples: &[usize]) -> f64 {
        let all: f64 = samples.iter().map(|&sample| data.weights[sample]).sum();
        let of_class = |class: usize| {
            let of_class = samples.iter().filter(|&&sample| data.labels[sample] as usize == class);
            of_class.map(|&sample| data.weights[sample]).sum::<f64>()
        };
        let squares: f64 = (0..data.classes).map(|class| (of_class(class) / all).powi(2)).sum();
        if all > 0.0 { all * (1.0 - squares) } else { 0.0 }
    }

    fn cut_impurity(data: &Labelled, feature: usize, threshold: f32) -> (f64, usize) {
        let (left, right): (Vec<usize>, Vec<usize>) =
            (0..data.labels.len()).partition(|&sample| data.columns[feature][sample] <= threshold);
        let smaller = left.len().min(right.len());
        (impurity(data, &left) + impurity(data, &right), smaller)
    }

    proptest! {
        /// No threshold at any value of any feature is better than the one that is taken.
        #[test]
        fn the_best_split_is_found(
            rows in prop::collection::vec((0u8..6, 0u8..40, 0u32..4, 0u32..9), 2..40),
            leaf in 1usize..5,
        ) {
            let columns = vec![
                rows.iter().map(|row| f32::from(row.0)).collect(),
                rows.iter().map(|row| f32::from(row.1) * 1e-7).collect(),
            ];
            let labels: Vec<u32> = rows.iter().map(|row| row.2).collect();
            let weights: Vec<f64> = rows.iter().map(|row| 10f64.powi(row.3 as i32 - 4)).collect();
            let data = Labelled { columns: &columns, labels: &labels, weights: &weights, classes: 4 };
            let grown = grow(&data, Limits { depth: 1, leaf });

            let everything: Vec<usize> = (0..rows.len()).collect();
            let without = impurity(&data, &everything);
            let cuts = (0..2).flat_map(|feature| columns[feature].iter().map(move |&at| (feature, at)));
            let allowed = cuts.map(|(feature, at)| cut_impurity(&data, feature, at));
            let allowed = allowed.filter(|(_, smaller)| *smaller >= leaf);
            let least = allowed.map(|(impurity, _)| impurity).fold(without, f64::min);
            let found = match &grown.nodes[0].cut {
                Some(cut) => {
                    let (impurity, smaller) = cut_impurity(&data, cut.feature, cut.threshold);
                    prop_assert!(smaller >= leaf);
                    impurity
                }
                None => without,
            };
            prop_assert!(found <= least + 1e-9 * weights.iter().sum::<f64>(), "{found} > {least}");
        }

        /// A tree to any depth is that tree cut off: what cross-validation relies on.
        #[test]
        fn a_deeper_tree_starts_with_the_shallower(
            rows in prop::collection::vec((0u8..30, 0u8..30, 0u32..4), 2..60),
            depth in 0usize..4,
        ) {
            let columns = vec![
                rows.iter().map(|row| f32::from(row.0)).collect(),
                rows.iter().map(|row| f32::from(row.1)).collect(),
            ];
            let labels: Vec<u32> = rows.iter().map(|row| row.2).collect();
            let weights = vec![1.0; rows.len()];
            let data = Labelled { columns: &columns, labels: &labels, weights: &weights, classes: 4 };
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
