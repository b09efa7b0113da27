//! Models trained for comparison: with fewer features, without a family of graphs, with many trees.

use equipoise_cli::{
    failure::Result,
    screen::Screen,
    table::{Column, draw},
};
use serde::Serialize;

use crate::{
    experiments::measuring::Algorithm,
    learn::{
        EnsembleSizes, Evaluation, Options, Predictor, Table, Training, compare_ensembles,
        compare_subsets, leave_one_family_out,
    },
};

/// The requested comparisons.
#[derive(Default, Serialize)]
pub struct Comparison {
    #[serde(skip_serializing_if = "Option::is_none")]
    subsets: Option<Vec<Compared>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen_families: Option<Vec<Compared>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ensembles: Option<Vec<PredictorFacts>>,
}

impl Comparison {
    /// Trains with each subset of the features.
    pub fn add_subsets(
        &mut self,
        table: &Table,
        options: &Options,
        algorithm: Algorithm,
    ) -> Result<()> {
        let compared = compare_subsets(table, options, &algorithm.subsets())?;
        let facts = compared.into_iter().map(|it| Compared::new(it.subset, &it.held_out));
        self.subsets = Some(facts.collect());
        Ok(())
    }

    /// Trains without each family of graphs.
    pub fn add_families(&mut self, table: &Table, options: &Options) -> Result<()> {
        let results = leave_one_family_out(table, options)?;
        let facts = results.into_iter().map(|it| Compared::new(it.family, &it.evaluation));
        self.unseen_families = Some(facts.collect());
        Ok(())
    }

    /// Trains forests and boosted trees.
    pub fn add_ensembles(
        &mut self,
        table: &Table,
        options: &Options,
        training: &Training,
    ) -> Result<()> {
        let compared = compare_ensembles(table, options, training, EnsembleSizes::default())?;
        self.ensembles = Some(compared.into_iter().map(PredictorFacts::from).collect());
        Ok(())
    }

    /// Prints all results.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let lists = [("features", &self.subsets), ("unseen family", &self.unseen_families)];
        for (what, compared) in lists {
            if let Some(compared) = compared {
                screen.line(format_args!("\n{}", compared_table(what, compared)))?;
            }
        }
        match &self.ensembles {
            Some(predictors) => screen.line(format_args!("\n{}\n", predictor_table(predictors))),
            None => Ok(()),
        }
    }
}

/// A model trained for comparison.
#[derive(Serialize)]
struct Compared {
    /// Its features, or the family that it was not trained on.
    name: String,
    accuracy: f64,
    accuracy_with_ties: f64,
    average: f64,
    worst: f64,
    /// The average of the best single candidate for each run.
    oracle_average: f64,
}

impl Compared {
    fn new(name: String, evaluation: &Evaluation) -> Self {
        Self {
            name,
            accuracy: evaluation.accuracy,
            accuracy_with_ties: evaluation.accuracy_with_ties,
            average: evaluation.predicted.average,
            worst: evaluation.predicted.worst,
            oracle_average: evaluation.oracle.average,
        }
    }

    /// The cells common to all tables.
    fn cells(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            percent(self.accuracy),
            percent(self.accuracy_with_ties),
            times(self.average),
            times(self.worst),
        ]
    }
}

/// A predictor, and the cost of a prediction.
#[derive(Serialize)]
struct PredictorFacts {
    #[serde(flatten)]
    compared: Compared,
    trees: usize,
    questions: f64,
    nanoseconds: f64,
}

impl From<Predictor> for PredictorFacts {
    fn from(predictor: Predictor) -> Self {
        Self {
            compared: Compared::new(predictor.name.to_owned(), &predictor.held_out),
            trees: predictor.trees,
            questions: predictor.questions,
            nanoseconds: predictor.time.as_secs_f64() * 1e9,
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

fn columns(what: &'static str) -> Vec<Column> {
    vec![
        Column::Left(what),
        Column::Right("accuracy"),
        Column::Right("within 5 %"),
        Column::Right("average"),
        Column::Right("worst"),
    ]
}

fn compared_table(what: &'static str, compared: &[Compared]) -> String {
    let mut columns = columns(what);
    columns.push(Column::Right("best single"));
    let row = |it: &Compared| {
        let mut cells = it.cells();
        cells.push(times(it.oracle_average));
        cells
    };
    draw(&columns, compared.iter().map(row))
}

fn predictor_table(predictors: &[PredictorFacts]) -> String {
    let mut columns = columns("predictor");
    columns.extend(["trees", "questions", "ns"].map(Column::Right));
    let row = |it: &PredictorFacts| {
        let mut cells = it.compared.cells();
        cells.push(it.trees.to_string());
        cells.push(format!("{:.1}", it.questions));
        cells.push(format!("{:.0}", it.nanoseconds));
        cells
    };
    draw(&columns, predictors.iter().map(row))
}
