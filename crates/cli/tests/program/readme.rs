//! Every command of the README works, in its order, in one folder with only the README's table.
//!
//! The README's examples of the library are doctests of the `equipoise` crate, and those in Python are tests of that package.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::repository;

/// Commands that install or test, which a test cannot run.
const NOT_RUN: [&str; 4] = [
    "cargo install --path crates/cli",
    "cargo binstall equipoise-cli",
    "pip install equipoise-*.whl",
    "cargo xtask test",
];

/// First words of lines with a time, or with something else that differs between machines.
const TIMED: [&str; 6] = ["loaded", "device", "bucket", "0", "time", "verified"];

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).unwrap()
}

fn blocks(language: &str) -> Vec<String> {
    let (readme, fence) = (readme(), format!("```{language}\n"));
    let starts = readme.split(&fence).skip(1);
    starts.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

fn commands() -> Vec<String> {
    let blocks = blocks("sh");
    let lines = blocks.iter().flat_map(|block| block.lines()).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// A printed line, or its first word if it contains a time. Times also determine the widths of a table.
fn without_times(line: &str) -> &str {
    match line.split_whitespace().next() {
        Some(rule) if rule.starts_with('─') => "─",
        Some(first) if TIMED.contains(&first) => first,
        _ => line,
    }
}

#[cfg(unix)]
#[test]
fn every_command_of_the_readme_works() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("flights.csv"), &blocks("csv")[0]).unwrap();
    let shown = &blocks("text")[0];
    let mut is_shown = false;
    let commands = commands();
    assert!(commands.len() > 5, "only these commands: {commands:?}");
    for command in commands.iter().filter(|command| !NOT_RUN.contains(&command.as_str())) {
        let call = command.replace("cargo run --release --", "equipoise");
        assert!(call.starts_with("equipoise "), "`{command}` is not known to this test");
        let output = Command::new("sh")
            .args(["-c", &call])
            .current_dir(folder.path())
            .env("PATH", path_with_equipoise())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "`{command}` failed: {errors}");
        let printed = String::from_utf8_lossy(&output.stdout);
        if command.contains(" bfs ") && !command.contains(['|', '>']) {
            assert!(printed.contains("\nverified   "), "`{command}` printed: {printed}");
        }
        if command.contains("--target") {
            is_shown = true;
            let (printed, shown) = (printed.lines(), shown.lines());
            assert!(
                printed.clone().map(without_times).eq(shown.map(without_times)),
                "`{command}` printed: {}",
                printed.collect::<Vec<_>>().join("\n")
            );
        }
    }
    assert!(is_shown, "the README shows the output of none of its commands");
}

#[test]
fn the_first_screen_has_the_two_commands() {
    let commands = commands();
    assert_eq!(commands[0], "cargo run --release -- bfs rmat:scale=18");
    assert_eq!(commands[1], "cargo xtask test");
}

#[test]
fn the_readme_is_short() {
    let lines = readme().lines().count();
    assert!(lines <= 150, "the README has {lines} lines: move some to the guide");
}

#[test]
fn continuous_integration_runs_the_test_command_of_the_readme() {
    let script = fs::read_to_string(repository().join(".ci/run")).unwrap();
    let called: Vec<&str> = script.lines().filter(|line| line.contains("cargo")).collect();
    assert_eq!(called, ["cargo xtask test"]);
    assert!(commands().contains(&"cargo xtask test".to_owned()));
}

#[test]
fn links_of_the_readme_have_targets() {
    assert!(repository().join("crates/cli/Cargo.toml").exists());
    let readme = readme();
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
        let file = link.split('#').next().unwrap();
        assert!(repository().join(file).exists(), "README.md links to {link}");
    }
}

fn path_with_equipoise() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_equipoise"));
    let mut folders: Vec<PathBuf> = vec![program.parent().unwrap().to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).unwrap()
}
