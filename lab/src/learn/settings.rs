//! The settings of training, from which cross-validation chooses.

use std::fmt;

use crate::learn::HoldOut;

/// The weight of each step in training. A step's label is its fastest candidate.
///
/// The objective is the mean over runs of the time relative to the least possible. A wrong choice
/// at a step adds the time lost, divided by the least time of the whole run: this is the weight of
/// a step, so that steps of long and short runs, and of large and small graphs, are comparable. The
/// alternative choice is unknown while the tree is grown; two estimates of it are available.
///
/// ```
/// assert_eq!(equipoise_lab::learn::Weighting::LostToSecond.to_string(), "by the time lost to the second-best");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// All steps have equal weight, as in the paper.
    Equal,
    /// The time that the second-best candidate loses: the minimum cost of a wrong choice. Steps
    /// with two equally fast candidates have weight 0, since both are right.
    LostToSecond,
    /// The time that the candidates lose on average: the cost of a random choice. Unlike the
    /// second-best, it accounts for ruinous choices, but one ruinous candidate dominates the
    /// differences between all others.
    LostToMean,
}

impl fmt::Display for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Weighting::Equal => "equally",
            Weighting::LostToSecond => "by the time lost to the second-best",
            Weighting::LostToMean => "by the time lost on average",
        })
    }
}

/// The rule for the candidate of a leaf.
///
/// ```
/// assert_eq!(equipoise_lab::learn::LeafRule::LeastLost.to_string(), "least time lost");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafRule {
    /// The candidate that was fastest for the largest weight of samples, as in the paper. The leaf
    /// is ambiguous if the next one's share is within `margin`: with 0, in a tie.
    Majority {
        /// The maximum difference of two shares that counts as ambiguous, from 0 to 1.
        margin: f64,
    },
    /// The candidate with the least mean loss. The leaf is ambiguous in a tie.
    LeastLost,
    /// Like `LeastLost`, where the loss of a candidate at the parent node, smoothed in the same
    /// way, counts as `steps` further samples: a candidate that was ruinous nearby is not chosen
    /// because of the few samples of a leaf.
    Smoothed {
        /// The number of steps.
        steps: f64,
    },
}

impl LeafRule {
    /// The number of steps that the parent node counts as.
    pub(crate) fn smoothing(self) -> f64 {
        match self {
            LeafRule::Smoothed { steps } => steps,
            LeafRule::Majority { .. } | LeafRule::LeastLost => 0.0,
        }
    }
}

impl fmt::Display for LeafRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeafRule::Majority { margin } if *margin == 0.0 => f.pad("majority"),
            LeafRule::Majority { margin } => {
                f.pad(&format!("majority by more than {} %", margin * 100.0))
            }
            LeafRule::LeastLost => f.pad("least time lost"),
            LeafRule::Smoothed { steps } => {
                f.pad(&format!("least time lost, the node above as {steps} steps"))
            }
        }
    }
}

/// The settings of one tree.
///
/// ```
/// use equipoise_lab::learn::{LeafRule, Settings, Weighting};
///
/// let settings = Settings { weighting: Weighting::Equal, time_share: 0.5, rule: LeafRule::LeastLost, depth: 6, leaf: 20 };
/// assert_eq!(
///     settings.to_string(),
///     "steps weighed equally, splits by 50 % time lost, leaves by least time lost, depth 6, leaves of 20 steps or more"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The weight of each step.
    pub weighting: Weighting,
    /// The weight of the time lost in the criterion for splits, from 0 to 1; the rest is the Gini
    /// impurity. With 0 this is standard CART.
    pub time_share: f64,
    /// The rule for the candidate of a leaf.
    pub rule: LeafRule,
    /// The maximum depth of a leaf.
    pub depth: usize,
    /// The minimum number of steps in a leaf.
    pub leaf: usize,
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { weighting, time_share, rule, depth, leaf } = self;
        let time = time_share * 100.0;
        write!(f, "steps weighed {weighting}, splits by {time} % time lost, leaves by {rule}, ")?;
        write!(f, "depth {depth}, leaves of {leaf} steps or more")
    }
}

/// The options of training, with the settings to choose from.
///
/// ```
/// use equipoise_lab::learn::Options;
///
/// let options = Options { seed: 7, ..Options::new("bfs", "cuda") };
/// assert_eq!(options.share, 0.7);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The algorithm, for the description of the model.
    pub algorithm: String,
    /// The kind of device, for the description of the model.
    pub device: String,
    /// The seed of all random choices: the held-out data, and the folds of cross-validation.
    pub seed: u64,
    /// The unit of held-out data: graphs or steps.
    pub hold_out: HoldOut,
    /// The share of the graphs, or steps, to train on.
    pub share: f64,
    /// The number of folds of cross-validation.
    pub folds: usize,
    /// The features to use; `None` for all of the table.
    pub features: Option<Vec<String>>,
    /// The candidates to choose from; `None` for all of the table. The model is compared with the
    /// best of all.
    pub candidates: Option<Vec<String>>,
    /// The candidate for an ambiguous first step; `None` for the one that loses the least time on
    /// average at the first steps of the training graphs.
    pub first: Option<String>,
    /// The weightings to try.
    pub weightings: Vec<Weighting>,
    /// The weights of the time lost in the criterion to try.
    pub time_shares: Vec<f64>,
    /// The rules for leaves to try.
    pub rules: Vec<LeafRule>,
    /// The depths to try.
    pub depths: Vec<usize>,
    /// The minimum leaf sizes to try.
    pub leaves: Vec<usize>,
    /// Further notes for the model's file.
    pub notes: Vec<String>,
}

impl Options {
    /// Options with default settings for an algorithm on a kind of device.
    pub fn new(algorithm: &str, device: &str) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            device: device.to_owned(),
            seed: 1,
            hold_out: HoldOut::default(),
            share: 0.7,
            folds: 10,
            features: None,
            candidates: None,
            first: None,
            weightings: vec![Weighting::Equal, Weighting::LostToSecond, Weighting::LostToMean],
            time_shares: vec![0.0, 0.5, 0.8, 1.0],
            rules: vec![
                LeafRule::Majority { margin: 0.0 },
                LeafRule::LeastLost,
                LeafRule::Smoothed { steps: 1.0 },
                LeafRule::Smoothed { steps: 4.0 },
            ],
            depths: vec![1, 2, 3, 4, 5, 6, 8, 10, 12, 16],
            leaves: vec![2, 5, 10, 20, 50],
            notes: Vec::new(),
        }
    }
    /// The options for standard CART without choices: all steps have equal weight, splits minimize
    /// the Gini impurity alone, the tree is fully grown, and a leaf gets the candidate that was
    /// fastest at most of its steps. This is the default of scikit-learn, which the paper used.
    ///
    /// ```
    /// use equipoise_lab::learn::{Options, Weighting};
    ///
    /// let options = Options::new("bfs", "cuda").plain();
    /// assert_eq!(options.weightings, [Weighting::Equal]);
    /// ```
    pub fn plain(self) -> Self {
        Self {
            weightings: vec![Weighting::Equal],
            time_shares: vec![0.0],
            rules: vec![LeafRule::Majority { margin: 0.0 }],
            depths: vec![TO_THE_END],
            leaves: vec![1],
            ..self
        }
    }
}

/// Deeper than any tree of a few thousand steps.
const TO_THE_END: usize = 64;
