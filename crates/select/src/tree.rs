//! The nodes of a decision tree, its description, and its predictions.

use crate::CandidateSet;

/// What a model is for, and how it was trained.
///
/// ```
/// let description = equipoise_select::Description::default();
/// assert!(description.candidates.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The algorithm whose strategy it chooses, such as `bfs`.
    pub algorithm: String,
    /// The kind of device that it was measured on, such as `cuda`.
    pub device: String,
    /// The names of the features, in the order expected by [`Model::predict`](crate::Model::predict).
    pub features: Vec<String>,
    /// The names of the candidates; a candidate's number is its index.
    pub candidates: Vec<String>,
    /// The candidate for an ambiguous first step.
    pub first: String,
    /// The names of the training graphs, so that the model can be evaluated on others.
    pub trained_on: Vec<String>,
    /// Remarks on the training, for readers.
    pub notes: Vec<String>,
}

/// A node of the tree.
///
/// ```
/// use equipoise_select::{Node, Split};
///
/// let node = Node::Split(Split { feature: 0, threshold: 0.5, left: 1, right: 2 });
/// assert!(matches!(node, Node::Split(split) if split.threshold == 0.5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An inner node, which compares a feature with a threshold.
    Split(Split),
    /// A leaf, which names a candidate.
    Leaf(Leaf),
}

/// An inner node of the tree: is a feature at most a threshold?
///
/// ```
/// let split = equipoise_select::Split { feature: 0, threshold: 0.5, left: 1, right: 2 };
/// assert_eq!(split.next(0.5), 1);
/// assert_eq!(split.next(0.6), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The number of the feature.
    pub feature: u32,
    /// Values up to this go left; greater values and NaN go right.
    pub threshold: f32,
    /// The node for values up to the threshold; it comes after this one in the array.
    pub left: u32,
    /// The node for greater values; it comes after this one in the array.
    pub right: u32,
}

impl Split {
    /// The child that this value of the feature leads to.
    ///
    /// ```
    /// let split = equipoise_select::Split { feature: 0, threshold: 0.5, left: 1, right: 2 };
    /// assert_eq!(split.next(f32::NAN), 2);
    /// ```
    #[inline]
    pub fn next(&self, value: f32) -> usize {
        if value <= self.threshold { self.left as usize } else { self.right as usize }
    }
}

/// A leaf of the tree: the candidate to choose.
///
/// ```
/// use equipoise_select::{CandidateSet, Leaf};
///
/// let leaf =
///     Leaf { candidate: 1, share: 0.9, ambiguous: false, samples: 50, ranking: vec![1, 2, 0] };
/// assert_eq!(leaf.best(CandidateSet::all(3)), Some(1));
/// assert_eq!(leaf.best(CandidateSet::all(3).without(1)), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The candidate that was the fastest most often.
    pub candidate: u32,
    /// The share of the leaf's training samples for which this candidate was the fastest.
    pub share: f32,
    /// Whether the samples do not single out a candidate: then the previous step's candidate is
    /// kept.
    pub ambiguous: bool,
    /// The number of training samples in this leaf.
    pub samples: u64,
    /// All candidates, by ascending mean time of the leaf's samples.
    pub ranking: Vec<u32>,
}

impl Leaf {
    /// The leaf's candidate if it is available, else the first available one of the ranking.
    ///
    /// ```
    /// use equipoise_select::{CandidateSet, Leaf};
    ///
    /// let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 1, ranking: vec![0] };
    /// assert_eq!(leaf.best(CandidateSet::default()), None);
    /// ```
    pub fn best(&self, available: CandidateSet) -> Option<usize> {
        let ranked = self.ranking.iter().map(|&candidate| candidate as usize);
        std::iter::once(self.candidate as usize)
            .chain(ranked)
            .find(|&candidate| available.contains(candidate))
    }
}

/// The result of a model for one step.
///
/// ```
/// use equipoise_select::Prediction;
///
/// let prediction = Prediction { candidate: 1, share: 0.9, ambiguous: false, leaf: 4 };
/// assert_eq!(prediction.candidate, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The number of the predicted candidate.
    pub candidate: usize,
    /// The share of the leaf's training samples for which the candidate was the fastest.
    pub share: f32,
    /// Whether the leaf's training samples do not single out a candidate.
    pub ambiguous: bool,
    /// The index of the leaf in [`Model::nodes`](crate::Model::nodes).
    pub leaf: usize,
}
