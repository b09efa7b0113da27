//! `equipoise man`: manual pages.

use clap_mangen::Man;

use crate::{
    failure::{Failure, Result},
    files::OutputFolder,
    output::write_whole,
};

const EXAMPLE: &str = "\
Example:
  equipoise man ~/.local/share/man/man1";

/// Write the manual pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder; created if missing
    #[arg(value_name = "FOLDER")]
    folder: OutputFolder,
}

/// Runs the command for `program`.
pub fn run(arguments: Arguments, program: clap::Command) -> Result<()> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().cloned();
    for page in commands.chain([program.clone()]).map(Man::new) {
        let path = folder.join(page.get_filename());
        write_whole(&path, |mut out| {
            page.render(&mut out).map_err(|error| Failure::of_file(&path, &error))
        })?;
    }
    Ok(())
}
