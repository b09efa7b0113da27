//! The command line of `equipoise`.

use clap::Parser;

use crate::{
    commands::Command,
    failure::Result,
    files::Files,
    program::Program,
    renamed::{Moved, Renamed},
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
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

impl Program for Cli {
    const RENAMED: &'static [Renamed] = &[
        Renamed {
            commands: &["bfs", "sssp", "explain"],
            old: "--sources",
            new: "--random-sources",
        },
        Renamed { commands: &["apsp"], old: "--sources", new: "--source" },
        Renamed { commands: &["apsp"], old: "--batch", new: "--searches-at-once" },
        Renamed { commands: &["bfs", "sssp"], old: "--group", new: "--warp-size" },
        Renamed { commands: &["color"], old: "--group", new: "--cube-size" },
    ];
    const MOVED: &'static [Moved] = &[
        Moved {
            command: "bench",
            program: "equipoise-lab",
            instead: Some("`equipoise headline` for what `bench --headline` measured"),
        },
        Moved { command: "measure", program: "equipoise-lab", instead: None },
        Moved { command: "train", program: "equipoise-lab", instead: None },
        Moved { command: "evaluate", program: "equipoise-lab", instead: None },
    ];

    fn run(self, files: Files) -> Result<()> {
        self.command.run(files)
    }
}
