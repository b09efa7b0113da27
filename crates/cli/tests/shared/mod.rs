//! What the tests of the program share.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The built program, run in `folder`.
pub fn equipoise(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equipoise"));
    command.current_dir(folder);
    command
}

/// Runs the program in `folder` with arguments separated by spaces.
pub fn run(folder: &Path, arguments: &str) -> Output {
    equipoise(folder).args(arguments.split_whitespace()).output().unwrap()
}

/// Runs the program, which must succeed, and gives what it printed.
pub fn stdout_of(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "equipoise {arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON document that the program prints.
pub fn json_of(folder: &Path, arguments: &str) -> serde_json::Value {
    serde_json::from_str(&stdout_of(folder, &format!("{arguments} --json"))).unwrap()
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}
