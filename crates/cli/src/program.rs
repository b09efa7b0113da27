//! What the programs that are built on this library share: how they read their command line, and how they end.

use std::{env, ffi::OsString};

use clap::{
    Arg, Parser, ValueHint,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    failure::{Failure, Result, warn},
    files::{Files, Role},
    help, interrupt,
    renamed::{self, Moved, Renamed},
    screen::Screen,
    threads::{self, ThreadCount},
};

/// A program: its command line, as clap reads it, and what it does.
pub trait Program: Parser {
    /// Options by the names that they had before.
    const RENAMED: &'static [Renamed];
    /// Commands that are those of another program now.
    const MOVED: &'static [Moved] = &[];

    /// Runs the command. `files` are those that the arguments name; a command adds those that are named elsewhere.
    fn run(self, files: Files) -> Result<()>;
}

/// What a user wants.
pub enum Asked<P> {
    /// Work, with these files and on this number of threads.
    Work {
        /// The arguments.
        program: Box<P>,
        /// The files that the arguments name.
        files: Files,
        /// The number of threads, where the arguments give one.
        threads: Option<ThreadCount>,
    },
    /// This text: help, or the version.
    Text(String),
}

/// Does what the arguments, the program's name first, ask for, and returns the exit code. A signal ends the process
/// with the code that a shell gives for it.
pub fn main<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    equipoise::graph::io::report_shortened_files();
    match run::<P>(arguments) {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.code()
        }
    }
}

fn run<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match read::<P>(arguments)? {
        Asked::Work { program, files, threads } => {
            let work = || threads::start(threads).and_then(|()| program.run(files));
            interrupt::watch().run(work).unwrap_or_else(|_| interrupt::end())
        }
        Asked::Text(text) => Screen::default().product(&text),
    }
}

/// Stops an error message of Mesa's Vulkan drivers: they print it where a variable is missing that only windows need.
///
/// # Safety
///
/// No other thread may run: the environment is changed.
pub unsafe fn quiet_drivers() {
    let variable = "XDG_RUNTIME_DIR";
    if env::var_os(variable).is_none() {
        // SAFETY: the caller promises that no other thread reads the environment.
        unsafe { env::set_var(variable, env::temp_dir()) };
    }
}

/// Reads the arguments, the program's name first. Fails where an output is also an input or another output.
pub fn read<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked<P>> {
    let (arguments, told) = renamed::modern(P::RENAMED, arguments);
    told.iter().for_each(|sentence| warn(sentence));
    let mut command = command::<P>();
    let matches = match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(explained::<P>(&error)),
        Err(text) => return Ok(Asked::Text(text.render().ansi().to_string())),
    };
    let wrong = |error: clap::Error| Failure::of_arguments(&error.format(&mut command));
    let program = Box::new(P::from_arg_matches(&matches).map_err(wrong)?);
    let (mut files, mut threads) = (Files::default(), None);
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        files = Files::of(command, matches)?;
        // Not every command has the option.
        threads = matches.try_get_one("threads").ok().flatten().copied();
    }
    Ok(Asked::Work { program, files, threads })
}

/// All commands and their arguments. Arguments that name files have a hint for shells.
pub fn command<P: Program>() -> clap::Command {
    let hinted = |argument: Arg| match Role::of(&argument) {
        Some(role) if role.is_folder() => argument.value_hint(ValueHint::DirPath),
        Some(_) => argument.value_hint(ValueHint::FilePath),
        None => argument,
    };
    let placed = |argument: Arg| help::placed(hinted(argument));
    P::command().mut_subcommands(|command| command.mut_args(placed))
}

/// What is wrong with the arguments.
fn explained<P: Program>(error: &clap::Error) -> Failure {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => {
            let moved = P::MOVED.iter().find(|moved| moved.command == name);
            moved.map_or_else(|| unknown_command::<P>(name), Moved::failure)
        }
        _ => Failure::of_arguments(error),
    }
}

/// Lists the known commands, which clap does not.
fn unknown_command<P: Program>(name: &str) -> Failure {
    let command = command::<P>();
    let known: Vec<String> =
        command.get_subcommands().map(|known| format!("`{}`", known.get_name())).collect();
    Failure::usage(format!("there is no command `{name}`; known are: {}", known.join(", ")))
        .hint(format!("`{} --help` says what they do", command.get_name()))
}
