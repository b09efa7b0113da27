//! The command line as a whole.

use std::ffi::OsString;

use clap::{
    Arg, CommandFactory, FromArgMatches, Parser, ValueHint,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    commands::Command,
    failure::{Failure, Result, warn},
    files::{Files, Role},
    help, renamed,
    threads::ThreadCount,
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

/// What a user wants.
pub enum Asked {
    /// That something is done, with these files and on so many threads.
    Work { command: Box<Command>, files: Files, threads: Option<ThreadCount> },
    /// To be told this: help, or the version.
    Text(String),
}

/// What the arguments, the program's name first, ask for. Files that get in each other's way are
/// refused.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked> {
    let (arguments, told) = renamed::modern(arguments);
    told.iter().for_each(|sentence| warn(sentence));
    let mut command = command();
    let matches = match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(explained(&error)),
        Err(text) => return Ok(Asked::Text(text.render().ansi().to_string())),
    };
    let wrong = |error: clap::Error| Failure::of_arguments(&error.format(&mut command));
    let asked = Cli::from_arg_matches(&matches).map_err(wrong)?.command;
    let (mut files, mut threads) = (Files::default(), None);
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        files = Files::of(command, matches)?;
        // Not every command has the option.
        threads = matches.try_get_one("threads").ok().flatten().copied();
    }
    Ok(Asked::Work { command: Box::new(asked), files, threads })
}

/// All commands and their arguments. Those that name files say so to shells.
pub fn command() -> clap::Command {
    let hinted = |argument: Arg| match Role::of(&argument) {
        Some(role) if role.is_folder() => argument.value_hint(ValueHint::DirPath),
        Some(_) => argument.value_hint(ValueHint::FilePath),
        None => argument,
    };
    let placed = |argument: Arg| help::placed(hinted(argument));
    Cli::command().mut_subcommands(|command| command.mut_args(placed))
}

/// What is wrong with the arguments.
fn explained(error: &clap::Error) -> Failure {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => unknown_command(name),
        _ => Failure::of_arguments(error),
    }
}

/// Clap would only say that the command is not known.
fn unknown_command(name: &str) -> Failure {
    let command = command();
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
        command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in super::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let call = format!("equipoise {}", command.get_name());
            assert!(help.contains(&call), "{}: {help}", command.get_name());
        }
    }
}
