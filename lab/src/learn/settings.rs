//! How a tree is grown and its leaves are labelled: what cross-validation chooses from.

use std::fmt;

use crate::learn::HoldOut;

/// How much each step counts when the tree is grown. A step is labelled with its fastest candidate.
///
/// What should be small in the end is the mean over runs of the time that was taken divided by the
/// least time possible. A wrong choice at a step adds to it the time lost there, divided by the
/// least time of the whole run: this is what a step is weighed by, so that steps of long and of
/// short runs, and of great and of small graphs, count alike. What would be chosen instead is not
/// known while the tree is grown; there are two guesses.
///
/// ```
/// assert_eq!(equipoise_lab::learn::Weighting::LostToSecond.to_string(), "by the time lost to the second-best");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// All steps count alike, as in the paper.
    Equal,
    /// The time that the second-best candidate loses: the least that a wrong choice costs. Steps
    /// at which two candidates are equally fast do not count, since both are right there.
    LostToSecond,
    /// The time that the candidates lose on average: what a choice at random costs. It sees that
    /// some choices are ruinous, which the second-best does not tell, but one ruinous candidate
    /// drowns the differences between all others.
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

/// Which candidate a leaf gets.
///
/// ```
/// assert_eq!(equipoise_lab::learn::LeafRule::LeastLost.to_string(), "least time lost");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafRule {
    /// The one that was fastest at most of the steps, by their weights, as in the paper. The leaf
    /// is ambiguous if the next one's share of the weight is less by no more than `margin`: with
    /// 0, if there is a tie.
    Majority {
        /// The greatest difference of two shares that does not tell, from 0 to 1.
        margin: f64,
    },
    /// The one that lost the least time on average. The leaf is ambiguous if two lost the same.
    LeastLost,
    /// The same, where what a candidate lost at the node above, found in the same way, counts as
    /// so many further steps: a candidate that was ruinous nearby is not taken for the few steps of
    /// a leaf at which it was not.
    Smoothed {
        /// How many steps.
        steps: f64,
    },
}

impl LeafRule {
    /// The steps as which the node above counts.
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

/// How one tree is made.
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
    /// How much each step counts.
    pub weighting: Weighting,
    /// How much of what a split is judged by is the time that is lost, from 0 to 1, if each side
    /// gets one candidate; the rest is the Gini impurity. With 0 this is CART as it is known.
    pub time_share: f64,
    /// Which candidate a leaf gets.
    pub rule: LeafRule,
    /// The most decisions on the way to a leaf.
    pub depth: usize,
    /// The fewest steps in a leaf.
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

/// What to train, and what to choose the settings from.
///
/// ```
/// use equipoise_lab::learn::Options;
///
/// let options = Options { seed: 7, ..Options::new("bfs", "cuda") };
/// assert_eq!(options.share, 0.7);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The algorithm, as the model shall name it.
    pub algorithm: String,
    /// The kind of device, as the model shall name it.
    pub device: String,
    /// What decides all that is random: what is held out, and the parts of cross-validation.
    pub seed: u64,
    /// What is held out, graphs or steps.
    pub hold_out: HoldOut,
    /// The share of the graphs, or steps, to train on.
    pub share: f64,
    /// In how many parts cross-validation divides them.
    pub folds: usize,
    /// The features to use; all of the table's without.
    pub features: Option<Vec<String>>,
    /// The candidates to choose from; all of the table's without. The model is judged by the best
    /// of all.
    pub candidates: Option<Vec<String>>,
    /// What an ambiguous first step gets; without, the candidate that loses the least time on
    /// average at the first steps of the training graphs.
    pub first: Option<String>,
    /// The weightings to try.
    pub weightings: Vec<Weighting>,
    /// How much of what a split is judged by is the time lost: the shares to try.
    pub time_shares: Vec<f64>,
    /// The rules for leaves to try.
    pub rules: Vec<LeafRule>,
    /// The depths to try.
    pub depths: Vec<usize>,
    /// The sizes of leaves to try.
    pub leaves: Vec<usize>,
    /// What else the model's file shall say of how it was made.
    pub notes: Vec<String>,
}

impl Options {
    /// Options for an algorithm on a kind of device, with what is mostly wanted.
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
    /// The same with CART as it is known, and nothing to choose: all steps count alike, splits are
    /// by the Gini impurity alone, the tree is grown to the end, and a leaf gets the candidate that
    /// was fastest at most of its steps. So are trees by default in scikit-learn, which the paper
    /// took.
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

/// Deeper than trees of a few thousand steps get.
const TO_THE_END: usize = 64;
