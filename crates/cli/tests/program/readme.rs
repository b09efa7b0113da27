//! Every command of the README is run, in its order, in one empty folder.
//!
//! The README's example of the library is a doctest of the `equipoise` crate.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::repository;

/// Commands that install or test, which a test cannot run: they are checked by what they name.
const NOT_RUN: [&str; 2] = ["cargo install --path crates/cli", "cargo xtask test"];

fn commands() -> Vec<String> {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn every_command_of_the_readme_works() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    assert!(commands.len() > 10, "the commands are found: {commands:?}");
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
        if command.contains(" bfs ") && !command.contains(['|', '>']) {
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(printed.contains("\nverified   "), "`{command}` printed: {printed}");
        }
    }
}

#[test]
fn the_first_screen_has_the_two_commands() {
    let commands = commands();
    assert_eq!(commands[0], "cargo run --release -- bfs rmat:scale=18");
    assert_eq!(commands[1], "cargo xtask test");
}

#[test]
fn continuous_integration_runs_the_test_command_of_the_readme() {
    let script = fs::read_to_string(repository().join(".ci/run")).unwrap();
    let called: Vec<&str> = script.lines().filter(|line| line.contains("cargo")).collect();
    assert_eq!(called, ["cargo xtask test"]);
    assert!(commands().contains(&"cargo xtask test".to_owned()));
}

#[test]
fn what_the_readme_names_is_there() {
    assert!(repository().join("crates/cli/Cargo.toml").exists());
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
        assert!(repository().join(link).exists(), "README.md links to {link}");
    }
}

fn path_with_equipoise() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_equipoise"));
    let mut folders: Vec<PathBuf> = vec![program.parent().unwrap().to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).unwrap()
}
