//! Schedules by a learned policy.

use equipoise_select::{CandidateSet, Chooser, Model, Reason};

use super::{MatrixFeatures, SparseOptions, SparsePolicy, SparseSchedule, SpmvCandidate};
use crate::{Error, Result, learned::check_device};

/// A model that chooses the schedule of a matrix.
pub(super) struct Learned {
    model: Model,
    candidates: &'static [SpmvCandidate],
    available: CandidateSet,
}

impl Learned {
    /// What `auto` goes by on a GPU whose cubes have at most so many units, if that is a model.
    pub fn on_gpu(options: &SparseOptions, most_units: u32) -> Result<Option<Self>> {
        let fits = |candidate: &SpmvCandidate| candidate.options().units <= most_units;
        Self::of(options, "gpu", SpmvCandidate::all(), fits)
    }

    /// What `auto` goes by on the cpu, if that is a model.
    pub fn on_cpu(options: &SparseOptions) -> Result<Option<Self>> {
        Self::of(options, "cpu", SpmvCandidate::of_cpu(), |_| true)
    }

    fn of(
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

    /// The candidate for a matrix, and which features decided.
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

/// The model that was given, or the one that comes with the program, where one is to choose.
fn model<'a>(options: &'a SparseOptions, device: &str) -> Result<Option<&'a Model>> {
    let SparseOptions { schedule, policy, .. } = options;
    let problem = match options.model {
        None => None,
        Some(_) if *policy != SparsePolicy::Learned => {
            Some(format!("the policy `{policy}` has no model"))
        }
        Some(_) if *schedule != SparseSchedule::Auto => {
            Some(format!("the schedule `{schedule}` is not chosen by a model"))
        }
        Some(_) => None,
    };
    if let Some(problem) = problem {
        return Err(Error::Option(format!("{problem}: leave out one of the two")));
    }
    let chooses = *policy == SparsePolicy::Learned && *schedule == SparseSchedule::Auto;
    match &options.model {
        Some(model) => {
            check_device(model, device)?;
            Ok(Some(model))
        }
        None if chooses => Ok(Model::embedded("spmv", device)),
        None => Ok(None),
    }
}
