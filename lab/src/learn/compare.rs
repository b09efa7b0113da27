//! Evaluation of models with fewer features, and on unseen families of graphs.

use crate::learn::{
    Error, Evaluation, Fit, Options, Result, Settings, Subset, Table, evaluate, fit, train,
};

/// The evaluation of a model with a subset of the features.
///
/// ```no_run
/// # let comparison: equipoise_lab::learn::Comparison = unimplemented!();
/// println!("{}: {:.3}×", comparison.subset, comparison.held_out.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the subset.
    pub subset: String,
    /// The number of features.
    pub features: usize,
    /// The settings chosen by cross-validation.
    pub settings: Settings,
    /// The mean over runs of the time relative to the least, in cross-validation: the criterion for
    /// choosing a subset.
    pub cross_validated: f64,
    /// The evaluation on the held-out graphs.
    pub held_out: Evaluation,
}

/// Trains with each subset of the features, on the same graphs.
///
/// # Errors
///
/// As [`train`]; and if the table lacks a feature of a subset.
///
/// ```no_run
/// use equipoise_lab::learn::{Options, Table, compare_subsets, traversal_subsets};
///
/// let table = Table::read("bfs-cuda.csv".as_ref())?;
/// let compared = compare_subsets(&table, &Options::new("bfs", "cuda"), &traversal_subsets())?;
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn compare_subsets(
    table: &Table,
    options: &Options,
    subsets: &[Subset],
) -> Result<Vec<Comparison>> {
    let compare = |subset: &Subset| {
        let options = Options { features: Some(subset.features.clone()), ..options.clone() };
        let training = train(table, &options)?;
        Ok(Comparison {
            subset: subset.name.clone(),
            features: subset.features.len(),
            settings: training.fit.settings,
            cross_validated: training.fit.cross_validated,
            held_out: training.held_out,
        })
    };
    subsets.iter().map(compare).collect()
}

/// The evaluation of a model on a family that it was not trained on.
///
/// ```no_run
/// # let result: equipoise_lab::learn::FamilyResult = unimplemented!();
/// println!("{}: {:.3}×", result.family, result.evaluation.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyResult {
    /// The family.
    pub family: String,
    /// The model trained on all other families.
    pub fit: Fit,
    /// Its evaluation on all graphs of the family.
    pub evaluation: Evaluation,
}

/// For each family, trains on all graphs of the others and evaluates on this one. For a family of
/// real graphs, the result shows the value of a model trained on generated ones.
///
/// # Errors
///
/// As [`fit`]; and if the table has fewer than two families.
///
/// ```no_run
/// use equipoise_lab::learn::{Options, Table, leave_one_family_out};
///
/// let table = Table::read("bfs-cuda.csv".as_ref())?;
/// let results = leave_one_family_out(&table, &Options::new("bfs", "cuda"))?;
/// let real = results.iter().find(|result| result.family == "real");
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn leave_one_family_out(table: &Table, options: &Options) -> Result<Vec<FamilyResult>> {
    let families = table.families();
    if families.len() < 2 {
        let message = "leaving out a family of graphs needs two families or more".to_owned();
        return Err(Error::Option(message));
    }
    let leave_out = |family: String| {
        let fit = fit(&table.only(|run| run.family != family), options)?;
        let evaluation = evaluate(&fit.model, &table.only(|run| run.family == family))?;
        Ok(FamilyResult { family, fit, evaluation })
    };
    families.into_iter().map(leave_out).collect()
}
