//! `equipoise man`: the manual pages.

use clap_mangen::Man;

use crate::{
    cli::Cli,
    failure::{Failure, Result},
    files::OutputFolder,
    output::write_whole,
    program,
};

const EXAMPLE: &str = "\
Example:
  equipoise man ~/.local/share/man/man1";

/// Write the manual pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder; made where it is not there
    #[arg(value_name = "FOLDER")]
    folder: OutputFolder,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
    let mut equipoise = program::command::<Cli>().disable_help_subcommand(true);
    equipoise.build();
    let commands = equipoise.get_subcommands().cloned();
    for page in commands.chain([equipoise.clone()]).map(Man::new) {
        let path = folder.join(page.get_filename());
        write_whole(&path, |mut out| {
            page.render(&mut out).map_err(|error| Failure::of_file(&path, &error))
        })?;
    }
    Ok(())
}
