//! The program `equipoise`, which follows the models that `equipoise-lab` makes.
//!
//! For the tests of a package, Cargo builds only its own programs. A test starts its own executable again, which then behaves
//! like `equipoise`.

use std::{
    env,
    path::Path,
    process::{self, Command, Output},
};

/// The variable with the arguments, separated by spaces, of a process that behaves like `equipoise`.
const ARGUMENTS: &str = "EQUIPOISE_TEST_ARGUMENTS";

/// Runs `equipoise` in a process that [`run`] started; otherwise, does nothing.
#[test]
fn is_run() {
    let Ok(arguments) = env::var(ARGUMENTS) else { return };
    let arguments = ["equipoise"].into_iter().chain(arguments.split_whitespace());
    process::exit(equipoise_cli::main(arguments.map(Into::into)).into())
}

/// Runs `equipoise` in `folder` with arguments separated by spaces. Its output follows a line of the test harness.
pub fn run(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "program::product::is_run", "--nocapture"]);
    command.env(ARGUMENTS, arguments).current_dir(folder).output().unwrap()
}

/// Runs `equipoise`, which must succeed. Returns its standard output.
pub fn stdout_of(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "equipoise {arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON document that `equipoise` prints.
pub fn json_of(folder: &Path, arguments: &str) -> serde_json::Value {
    let printed = stdout_of(folder, &format!("{arguments} --json"));
    let start = printed.find('{').unwrap();
    serde_json::from_str(&printed[start..]).unwrap()
}

/// Runs `equipoise`, which must fail with this exit code. Returns its errors.
pub fn failure_of(folder: &Path, arguments: &str, code: i32) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}
