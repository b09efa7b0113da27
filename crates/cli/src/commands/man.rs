//! `equipoise man`: the manual pages.

use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::{
    cli::Cli,
    failure::{Failure, Result},
};

const EXAMPLE: &str = "\
Example:
  equipoise man ~/.local/share/man/man1";

/// Write the manual pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder; made where it is not there
    folder: PathBuf,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let folder = &arguments.folder;
    let failed = |path: &Path, error| Failure::new(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(|error| failed(folder, error))
}
