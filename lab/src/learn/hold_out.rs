//! The unit of held-out data: whole graphs, or single steps.

use std::borrow::Cow;

use crate::learn::{Error, Result, Run, Table};

/// The unit that is held out for evaluation, and divided in cross-validation.
///
/// ```
/// use equipoise_lab::learn::{HoldOut, Options};
///
/// let options = Options { hold_out: HoldOut::Steps, ..Options::new("bfs", "cuda") };
/// assert_ne!(options.hold_out, HoldOut::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HoldOut {
    /// Whole graphs: shows the value of the model on unseen graphs.
    #[default]
    Graphs,
    /// Single steps, each evaluated alone, as Verstraaten et al. hold out levels of searches. Other
    /// steps of the same run, which are mostly similar, are trained on.
    Steps,
}

impl HoldOut {
    /// The table whose graphs are the units.
    pub(crate) fn units(self, table: &Table) -> Cow<'_, Table> {
        match self {
            HoldOut::Graphs => Cow::Borrowed(table),
            HoldOut::Steps => Cow::Owned(table.by_step()),
        }
    }

    /// The same error, in terms of the units.
    pub(crate) fn named<T>(self, result: Result<T>) -> Result<T> {
        result.map_err(|error| match (self, error) {
            (HoldOut::Steps, Error::TooFewGraphs { what, graphs, needed }) => {
                Error::TooFewSteps { what, steps: graphs, needed }
            }
            (_, error) => error,
        })
    }
}

impl Table {
    /// The table in which each step is a run on a separate graph, so that code for whole runs
    /// applies to single steps.
    ///
    /// ```
    /// # use equipoise_lab::learn::{Run, Schema, Step, Table};
    /// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)]), Step::new(vec![9.0], vec![Some(4e-6)])];
    /// # let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
    /// # let table = Table::new(Schema::new(&["frontier"], &["push"]), vec![run])?;
    /// let steps = table.by_step();
    /// assert_eq!((table.runs().len(), steps.runs().len()), (1, 2));
    /// assert_eq!(steps.runs()[1].graph, "star, run 0, step 1");
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn by_step(&self) -> Self {
        let alone = |run: &Run| -> Vec<Run> {
            let steps = run.steps.iter().enumerate();
            let alone = steps.map(|(number, step)| Run {
                graph: format!("{}, run {}, step {number}", run.graph, run.id),
                family: run.family.clone(),
                id: "0".to_owned(),
                steps: vec![step.clone()],
                origin: run.origin.clone(),
            });
            alone.collect()
        };
        self.with_runs(self.runs().iter().flat_map(alone).collect())
    }
}
