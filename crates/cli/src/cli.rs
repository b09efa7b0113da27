//! The command line as a whole.

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    commands::Command,
    failure::{Failure, Result},
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
    pub command: Command,
}

impl Cli {
    /// What the user typed. Help, and most that is wrong, is answered by clap, which ends the
    /// program.
    pub fn read() -> Result<Self> {
        Self::try_parse().map_err(|error| {
            match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
                (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => {
                    unknown_command(name)
                }
                _ => error.exit(),
            }
        })
    }
}

/// Clap would only say that the command is not known.
fn unknown_command(name: &str) -> Failure {
    let command = Cli::command();
    let known: Vec<String> =
        command.get_subcommands().map(|known| format!("`{}`", known.get_name())).collect();
    Failure::usage(format!("there is no command `{name}`; known are: {}", known.join(", ")))
        .hint("`equipoise --help` says what they do")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let call = format!("equipoise {}", command.get_name());
            assert!(help.contains(&call), "{}: {help}", command.get_name());
        }
    }
}
