//! The command line of `equipoise`.

use clap::Parser;

use crate::{
    commands::Command,
    failure::Result,
    files::Files,
    program::{Program, command},
};

const EXAMPLES: &str = "\
Examples:
  equipoise bfs rmat:scale=18
  equipoise sssp roads.gr.gz --source 1 -o distances.tsv
  equipoise info grid:width=2000,height=2000,drop=0.1

`equipoise COMMAND --help` says more of each.";

/// Graph analytics: run algorithms on graphs from files or generators, and verify what they find
#[derive(Debug, Parser)]
#[command(name = "equipoise", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The selected command.
    #[command(subcommand)]
    command: Command,
}

impl Program for Cli {
    fn run(self, files: Files) -> Result<()> {
        self.command.run(files, command::<Self>)
    }
}
