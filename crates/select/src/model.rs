//! The model: a decision tree as a flat array, with a description.

use std::collections::HashMap;

use crate::{Description, Error, Leaf, Node, Prediction, Result, Split, validate::validate};

/// A decision tree that chooses one of several candidates by the features of a step.
///
/// A model is validated when it is created, so that predictions need no checks.
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
    /// Creates a model from a description and its nodes, root first.
    ///
    /// # Errors
    ///
    /// If a number is out of range, a node is not reached exactly once, or a name is missing or
    /// repeated; the message names the location.
    pub fn new(description: Description, nodes: Vec<Node>) -> Result<Self> {
        let first = validate(&description, &nodes)?;
        Ok(Self { description, nodes, first })
    }

    /// What the model is for, and how it was trained.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tree, root first; children come after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the candidate for an ambiguous first step.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The name of a candidate.
    ///
    /// # Panics
    ///
    /// If `number` is not the number of a candidate.
    pub fn candidate(&self, number: usize) -> &str {
        &self.description.candidates[number]
    }

    /// Evaluates the tree for a step with these features. Takes a few nanoseconds per level of the
    /// tree and allocates nothing.
    ///
    /// # Panics
    ///
    /// If `features` has fewer elements than the model names.
    #[inline]
    pub fn predict(&self, features: &[f32]) -> Prediction {
        let mut node = 0;
        loop {
            match &self.nodes[node] {
                Node::Split(split) => node = split.next(features[split.feature as usize]),
                Node::Leaf(leaf) => {
                    return Prediction {
                        candidate: leaf.candidate as usize,
                        share: leaf.share,
                        ambiguous: leaf.ambiguous,
                        leaf: node,
                    };
                }
            }
        }
    }

    /// The leaf that a prediction of this model came from.
    ///
    /// # Panics
    ///
    /// If the prediction was made by another model.
    pub fn leaf(&self, prediction: &Prediction) -> &Leaf {
        match &self.nodes[prediction.leaf] {
            Node::Leaf(leaf) => leaf,
            Node::Split(_) => panic!("node {} is no leaf: another model's?", prediction.leaf),
        }
    }

    /// The same model renumbered for a program's lists of features and candidates:
    /// [`predict`](Self::predict) takes features in the program's order, and candidates have the
    /// program's numbers. Candidates unknown to the model are never predicted and come last in
    /// every ranking.
    ///
    /// # Errors
    ///
    /// If the program lacks a feature or a candidate of the model.
    ///
    /// ```
    /// use equipoise_select::Model;
    ///
    /// let model = Model::embedded("bfs", "cpu").unwrap();
    /// let features = &model.description().features;
    /// let swapped = model.aligned(features, &["pull", "push"])?;
    /// let step = vec![1.0; features.len()];
    /// assert_ne!(swapped.predict(&step).candidate, model.predict(&step).candidate);
    /// # Ok::<(), equipoise_select::Error>(())
    /// ```
    pub fn aligned(
        &self,
        features: &[impl AsRef<str>],
        candidates: &[impl AsRef<str>],
    ) -> Result<Self> {
        let feature_indices = indices("feature", &self.description.features, features)?;
        let candidate_indices = indices("candidate", &self.description.candidates, candidates)?;
        let others: Vec<u32> = (0..candidates.len() as u32)
            .filter(|index| !candidate_indices.contains(index))
            .collect();
        let renumbered = |candidate: u32| candidate_indices[candidate as usize];
        let nodes = self.nodes.iter().map(|node| match node {
            Node::Split(split) => {
                Node::Split(Split { feature: feature_indices[split.feature as usize], ..*split })
            }
            Node::Leaf(leaf) => {
                let ranked = leaf.ranking.iter().map(|&candidate| renumbered(candidate));
                let ranking = ranked.chain(others.iter().copied()).collect();
                Node::Leaf(Leaf { candidate: renumbered(leaf.candidate), ranking, ..leaf.clone() })
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

/// The index of each name in the program's list.
fn indices(what: &'static str, names: &[String], known: &[impl AsRef<str>]) -> Result<Vec<u32>> {
    let by_name: HashMap<&str, u32> =
        known.iter().zip(0..).map(|(name, index)| (name.as_ref(), index)).collect();
    let index = |name: &String| {
        by_name.get(name.as_str()).copied().ok_or_else(|| Error::UnknownName {
            what,
            name: name.clone(),
            known: owned(known),
        })
    };
    names.iter().map(index).collect()
}
