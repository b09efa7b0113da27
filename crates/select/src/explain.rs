//! Explanations of predictions.

use std::fmt;

use crate::{Model, Node, Prediction};

/// The side of a threshold that a value lies on.
///
/// ```
/// assert_eq!(equipoise_select::Side::Above.to_string(), "above");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value is at most the threshold.
    AtMost,
    /// The value is above the threshold, or NaN.
    Above,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::AtMost => "at most",
            Side::Above => "above",
        })
    }
}

/// One decision on the path to a leaf.
///
/// ```
/// use equipoise_select::{Decision, Side};
///
/// let decision = Decision { feature: "frontier", value: 7.0, threshold: 9.0, side: Side::AtMost };
/// assert_eq!(decision.to_string(), "frontier is 7 (at most 9)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision<'m> {
    /// The name of the feature.
    pub feature: &'m str,
    /// The value of the feature.
    pub value: f32,
    /// The threshold that the value was compared with.
    pub threshold: f32,
    /// The side of the threshold that the value lies on.
    pub side: Side,
}

impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} ({} {})", self.feature, self.value, self.side, self.threshold)
    }
}

/// A prediction with the decisions on the path to its leaf.
///
/// `Display` writes one clause in which each feature occurs once, with its tightest thresholds.
///
/// ```
/// # use equipoise_select::*;
/// # let description = Description {
/// #     algorithm: "bfs".into(),
/// #     device: "cpu".into(),
/// #     features: vec!["frontier".into()],
/// #     candidates: vec!["push".into()],
/// #     first: "push".into(),
/// #     ..Description::default()
/// # };
/// # let leaf = || Node::Leaf(Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 8, ranking: vec![0] });
/// # let split = |threshold, left, right| Node::Split(Split { feature: 0, threshold, left, right });
/// # let nodes = vec![split(9.0, 1, 2), leaf(), split(99.0, 3, 4), leaf(), leaf()];
/// # let model = Model::new(description, nodes)?;
/// let explanation = model.explain(&[10.0]);
/// assert_eq!(explanation.decisions.len(), 2);
/// assert_eq!(explanation.to_string(), "`push`: frontier is 10 (above 9, at most 99)");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<'m> {
    /// The model's prediction.
    pub prediction: Prediction,
    /// The name of the predicted candidate.
    pub candidate: &'m str,
    /// The decisions, from the root down.
    pub decisions: Vec<Decision<'m>>,
}

impl Model {
    /// Evaluates the tree for a step with these features, and records the decisions.
    ///
    /// # Panics
    ///
    /// If `features` has fewer elements than the model names.
    pub fn explain(&self, features: &[f32]) -> Explanation<'_> {
        let prediction = self.predict(features);
        let mut decisions = Vec::new();
        let mut node = 0;
        while let Node::Split(split) = &self.nodes()[node] {
            let value = features[split.feature as usize];
            let side = if value <= split.threshold { Side::AtMost } else { Side::Above };
            let feature = self.description().features[split.feature as usize].as_str();
            decisions.push(Decision { feature, value, threshold: split.threshold, side });
            node = split.next(value);
        }
        Explanation { prediction, candidate: self.candidate(prediction.candidate), decisions }
    }
}

impl<'m> Explanation<'m> {
    /// The decisions with only the tightest threshold per feature and side.
    fn tightest(&self) -> Vec<Decision<'m>> {
        let mut tightest: Vec<Decision> = Vec::new();
        for decision in &self.decisions {
            let same = |other: &&mut Decision| {
                other.feature == decision.feature && other.side == decision.side
            };
            // Along a path, a later threshold of the same feature and side is always tighter.
            match tightest.iter_mut().find(same) {
                Some(earlier) => earlier.threshold = decision.threshold,
                None => tightest.push(*decision),
            }
        }
        tightest
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.candidate)?;
        if self.prediction.ambiguous {
            f.write_str(", but not clearly")?;
        }
        let tightest = self.tightest();
        let mut described: Vec<&str> = Vec::new();
        for decision in &tightest {
            if described.contains(&decision.feature) {
                continue;
            }
            f.write_str(if described.is_empty() { ": " } else { "; " })?;
            write!(f, "{} is {} (", decision.feature, decision.value)?;
            let bounds = tightest.iter().filter(|other| other.feature == decision.feature);
            for (number, bound) in bounds.enumerate() {
                let comma = if number > 0 { ", " } else { "" };
                write!(f, "{comma}{} {}", bound.side, bound.threshold)?;
            }
            f.write_str(")")?;
            described.push(decision.feature);
        }
        Ok(())
    }
}
