//! Training of a model on a table.

use std::borrow::Cow;

use equipoise_select::{Description, Model};

use crate::learn::{
    Error, Evaluation, HoldOut, Options, Result, Settings, Split, Table, Trial,
    cart::{Limits, grow},
    cross_validation::{Problem, best},
    evaluate,
    leaves::Summarized,
    optimum::optima,
    split,
    split::folds,
};

/// The importance of a feature in a tree.
///
/// ```
/// let importance = equipoise_lab::learn::Importance { feature: "frontier".into(), share: 0.4 };
/// assert_eq!(importance.share, 0.4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The feature.
    pub feature: String,
    /// Its share of the total decrease of the Gini impurity.
    pub share: f64,
}

/// A model trained on all graphs of a table.
///
/// ```no_run
/// # let fit: equipoise_lab::learn::Fit = unimplemented!();
/// println!("{}: {:.3}×", fit.settings, fit.cross_validated);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// The settings of the training.
    pub settings: Settings,
    /// The result of cross-validation: the mean over runs of the time relative to the least.
    pub cross_validated: f64,
    /// All evaluated settings.
    pub trials: Vec<Trial>,
    /// The features that the tree uses, by descending importance.
    pub importances: Vec<Importance>,
}

/// A model trained on some of a table's graphs or steps, and evaluated on the others.
///
/// ```no_run
/// # let training: equipoise_lab::learn::Training = unimplemented!();
/// println!("{:.3}× on {} graphs", training.held_out.predicted.average, training.split.held_out.len());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// The model, with the details of its training.
    pub fit: Fit,
    /// The graphs, or steps by their names in [`Table::by_step`], for training and for evaluation.
    pub split: Split,
    /// The evaluation on the held-out data; each step counts as a run if steps were held out.
    pub held_out: Evaluation,
}

/// Trains a model on a part of the graphs, or of the steps, and evaluates it on the others.
/// Settings are chosen by cross-validation on the training data only.
///
/// # Errors
///
/// If the table has too few graphs or steps, or an option names something that it lacks.
///
/// ```no_run
/// use equipoise_lab::learn::{Options, Table, picture, train};
///
/// let table = Table::read("bfs-cuda.csv".as_ref())?;
/// let training = train(&table, &Options::new("bfs", "cuda"))?;
/// println!("{}", picture::text(&training.fit.model));
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn train(table: &Table, options: &Options) -> Result<Training> {
    let units = options.hold_out.units(table);
    let split = options.hold_out.named(split(&units, options.share, options.seed))?;
    let fit = fit_units(&units.restricted_to(&split.training), table, options)?;
    let held_out = evaluate(&fit.model, &units.restricted_to(&split.held_out))?;
    Ok(Training { fit, split, held_out })
}

/// Trains a model on all graphs of a table, with the settings that are best in cross-validation.
///
/// # Errors
///
/// If the table has fewer than two graphs, or an option names something that it lacks.
///
/// ```
/// # use equipoise_lab::learn::{Options, Run, Schema, Step, Table, fit};
/// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
/// # let run = |n: u32| Run { graph: n.to_string(), family: "er".into(), id: "0".into(), steps: steps.clone(), origin: None };
/// # let table = Table::new(Schema::new(&["frontier"], &["push"]), (0..10).map(run).collect())?;
/// let fit = fit(&table, &Options::new("bfs", "cpu"))?;
/// assert_eq!(fit.model.description().trained_on.len(), 10);
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn fit(table: &Table, options: &Options) -> Result<Fit> {
    fit_units(&options.hold_out.units(table), table, options)
}

/// Trains on `units`, which cross-validation divides, a part or all of the table `whole`.
fn fit_units(units: &Table, whole: &Table, options: &Options) -> Result<Fit> {
    let fit = options.hold_out.named(fit_table(units, options))?;
    match options.hold_out {
        HoldOut::Graphs => Ok(fit),
        HoldOut::Steps => {
            // Steps of nearly all graphs were trained on, so none of the graphs is unseen.
            let trained_on = whole.graphs().into_iter().map(|graph| graph.name).collect();
            let description = Description { trained_on, ..fit.model.description().clone() };
            Ok(Fit { model: Model::new(description, fit.model.nodes().to_vec())?, ..fit })
        }
    }
}

fn fit_table(table: &Table, options: &Options) -> Result<Fit> {
    check(options)?;
    let table = &*chosen(table, options)?;
    let problem = problem(table, options)?;
    let graphs = table.graphs().len();
    if graphs < 2 {
        return Err(Error::TooFewGraphs { what: "train on", graphs, needed: 2 });
    }
    let folds = folds(table, options.folds.min(graphs), options.seed);
    let trials = problem.cross_validate(options, &folds)?;
    let Some(&Trial { settings, average, .. }) = best(&trials) else {
        return Err(Error::Option("no settings to try".to_owned()));
    };
    let samples = problem.samples(|_| true);
    let weights = samples.weights(settings.weighting);
    let Settings { time_share, depth, leaf, rule, .. } = settings;
    let grown = grow(&samples.data(&weights, time_share), Limits { depth, leaf });
    let laid =
        Summarized::new(&grown, &samples, &weights).lay_out(problem.features.len(), depth, rule);
    let first = problem.first.unwrap_or_else(|| samples.best_first());
    let model = problem.model(laid.nodes, first)?;
    let description = Description {
        notes: notes(table, options, &settings, average),
        trained_on: table.graphs().into_iter().map(|graph| graph.name).collect(),
        ..model.description().clone()
    };
    Ok(Fit {
        model: used_only(Model::new(description, model.nodes().to_vec())?)?,
        settings,
        cross_validated: average,
        trials,
        importances: importances(&problem, &laid.gains),
    })
}

