//! The command line of `equipoise-lab`.

use clap::Parser;
use equipoise_cli::{failure::Result, files::Files, program::Program};

use crate::commands::Command;

const EXAMPLES: &str = "\
Examples:
  equipoise-lab bench suites/tiny.txt --device cpu --report out.html
  equipoise-lab measure suites/bfs.txt --device cuda -o bfs-cuda.csv
  equipoise-lab train bfs-cuda.csv --device cuda -o bfs-cuda.json

`equipoise-lab COMMAND --help` says more of each.";

/// Measure Equipoise, train and evaluate its policies, and rerun the papers' experiments
#[derive(Debug, Parser)]
#[command(name = "equipoise-lab", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Lab {
    /// The selected command.
    #[command(subcommand)]
    command: Command,
}

impl Program for Lab {
    fn run(self, files: Files) -> Result<()> {
        self.command.run(files)
    }
}
