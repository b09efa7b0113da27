//! Broken pipes, colors, warnings and threads.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

use crate::common::{equipoise, stdout_of};

/// A reader that ends stops the printing, not the work.
#[test]
fn a_broken_pipe_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = equipoise(folder.path())
        .args(["bfs", "path:n=30000", "--source", "0", "-v", "-o", "levels.tsv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("graph"), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    let levels = fs::read_to_string(folder.path().join("levels.tsv")).unwrap();
    assert_eq!(levels.lines().count(), 30001);
}

/// The number of threads changes no output.
#[test]
fn results_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let levels = |threads: u32| {
        let file = format!("colors-{threads}.tsv");
        let command = format!("color rmat:scale=10 --threads {threads} -o {file}");
        stdout_of(folder.path(), &command);
        fs::read_to_string(folder.path().join(file)).unwrap()
    };
    assert_eq!(levels(1), levels(5));
}

#[test]
fn no_color_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let output = crate::common::run(folder.path(), "bfs nowhere.mtx");
    assert!(!output.stderr.contains(&0x1b), "{output:?}");
    assert!(!stdout_of(folder.path(), "bfs path:n=3").contains('\u{1b}'));
}

/// With `--json`, standard output is one document: warnings go to standard error.
#[test]
fn warnings_are_not_mixed_with_json() {
    let folder = tempfile::tempdir().unwrap();
    let output = crate::common::run(folder.path(), "convert path:n=3 path.mtx --json");
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("warning: "));
}
