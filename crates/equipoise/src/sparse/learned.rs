//! Schedules by a learned model.

use equipoise_select::{CandidateSet, Chooser, Model, Reason};

use super::{
    candidate::SpmvCandidate,
    features::MatrixFeatures,
    options::{SparseOptions, SparsePolicy, SparseSchedule},
};
use crate::{Error, Result, learned::check_device};

/// A model that chooses the schedule of a matrix.
pub(super) struct Learned {
    model: Model,
    candidates: &'static [SpmvCandidate],
    available: CandidateSet,
}

impl Learned {
    /// The model that chooses for `auto` on a GPU with at most `most_units` per cube, if one does.
    pub fn on_gpu(options: &SparseOptions, most_units: u32) -> Result<Option<Self>> {
        let fits = |candidate: &SpmvCandidate| candidate.options().units <= most_units;
        Self::new(options, "gpu", SpmvCandidate::all(), fits)
    }

    /// The model that chooses for `auto` on the cpu, if one does.
    pub fn on_cpu(options: &SparseOptions) -> Result<Option<Self>> {
        Self::new(options, "cpu", SpmvCandidate::of_cpu(), |_| true)
    }

    fn new(
        options: &SparseOptions,
        device: &str,
        candidates: &'static [SpmvCandidate],
        fits: impl Fn(&SpmvCandidate) -> bool,
    ) -> Result<Option<Self>> {
        let Some(model) = model(options, device)? else { return Ok(None) };
        let model = SpmvCandidate::align(model, candidates)?;
        let fitting = candidates.iter().enumerate().filter(|&(_, candidate)| fits(candidate));
        let available = fitting.map(|(number, _)| number).collect();
        Ok(Some(Self { model, candidates, available }))
    }

    /// The candidate for a matrix, and the features that decided.
    pub fn choose(&self, features: &MatrixFeatures) -> Result<(SpmvCandidate, String)> {
        let values = features.values();
        let choice = Chooser::new(&self.model, self.available)?.choose(&values);
        let candidate = self.candidates[choice.candidate];
        let explanation = self.model.explain(&values);
        let why = match choice.reason {
            Reason::Predicted => explanation.to_string(),
            Reason::Kept | Reason::First => format!("`{candidate}`; the model says {explanation}"),
            Reason::Substituted => format!("`{candidate}`; not available is {explanation}"),
        };
        Ok((candidate, format!("policy learned: {why}")))
    }
}

/// The given model, or the built-in one for the policy `learned`.
fn model<'a>(options: &'a SparseOptions, device: &str) -> Result<Option<&'a Model>> {
    let SparseOptions { schedule, policy, .. } = options;
    let problem = match &options.model {
        Some(_) if *policy == SparsePolicy::Paper => {
            format!("the policy `{policy}` has no model")
        }
        Some(_) if *schedule != SparseSchedule::Auto => {
            format!("the schedule `{schedule}` is not chosen by a model")
        }
        Some(model) => {
            check_device(model, device)?;
            return Ok(Some(model));
        }
        None if *policy == SparsePolicy::Learned && *schedule == SparseSchedule::Auto => {
            return Ok(Model::embedded("spmv", device));
        }
        None => return Ok(None),
    };
    Err(Error::Option(format!("{problem}: leave out one of the two")))
}
