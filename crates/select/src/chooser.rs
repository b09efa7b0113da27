//! Choosing a candidate for each step of a run.

use crate::{CandidateSet, Error, Model, Prediction, Result};

/// Why a candidate was chosen.
///
/// ```
/// use equipoise_select::Reason;
///
/// assert_ne!(Reason::Predicted, Reason::Kept);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The model predicts it.
    Predicted,
    /// The prediction is ambiguous, so the candidate of the previous step is kept.
    Kept,
    /// The prediction is ambiguous at the first step: the model's first candidate.
    First,
    /// The chosen candidate is unavailable: the best available one of the leaf's ranking.
    Substituted,
}

/// The candidate for a step, with the reason and the prediction behind it.
///
/// ```
/// use equipoise_select::{Choice, Prediction, Reason};
///
/// let prediction = Prediction { candidate: 1, share: 0.5, ambiguous: true, leaf: 4 };
/// let choice = Choice { candidate: 0, reason: Reason::Kept, prediction };
/// assert_ne!(choice.candidate, choice.prediction.candidate);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number of the candidate.
    pub candidate: usize,
    /// Why this candidate was chosen.
    pub reason: Reason,
    /// The model's prediction for the step.
    pub prediction: Prediction,
}

/// Chooses a candidate for each step of one run; it remembers the previous step.
///
/// ```
/// # use equipoise_select::*;
/// # let description = Description {
/// #     algorithm: "bfs".into(),
/// #     device: "cpu".into(),
/// #     features: vec!["frontier".into()],
/// #     candidates: vec!["push".into(), "pull".into()],
/// #     first: "push".into(),
/// #     ..Description::default()
/// # };
/// # let ranking = vec![1, 0];
/// # let leaf = Leaf { candidate: 1, share: 0.5, ambiguous: true, samples: 8, ranking };
/// # let model = Model::new(description, vec![Node::Leaf(leaf)])?;
/// // The only leaf of this model is ambiguous, and its first candidate is `push`.
/// let mut chooser = Chooser::new(&model, CandidateSet::all(2))?;
/// assert_eq!(chooser.choose(&[1.0]).reason, Reason::First);
/// assert_eq!(chooser.choose(&[9.0]).reason, Reason::Kept);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chooser<'m> {
    model: &'m Model,
    available: CandidateSet,
    previous: Option<usize>,
}

impl<'m> Chooser<'m> {
    /// Creates a chooser for the first step, with these candidates available.
    ///
    /// # Errors
    ///
    /// [`Error::NoneAvailable`] if no candidate of the model is available.
    pub fn new(model: &'m Model, available: CandidateSet) -> Result<Self> {
        let mut chooser = Self { model, available, previous: None };
        chooser.restrict(available)?;
        Ok(chooser)
    }

    /// Sets the candidates that are available from the next step on.
    ///
    /// # Errors
    ///
    /// [`Error::NoneAvailable`] if no candidate of the model is among them.
    ///
    /// ```
    /// use equipoise_select::*;
    ///
    /// let model = Model::embedded("bfs", "cpu").unwrap();
    /// let step = vec![1.0; model.description().features.len()];
    /// let mut chooser = Chooser::new(model, CandidateSet::all(2))?;
    /// let predicted = chooser.choose(&step).candidate;
    /// chooser.restrict(CandidateSet::default().with(1 - predicted))?;
    /// assert_eq!(chooser.choose(&step).reason, Reason::Substituted);
    /// assert!(chooser.restrict(CandidateSet::default()).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn restrict(&mut self, available: CandidateSet) -> Result<()> {
        let candidates = &self.model.description().candidates;
        if !(0..candidates.len()).any(|candidate| available.contains(candidate)) {
            return Err(Error::NoneAvailable { candidates: candidates.clone() });
        }
        self.available = available;
        Ok(())
    }

    /// Chooses the candidate for the next step from the step's features. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If `features` has fewer elements than the model names.
    #[inline]
    pub fn choose(&mut self, features: &[f32]) -> Choice {
        let prediction = self.model.predict(features);
        let (wanted, reason) = match (prediction.ambiguous, self.previous) {
            (false, _) => (prediction.candidate, Reason::Predicted),
            (true, Some(previous)) => (previous, Reason::Kept),
            (true, None) => (self.model.first(), Reason::First),
        };
        let (candidate, reason) = if self.available.contains(wanted) {
            (wanted, reason)
        } else {
            let best = self.model.leaf(&prediction).best(self.available);
            (best.unwrap_or(wanted), Reason::Substituted)
        };
        self.previous = Some(candidate);
        Choice { candidate, reason, prediction }
    }
}
