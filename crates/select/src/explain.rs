//! Why a model says what it says.

use std::fmt;

use crate::{Model, Node, Prediction};

/// Which side of a threshold a value is on.
///
/// ```
/// assert_eq!(equipoise_select::Side::Above.to_string(), "above");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value is at most the threshold.
    AtMost,
    /// The value is above the threshold, or not a number.
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

/// One decision on the way to a leaf.
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
    /// Its value.
    pub value: f32,
    /// What it was compared with.
    pub threshold: f32,
    /// How the comparison went.
    pub side: Side,
}

impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} ({} {})", self.feature, self.value, self.side, self.threshold)
    }
}

/// What a model says of a step, and the decisions that led there.
///
/// Displayed, it is half a sentence with each feature once, between the closest of its thresholds.
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
    /// What the model says.
    pub prediction: Prediction,
    /// The name of the candidate.
    pub candidate: &'m str,
    /// The decisions, from the root on.
    pub decisions: Vec<Decision<'m>>,
}

impl<'m> Explanation<'m> {
    pub(crate) fn of(model: &'m Model, features: &[f32]) -> Self {
        let prediction = model.predict(features);
        let mut decisions = Vec::new();
        let mut at = 0;
        while let Node::Split(split) = &model.nodes()[at] {
            let value = features[split.feature as usize];
            let side = if value <= split.threshold { Side::AtMost } else { Side::Above };
            let feature = model.description().features[split.feature as usize].as_str();
            decisions.push(Decision { feature, value, threshold: split.threshold, side });
            at = split.next(value);
        }
        Self { prediction, candidate: model.candidate(prediction.candidate), decisions }
    }

    /// The decisions that are left when each feature keeps the closest threshold on each side.
    fn closest(&self) -> Vec<Decision<'m>> {
        let mut closest: Vec<Decision> = Vec::new();
        for decision in &self.decisions {
            let same = |other: &&mut Decision| {
                other.feature == decision.feature && other.side == decision.side
            };
            // A later threshold of the same feature and side is always the closer one.
            match closest.iter_mut().find(same) {
                Some(earlier) => earlier.threshold = decision.threshold,
                None => closest.push(*decision),
            }
        }
        closest
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.candidate)?;
        if self.prediction.ambiguous {
            f.write_str(", but not clearly")?;
        }
        let closest = self.closest();
        let mut said: Vec<&str> = Vec::new();
        for decision in &closest {
            if said.contains(&decision.feature) {
                continue;
            }
            f.write_str(if said.is_empty() { ": " } else { "; " })?;
            write!(f, "{} is {} (", decision.feature, decision.value)?;
            let bounds = closest.iter().filter(|other| other.feature == decision.feature);
            for (number, bound) in bounds.enumerate() {
                let comma = if number > 0 { ", " } else { "" };
                write!(f, "{comma}{} {}", bound.side, bound.threshold)?;
            }
            f.write_str(")")?;
            said.push(decision.feature);
        }
        Ok(())
    }
}
