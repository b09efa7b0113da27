//! `cargo xtask typos`: checks the spelling of all files that git does not ignore, by `typos.toml`.

use std::{env::consts::EXE_SUFFIX, process::Command};

use crate::{command::succeed, pip, workspace};

/// Pinned: a newer version knows more words, and would fail without a change of ours.
const WHEEL: &str = "typos==1.51.1";

/// Downloads the checker, unless it exists, and runs it.
pub fn run() -> Result<(), String> {
    let folder = pip::ensure("typos", &[WHEEL])?;
    let program = folder.join("bin").join(format!("typos{EXE_SUFFIX}"));
    succeed(Command::new(&program).current_dir(workspace()), &program.display().to_string())
        .map_err(|message| {
            format!("{message}\nhint: correct the words, or list intended ones in typos.toml")
        })
}
