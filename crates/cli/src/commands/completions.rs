//! `equipoise completions`: completion scripts for shells.

use crate::{failure::Result, screen::Screen};

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

/// Runs the command for `program`.
pub fn run(arguments: Arguments, mut program: clap::Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "equipoise", &mut script);
    Screen::default().product(&String::from_utf8_lossy(&script))
}
