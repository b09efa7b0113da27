//! The sizes of ensembles.

/// The sizes of ensembles.
///
/// ```
/// let sizes = equipoise_lab::learn::EnsembleSizes { trees: 20, ..Default::default() };
/// assert_eq!((sizes.rounds, sizes.depth), (100, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnsembleSizes {
    /// The number of trees of a forest, each trained on a bootstrap sample of the steps, with the
    /// square root of the number of features as candidates at each node.
    pub trees: usize,
    /// The rounds of boosting, with one tree per candidate in each.
    pub rounds: usize,
    /// The depth of boosted trees.
    pub depth: usize,
    /// The learning rate: the share of a boosted tree's output that is added.
    pub rate: f64,
}

impl Default for EnsembleSizes {
    fn default() -> Self {
        Self { trees: 100, rounds: 100, depth: 4, rate: 0.1 }
    }
}
