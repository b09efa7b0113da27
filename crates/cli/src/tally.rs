//! The outcome of a self-test suite.

use equipoise_self_test::Check;
use serde::Serialize;

use crate::table::{Column, draw};

/// The numbers of checks per subject and input, and the problems found.
#[derive(Default, Serialize)]
pub struct Tally {
    /// The number of checks.
    pub checks: usize,
    /// The number of failed checks.
    pub failed: usize,
    cells: Vec<Cell>,
    /// The problems, one line per failed check.
    pub problems: Vec<String>,
}

/// The checks of one subject on one input.
#[derive(Serialize)]
struct Cell {
    subject: &'static str,
    input: &'static str,
    checks: usize,
    failed: usize,
}

impl Tally {
    /// Counts a check.
    pub fn count(&mut self, check: Check) {
        let Check { subject, input, verdict } = check;
        let failed = usize::from(verdict.is_err());
        self.checks += 1;
        self.failed += failed;
        if let Err(problem) = verdict {
            self.problems.push(format!("{subject} on {input}: {problem}"));
        }
        match self.cells.iter_mut().find(|cell| (cell.subject, cell.input) == (subject, input)) {
            Some(cell) => {
                cell.checks += 1;
                cell.failed += failed;
            }
            None => self.cells.push(Cell { subject, input, checks: 1, failed }),
        }
    }

    /// A table with a row per subject, a column per input, and a verdict in each cell.
    pub fn table(&self, name: &'static str) -> String {
        let subjects = distinct(self.cells.iter().map(|cell| cell.subject));
        let inputs = distinct(self.cells.iter().map(|cell| cell.input));
        let columns: Vec<Column> = std::iter::once(Column::Left(name))
            .chain(inputs.iter().map(|input| Column::Left(input)))
            .collect();
        let verdict = |subject, input| {
            let cell =
                self.cells.iter().find(|cell| (cell.subject, cell.input) == (subject, input));
            cell.map_or(String::new(), Cell::verdict)
        };
        let row = |subject: &&'static str| {
            let cells = inputs.iter().map(|input| verdict(*subject, *input));
            std::iter::once((*subject).to_owned()).chain(cells).collect()
        };
        draw(&columns, subjects.iter().map(row))
    }
}

impl Cell {
    fn verdict(&self) -> String {
        match self.failed {
            0 => format!("ok ({})", self.checks),
            failed => format!("FAILED ({failed} of {})", self.checks),
        }
    }
}

/// The distinct names in the order of first occurrence.
fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_counted_by_subject_and_input() {
        let mut tally = Tally::default();
        let verdicts = [Ok(()), Ok(()), Err("7 is not 8".to_owned())];
        let inputs = ["empty", "giant", "giant"];
        for (input, verdict) in inputs.into_iter().zip(verdicts) {
            tally.count(Check { subject: "binned", input, verdict });
        }
        tally.count(Check { subject: "merge-path", input: "empty", verdict: Ok(()) });
        assert_eq!((tally.checks, tally.failed), (4, 1));
        assert_eq!(tally.problems, ["binned on giant: 7 is not 8"]);
        let table = tally.table("schedules");
        let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], " schedules   empty   giant");
        assert_eq!(lines[2], " binned      ok (1)  FAILED (1 of 2)");
        assert_eq!(lines[3], " merge-path  ok (1)");
    }
}
