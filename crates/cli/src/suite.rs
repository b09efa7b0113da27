//! The suite that a command measures on.

use equipoise_experiments::suite::{self, Entry};

use crate::{
    failure::Result,
    files::{Files, InputFile, InputFolder, Role},
};

/// Reads a suite, and adds its files to those that the command reads.
pub fn read(path: &InputFile, data: Option<&InputFolder>, files: &mut Files) -> Result<Vec<Entry>> {
    let entries = suite::read(path, data.map(|data| &**data))?;
    for path in entries.iter().filter_map(Entry::file) {
        files.claim(format!("{} of the suite", path.display()), Role::Input, path)?;
    }
    Ok(entries)
}
