//! The steps of a run as a table.

use equipoise::Trace;

use crate::{
    failure::Result,
    numbers,
    screen::Screen,
    table::{Column, draw_shortened},
};

/// What a step and its numbers are called in one algorithm.
pub struct StepNames {
    /// The step itself, such as `level`.
    pub index: &'static str,
    /// How it was done, such as `direction`.
    pub strategy: &'static str,
    /// The vertices worked on, such as `frontier`.
    pub frontier: &'static str,
    /// What came of it, such as `found`.
    pub found: &'static str,
}

/// Prints the table between two empty lines: its first and last rows, or all that are wanted.
pub fn print(screen: &mut Screen, trace: &Trace, names: &StepNames) -> Result<()> {
    if trace.steps.is_empty() {
        return Ok(());
    }
    let columns = [
        Column::Right(names.index),
        Column::Left(names.strategy),
        Column::Right(names.frontier),
        Column::Right("edges"),
        Column::Right(names.found),
        Column::Right("time"),
    ];
    let table = draw_shortened(&columns, trace.steps.len(), screen.is_verbose(), |index| {
        let step = &trace.steps[index];
        vec![
            step.index.to_string(),
            match step.sub_steps {
                0 | 1 => step.strategy.to_string(),
                steps => format!("{}, {steps} steps", step.strategy),
            },
            numbers::count(step.frontier),
            numbers::count(step.edges),
            numbers::count(step.found),
            numbers::time(step.time),
        ]
    });
    screen.line(format_args!("\n{table}\n"))
}
