//! A command for each algorithm of the library's list without a command of its own.

mod arguments;
mod search;
mod whole_graph;

use std::fmt;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, error::ErrorKind};
use equipoise::algorithm::{Algorithm, Visitor, each};

use self::arguments::Arguments;
use crate::failure::Result;

/// The command of one algorithm, with its arguments.
pub struct AlgorithmCommand {
    name: &'static str,
    run: Box<dyn FnOnce() -> Result<()>>,
}

impl AlgorithmCommand {
    /// Runs it.
    pub fn run(self) -> Result<()> {
        (self.run)()
    }
}

impl fmt::Debug for AlgorithmCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Subcommand for AlgorithmCommand {
    fn augment_subcommands(command: Command) -> Command {
        let mut all = WithCommands(command);
        each(&mut all);
        all.0
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        let mut named = IsNamed(name, false);
        each(&mut named);
        named.1
    }
}

impl FromArgMatches for AlgorithmCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut requested = Requested { matches: matches.subcommand(), command: None };
        each(&mut requested);
        requested.command.unwrap_or_else(|| Err(clap::Error::new(ErrorKind::InvalidSubcommand)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The examples in the help of an algorithm's command.
pub fn examples<A: Algorithm>() -> String {
    let example = |arguments: &&str| format!("\n  equipoise {} {arguments}", A::NAME);
    let examples: String = A::EXAMPLES.iter().map(example).collect();
    format!("Examples:{examples}")
}

/// Adds the commands of all algorithms to a program.
struct WithCommands(Command);

impl Visitor for WithCommands {
    fn visit<A: Algorithm>(&mut self) {
        if A::HAS_OWN_COMMAND {
            return;
        }
        let command = Arguments::<A>::augment_args(Command::new(A::NAME))
            .about(A::SUMMARY)
            .after_help(examples::<A>());
        self.0 = std::mem::take(&mut self.0).subcommand(command);
    }
}

/// Whether an algorithm with a common command has this name.
struct IsNamed<'a>(&'a str, bool);

impl Visitor for IsNamed<'_> {
    fn visit<A: Algorithm>(&mut self) {
        self.1 |= A::NAME == self.0 && !A::HAS_OWN_COMMAND;
    }
}

/// The requested command, once its algorithm was visited.
struct Requested<'a> {
    matches: Option<(&'a str, &'a ArgMatches)>,
    command: Option<Result<AlgorithmCommand, clap::Error>>,
}

impl Visitor for Requested<'_> {
    fn visit<A: Algorithm>(&mut self) {
        let Some((_, matches)) = self.matches.filter(|(name, _)| *name == A::NAME) else { return };
        let arguments = Arguments::<A>::from_arg_matches(matches);
        self.command = Some(arguments.map(|mut arguments| AlgorithmCommand {
            name: A::NAME,
            run: Box::new(move || match arguments.extra.search.take() {
                Some(sources) => search::run(arguments, sources),
                None => whole_graph::run(arguments),
            }),
        }));
    }
}
