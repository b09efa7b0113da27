//! The program that is tested, and how it is run.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::shared::Built;

/// The built program.
pub const EQUIPOISE: Built = Built { name: "equipoise", path: env!("CARGO_BIN_EXE_equipoise") };

/// The program, to be started in `folder`.
pub fn equipoise(folder: &Path) -> Command {
    EQUIPOISE.command(folder)
}

/// Runs the program in `folder` with arguments separated by spaces.
pub fn run(folder: &Path, arguments: &str) -> Output {
    EQUIPOISE.run(folder, arguments)
}

/// Runs the program, which must succeed, and gives what it printed.
pub fn stdout_of(folder: &Path, arguments: &str) -> String {
    EQUIPOISE.stdout_of(folder, arguments)
}

/// The JSON document that the program prints.
pub fn json_of(folder: &Path, arguments: &str) -> serde_json::Value {
    EQUIPOISE.json_of(folder, arguments)
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}
