//! What a model is worth with fewer features, and on families that it has not seen.

use crate::learn::{
    Error, Evaluation, Fit, Options, Result, Settings, Subset, Table, evaluate, fit, train,
};

/// How a model does with some of the features.
///
/// ```no_run
/// # let comparison: equipoise_lab::learn::Comparison = unimplemented!();
/// println!("{}: {:.3}×", comparison.subset, comparison.held_out.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the subset.
    pub subset: String,
    /// How many features it has.
    pub features: usize,
    /// The settings that cross-validation chose.
    pub settings: Settings,
    /// The mean, over runs, of the time divided by the least, in cross-validation. To choose a
    /// subset, go by this one.
    pub cross_validated: f64,
    /// How the model does on the graphs that were held out.
    pub held_out: Evaluation,
}

/// Trains with each subset of the features, on the same graphs.
///
/// # Errors
///
/// As [`train`]; if the table does not have a feature of a subset.
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

/// How a model does on a family of which it has seen no graph.
///
/// ```no_run
/// # let result: equipoise_lab::learn::FamilyResult = unimplemented!();
/// println!("{}: {:.3}×", result.family, result.evaluation.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyResult {
    /// The family.
    pub family: String,
    /// The model that was trained on all others.
    pub fit: Fit,
    /// How it does on all graphs of the family.
    pub evaluation: Evaluation,
}

/// For every family, trains on all graphs of the others, and judges by the graphs of this one. The
/// result for a family of real graphs says what a model of generated ones is worth on those.
///
/// # Errors
///
/// As [`fit`]; if there are fewer than two families.
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
        let message = "to leave a family of graphs out, there have to be two or more".to_owned();
        return Err(Error::Option(message));
    }
    let leave_out = |family: String| {
        let fit = fit(&table.only(|run| run.family != family), options)?;
        let evaluation = evaluate(&fit.model, &table.only(|run| run.family == family))?;
        Ok(FamilyResult { family, fit, evaluation })
    };
    families.into_iter().map(leave_out).collect()
}
