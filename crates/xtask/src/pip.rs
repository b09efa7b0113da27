//! Programs and libraries that come as Python packages: built already, and pinned.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{packages, workspace};

const PIPS: [&[&str]; 3] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip"]];

/// Fetches the wheels into a folder of `target`, unless they are there, and gives it.
pub fn ensure(name: &str, wheels: &[&str]) -> Result<PathBuf, String> {
    let folder = workspace().join("target").join(name);
    let stamp = folder.join("wheels.txt");
    let text = wheels.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == text) {
        return Ok(folder);
    }
    fetch(&folder, wheels)?;
    fs::write(&stamp, text).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(folder)
}

fn fetch(folder: &Path, wheels: &[&str]) -> Result<(), String> {
    let names = wheels.join(", ");
    println!("── fetching {names}");
    let mut pip = pip(&names)?;
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade"])
        .args(["--root-user-action", "ignore", "--only-binary", ":all:", "--target"])
        .arg(folder)
        .args(wheels);
    match pip.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{names} could not be fetched: pip ended with {status}")),
        Err(error) => Err(format!("pip could not be started: {error}")),
    }
}

/// pip, which is installed where it is missing.
fn pip(wanted: &str) -> Result<Command, String> {
    if let Some(pip) = find_pip() {
        return Ok(pip);
    }
    let elsewhere = format!("pip, with which {wanted} is fetched, is not installed");
    packages::install(&["python3-pip"], &elsewhere)?;
    find_pip().ok_or_else(|| "python3-pip is installed, but cannot be started".into())
}

fn find_pip() -> Option<Command> {
    let command = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    let works = |words: &&&[&str]| {
        command(words).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    PIPS.iter().find(works).map(|words| command(words))
}
