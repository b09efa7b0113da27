//! The trace of a run as a table.

use equipoise::Trace;
pub use equipoise::algorithm::StepNames;

use crate::{
    failure::Result,
    numbers,
    screen::Screen,
    table::{Column, draw_shortened},
};

/// Prints the table between two empty lines: its first and last rows, or all if verbose.
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
