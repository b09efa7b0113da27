//! `equipoise completions`: what a shell needs to complete commands and options.

use crate::{cli::Cli, failure::Result, program, screen::Screen};

const EXAMPLE: &str = "\
Example:
  equipoise completions bash > ~/.local/share/bash-completion/completions/equipoise";

/// Print a shell's completion script
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut script = Vec::new();
    let mut equipoise = program::command::<Cli>();
    clap_complete::generate(arguments.shell, &mut equipoise, "equipoise", &mut script);
    Screen::default().product(&String::from_utf8_lossy(&script))
}