fn check(options: &Options) -> Result<()> {
    if options.folds < 2 {
        let message = format!("cross-validation needs 2 parts or more, not {}", options.folds);
        return Err(Error::Option(message));
    }
    if let Some(share) = options.time_shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        let message = format!("a time share is {share}, which is not from 0 to 1");
        return Err(Error::Option(message));
    }
    let lists = [
        ("weightings", options.weightings.is_empty()),
        ("time shares", options.time_shares.is_empty()),
        ("rules", options.rules.is_empty()),
        ("depths", options.depths.is_empty()),
        ("leaves", options.leaves.is_empty()),
    ];
    match lists.iter().find(|(_, empty)| *empty) {
        Some((name, _)) => Err(Error::Option(format!("no {name} to try"))),
        None => Ok(()),
    }
}

/// The table restricted to the candidates of the options.
pub(crate) fn chosen<'a>(table: &'a Table, options: &Options) -> Result<Cow<'a, Table>> {
    match &options.candidates {
        Some(names) => Ok(Cow::Owned(table.choosing(names)?)),
        None => Ok(Cow::Borrowed(table)),
    }
}

pub(crate) fn problem<'a>(table: &'a Table, options: &Options) -> Result<Problem<'a>> {
    let schema = table.schema();
    let index = |what: &'static str, names: &[String], name: &String| {
        let unknown = || Error::UnknownName { what, name: name.clone(), known: names.to_vec() };
        names.iter().position(|known| known == name).ok_or_else(unknown)
    };
    let features = match &options.features {
        Some(wanted) => {
            let feature = |name| index("feature", &schema.features, name);
            wanted.iter().map(feature).collect::<Result<Vec<usize>>>()?
        }
        None => (0..schema.features.len()).collect(),
    };
    if features.is_empty() {
        return Err(Error::Option("no features to use".to_owned()));
    }
    let first = options.first.as_ref();
    let first = first.map(|name| index("candidate", &schema.candidates, name)).transpose()?;
    let description = Description {
        algorithm: options.algorithm.clone(),
        device: options.device.clone(),
        features: schema.features.clone(),
        candidates: schema.candidates.clone(),
        ..Description::default()
    };
    Ok(Problem { optima: optima(table), description, features, first })
}

fn notes(table: &Table, options: &Options, settings: &Settings, average: f64) -> Vec<String> {
    let mut notes = options.notes.clone();
    notes.push(format!(
        "trained on {} graphs, {} runs, {} steps; seed {}",
        table.graphs().len(),
        table.runs().len(),
        table.steps(),
        options.seed
    ));
    notes.push(format!("{settings}: {average:.4}× of the least time in cross-validation"));
    notes
}

/// The model with only the features that its tree uses.
fn used_only(model: Model) -> Result<Model> {
    use equipoise_select::{Node, Split};

    let used_feature = |node: &Node| match node {
        Node::Split(split) => Some(split.feature),
        Node::Leaf(_) => None,
    };
    let mut used: Vec<u32> = model.nodes().iter().filter_map(used_feature).collect();
    used.sort_unstable();
    used.dedup();
    if used.is_empty() {
        // A model has at least one feature, even if its tree is a single leaf.
        used.push(0);
    }
    let new_number = |feature: u32| used.binary_search(&feature).unwrap_or_default() as u32;
    let nodes = model.nodes().iter().map(|node| match node {
        Node::Split(split) => Node::Split(Split { feature: new_number(split.feature), ..*split }),
        Node::Leaf(leaf) => Node::Leaf(leaf.clone()),
    });
    let mut description = model.description().clone();
    let names = used.iter().map(|&feature| description.features[feature as usize].clone());
    description.features = names.collect();
    Ok(Model::new(description, nodes.collect())?)
}

fn importances(problem: &Problem, gains: &[f64]) -> Vec<Importance> {
    let all: f64 = gains.iter().sum();
    let importance = |(&feature, &gain): (&usize, &f64)| Importance {
        feature: problem.description.features[feature].clone(),
        share: gain / all,
    };
    let used = problem.features.iter().zip(gains).filter(|(_, gain)| **gain > 0.0);
    let mut importances: Vec<Importance> = used.map(importance).collect();
    importances.sort_by(|a, b| b.share.total_cmp(&a.share));
    importances
}
