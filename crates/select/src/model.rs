//! The model: a decision tree as a flat array, and what it is about.

use std::collections::HashMap;

use crate::{CandidateSet, Error, Explanation, Result, validate::validate};

/// What a model is about, and how it was made.
///
/// ```
/// let description = equipoise_select::Description::default();
/// assert!(description.candidates.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The algorithm that it chooses for, such as `bfs`.
    pub algorithm: String,
    /// The kind of device that it was measured on, such as `cuda`.
    pub device: String,
    /// The names of the features, in the order in which they are given to [`Model::predict`].
    pub features: Vec<String>,
    /// The names of what there is to choose from; a candidate's number is its place here.
    pub candidates: Vec<String>,
    /// The candidate that an ambiguous first step gets.
    pub first: String,
    /// The names of the graphs it was trained on, so that it can be evaluated on others.
    pub trained_on: Vec<String>,
    /// How it was trained, for people.
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
    /// A question, with two answers.
    Split(Split),
    /// An end.
    Leaf(Leaf),
}

/// The question whether a feature is at most a threshold.
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
    /// Values up to this go left; greater ones, and what is not a number, go right.
    pub threshold: f32,
    /// The node for small values; it comes after this one in the array.
    pub left: u32,
    /// The node for great values; it comes after this one in the array.
    pub right: u32,
}

impl Split {
    /// The node that this value of the feature leads to.
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

/// An end of the tree: what to choose there.
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
    /// The candidate to choose.
    pub candidate: u32,
    /// The share of the training samples here for which this candidate was the fastest.
    pub share: f32,
    /// Whether the samples do not tell: then the candidate of the step before is kept.
    pub ambiguous: bool,
    /// How many training samples came here.
    pub samples: u64,
    /// All candidates, the one with the least mean time here first.
    pub ranking: Vec<u32>,
}

impl Leaf {
    /// Its candidate if that is available, else the first available one of its ranking.
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

/// What a model says of a step.
///
/// ```
/// use equipoise_select::Prediction;
///
/// let prediction = Prediction { candidate: 1, share: 0.9, ambiguous: false, leaf: 4 };
/// assert_eq!(prediction.candidate, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The number of the candidate.
    pub candidate: usize,
    /// The share of the training samples in this leaf for which it was the fastest.
    pub share: f32,
    /// Whether the training samples do not tell.
    pub ambiguous: bool,
    /// The number of the leaf among the model's nodes.
    pub leaf: usize,
}

/// A decision tree that chooses one of several candidates by the features of a step.
///
/// A model is valid by construction: whoever has one can walk it without looking.
///
/// ```
/// use equipoise_select::{Description, Leaf, Model, Node};
///
/// let description = Description {
///     algorithm: "spmv".into(),
///     device: "cpu".into(),
///     features: vec!["rows".into()],
///     candidates: vec!["merge-path".into()],
///     first: "merge-path".into(),
///     ..Description::default()
/// };
/// let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
/// let model = Model::new(description, vec![Node::Leaf(leaf)])?;
/// assert_eq!(model.predict(&[100.0]).candidate, 0);
/// # Ok::<(), equipoise_select::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    description: Description,
    nodes: Vec<Node>,
    first: usize,
}

impl Model {
    /// A model of these nodes, the first of them the root.
    ///
    /// # Errors
    ///
    /// If a number is out of range, a node is not reached exactly once, or a name is missing or
    /// given twice; the message says where.
    pub fn new(description: Description, nodes: Vec<Node>) -> Result<Self> {
        let first = validate(&description, &nodes)?;
        Ok(Self { description, nodes, first })
    }

    /// What the model is about, and how it was made.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tree, root first; children come after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the candidate that an ambiguous first step gets.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The name of a candidate.
    ///
    /// # Panics
    ///
    /// If there is no such candidate.
    pub fn candidate(&self, number: usize) -> &str {
        &self.description.candidates[number]
    }

