//! The command line as a whole.

use clap::Parser;
use equipoise_cli::{failure::Result, files::Files, program::Program, renamed::Renamed};

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
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

impl Program for Lab {
    const RENAMED: &'static [Renamed] = &[
        Renamed { commands: &["measure"], old: "--sources", new: "--random-sources" },
        Renamed { commands: &["measure"], old: "--only", new: "--graph" },
        Renamed { commands: &["bench"], old: "--json", new: "--results" },
        Renamed { commands: &["bench"], old: "--threshold", new: "--slower-by" },
        Renamed { commands: &["train"], old: "--compare", new: "--ablation" },
    ];

    fn run(self, files: Files) -> Result<()> {
        self.command.run(files)
    }
}
