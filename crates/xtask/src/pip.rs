//! Prebuilt, pinned programs and libraries from Python packages.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    command::{succeed, works, write},
    packages, workspace,
};

const PIPS: [&[&str]; 3] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip"]];

/// Downloads the wheels into a folder of `target`, unless they exist, and returns it.
pub fn ensure(name: &str, wheels: &[&str]) -> Result<PathBuf, String> {
    let folder = workspace().join("target").join(name);
    let stamp = folder.join("wheels.txt");
    let text = wheels.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|stamped| stamped == text) {
        return Ok(folder);
    }
    fetch(&folder, wheels)?;
    write(&stamp, &text)?;
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
    succeed(&mut pip, &format!("fetching {names} with pip"))
}

/// pip, which is installed if it is missing.
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
    let is_pip = |words: &&&[&str]| works(command(words).arg("--version"));
    PIPS.iter().find(is_pip).map(|words| command(words))
}
