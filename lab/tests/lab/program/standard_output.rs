//! Standard output that cannot be written, for every command.

use std::fs;

use super::common::{LAB, stdout_of};
use crate::shared::printing;

/// A short call of each command. The folder has a table and a model.
const CALLS: &[(&str, &str)] = &[
    ("bench", "suite.txt --device cpu --sections spmv --repeat 1"),
    ("measure", "suite.txt --device cpu --repeat 1 -o table.csv"),
    ("train", "table.csv --device cpu -o model.json"),
    ("evaluate", "table.csv --model model.json --all"),
    ("conformance", "--device cpu"),
];

fn folder_with_model() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite: String = (5..12).map(|n| format!("g{n} er er:n={n},m={n}\n")).collect();
    fs::write(folder.path().join("suite.txt"), suite).unwrap();
    stdout_of(folder.path(), "measure suite.txt --device cpu --repeat 1 -o table.csv");
    stdout_of(folder.path(), "train table.csv --device cpu -o model.json");
    folder
}

#[test]
fn every_command_is_called() {
    printing::every_command_is_called(LAB, CALLS, &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_command() {
    printing::a_full_disk_is_an_error(LAB, folder_with_model().path(), CALLS);
}

#[test]
fn a_closed_pipe_is_no_error() {
    printing::a_closed_pipe_is_no_error(LAB, folder_with_model().path(), CALLS);
}
