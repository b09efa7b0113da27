//! `cargo xtask typos`: the spelling of everything that git does not ignore, by `typos.toml`.

use std::{env::consts::EXE_SUFFIX, process::Command};

use crate::{pip, workspace};

/// Pinned: a newer one knows more words, and would find more without a change of ours.
const WHEEL: &str = "typos==1.51.1";

/// Fetches the checker, unless it is there, and runs it.
pub fn run() -> Result<(), String> {
    let folder = pip::ensure("typos", &[WHEEL])?;
    let program = folder.join("bin").join(format!("typos{EXE_SUFFIX}"));
    let status = Command::new(&program)
        .current_dir(workspace())
        .status()
        .map_err(|error| format!("{} could not be started: {error}", program.display()))?;
    match status.success() {
        true => Ok(()),
        false => Err("correct what is misspelt, or list in typos.toml what is meant".into()),
    }
}