    /// What the tree says of a step with these features. Takes a few nanoseconds a level of the
    /// tree and allocates nothing.
    ///
    /// # Panics
    ///
    /// If there are fewer features than the model has names for.
    #[inline]
    pub fn predict(&self, features: &[f32]) -> Prediction {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::Split(split) => at = split.next(features[split.feature as usize]),
                Node::Leaf(leaf) => {
                    return Prediction {
                        candidate: leaf.candidate as usize,
                        share: leaf.share,
                        ambiguous: leaf.ambiguous,
                        leaf: at,
                    };
                }
            }
        }
    }

    /// The leaf that a prediction of this model came from.
    ///
    /// # Panics
    ///
    /// If the prediction is another model's.
    pub fn leaf(&self, prediction: &Prediction) -> &Leaf {
        match &self.nodes[prediction.leaf] {
            Node::Leaf(leaf) => leaf,
            Node::Split(_) => panic!("node {} is no leaf: another model's?", prediction.leaf),
        }
    }

    /// What the tree says of a step with these features, with the decisions on the way.
    ///
    /// # Panics
    ///
    /// If there are fewer features than the model has names for.
    pub fn explain(&self, features: &[f32]) -> Explanation<'_> {
        Explanation::of(self, features)
    }

    /// The same model for a program that has these features and candidates, in this order:
    /// features are given to [`predict`](Self::predict), and candidates are numbered, by their
    /// place in the program's lists. Candidates that the model does not know are never predicted,
    /// and are the last that stand in for one that is not available.
    ///
    /// # Errors
    ///
    /// If the model has a feature or a candidate that the program does not have.
    ///
    /// ```
    /// # use equipoise_select::{Description, Leaf, Model, Node};
    /// # let description = Description {
    /// #     algorithm: "spmv".into(),
    /// #     device: "cpu".into(),
    /// #     features: vec!["rows".into()],
    /// #     candidates: vec!["merge-path".into()],
    /// #     first: "merge-path".into(),
    /// #     ..Description::default()
    /// # };
    /// # let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
    /// # let model = Model::new(description, vec![Node::Leaf(leaf)])?;
    /// let model = model.aligned(&["columns", "rows"], &["thread-mapped", "merge-path"])?;
    /// assert_eq!(model.predict(&[5.0, 100.0]).candidate, 1);
    /// # Ok::<(), equipoise_select::Error>(())
    /// ```
    pub fn aligned(
        &self,
        features: &[impl AsRef<str>],
        candidates: &[impl AsRef<str>],
    ) -> Result<Self> {
        let feature_places = places("feature", &self.description.features, features)?;
        let candidate_places = places("candidate", &self.description.candidates, candidates)?;
        let others: Vec<u32> = (0..candidates.len() as u32)
            .filter(|place| !candidate_places.contains(place))
            .collect();
        let moved = |candidate: u32| candidate_places[candidate as usize];
        let nodes = self.nodes.iter().map(|node| match node {
            Node::Split(split) => {
                Node::Split(Split { feature: feature_places[split.feature as usize], ..*split })
            }
            Node::Leaf(leaf) => {
                let ranked = leaf.ranking.iter().map(|&candidate| moved(candidate));
                let ranking = ranked.chain(others.iter().copied()).collect();
                Node::Leaf(Leaf { candidate: moved(leaf.candidate), ranking, ..leaf.clone() })
            }
        });
        let description = Description {
            features: owned(features),
            candidates: owned(candidates),
            ..self.description.clone()
        };
        Self::new(description, nodes.collect())
    }
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

/// The place of each name in the program's list.
fn places(what: &'static str, names: &[String], known: &[impl AsRef<str>]) -> Result<Vec<u32>> {
    let by_name: HashMap<&str, u32> =
        known.iter().zip(0..).map(|(name, place)| (name.as_ref(), place)).collect();
    let place = |name: &String| {
        by_name.get(name.as_str()).copied().ok_or_else(|| Error::UnknownName {
            what,
            name: name.clone(),
            known: owned(known),
        })
    };
    names.iter().map(place).collect()
}
