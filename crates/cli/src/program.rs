//! Code shared by the programs built on this library: parsing of the command line, and exit.

use std::{
    env,
    ffi::OsString,
    panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind},
};

use clap::{
    Arg, Parser, ValueHint,
    error::{ContextKind, ContextValue, ErrorKind},
};

use equipoise::graph::io::{check_files_unchanged, report_shortened_files};

use crate::{
    failure::{Failure, Result},
    files::{Files, Role},
    help, interrupt,
    screen::{self, Screen},
    threads::{self, ThreadCount},
};

/// A program: its command line, as a clap parser, and its function.
pub trait Program: Parser {
    /// Runs the command. `files` are those named by the arguments; a command adds those named
    /// elsewhere.
    fn run(self, files: Files) -> Result<()>;
}

/// The action that the arguments request.
pub enum Action<P> {
    /// Run the program, with these files and this number of threads.
    Work {
        /// The parsed arguments.
        program: Box<P>,
        /// The files that the arguments name.
        files: Files,
        /// The requested number of threads.
        threads: Option<ThreadCount>,
    },
    /// Print this text: help, or the version.
    Text(String),
}

/// Runs a program with `arguments`, whose first is the program's name, and returns the exit code. A
/// signal ends the process with its conventional exit code.
pub fn main<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    report_shortened_files();
    expect_changed_files();
    equipoise::graph::io::report_files_too_large();
    match run::<P>(arguments) {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.code()
        }
    }
}

/// Silences panics caused by concurrent writes to an input, which are reported as errors.
fn expect_changed_files() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if check_files_unchanged().is_ok() {
            others(info);
        }
    }));
}

fn run<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match read::<P>(arguments)? {
        Action::Work { program, files, threads } => {
            screen::leave_standard_output_to_results(files.on_standard_output().is_some());
            let work = || {
                let work = || threads::start(threads).and_then(|()| program.run(files));
                // The cause is reported, and nothing else.
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
                    check_files_unchanged()?;
                    resume_unwind(panic)
                })
            };
            interrupt::watch().run(work).unwrap_or_else(|_| interrupt::end())
        }
        Action::Text(text) => Screen::default().product(&text),
    }
}

/// Suppresses an error message of Mesa's Vulkan drivers, printed if a variable is missing that only
/// windows need. It is set to a path that no one can write to.
///
/// # Safety
///
/// No other thread may be running: the environment is changed.
pub unsafe fn quiet_drivers() {
    let variable = "XDG_RUNTIME_DIR";
    if env::var_os(variable).is_none() {
        // SAFETY: the caller guarantees that no other thread reads the environment.
        unsafe { env::set_var(variable, "/dev/null") };
    }
}

/// Parses the arguments, whose first is the program's name. Fails if an output is also an input or
/// another output.
pub fn read<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<Action<P>> {
    let mut command = command::<P>();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let matches = match command.try_get_matches_from_mut(&arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(explained::<P>(&error)),
        Err(text) => {
            let is_help = text.kind() == ErrorKind::DisplayHelp;
            let help = is_help.then(|| help::of_command(&mut command, &arguments)).flatten();
            return Ok(Action::Text(help.unwrap_or_else(|| text.render()).ansi().to_string()));
        }
    };
    let wrong = |error: clap::Error| Failure::of_arguments(&error.format(&mut command));
    let program = Box::new(P::from_arg_matches(&matches).map_err(wrong)?);
    let (mut files, mut threads) = (Files::default(), None);
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        files = Files::from_matches(command, matches)?;
        let is_json = matches.try_get_one("json").ok().flatten().copied().unwrap_or(false);
        if let (Some(output), true) = (files.on_standard_output(), is_json) {
            return Err(Failure::usage(format!(
                "{output}: this is standard output, where --json prints its document"
            ))
            .hint("write the results to a file"));
        }
        // Not every command has the option.
        threads = matches.try_get_one("threads").ok().flatten().copied();
    }
    Ok(Action::Work { program, files, threads })
}

/// All commands with their arguments. Arguments that name files have a hint for shells.
pub fn command<P: Program>() -> clap::Command {
    let hinted = |argument: Arg| match Role::of_argument(&argument) {
        Some(role) if role.is_folder() => argument.value_hint(ValueHint::DirPath),
        Some(_) => argument.value_hint(ValueHint::FilePath),
        // For `--tolerance -1`, the message lists valid tolerances instead of an unknown option
        // `-1`.
        None if argument.get_action().takes_values() && !argument.is_positional() => {
            argument.allow_negative_numbers(true)
        }
        None => argument,
    };
    P::command().mut_subcommands(|command| help::arranged(command.mut_args(hinted)))
}

/// The failure for an error in the arguments.
fn explained<P: Program>(error: &clap::Error) -> Failure {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => {
            unknown_command::<P>(name)
        }
        _ => Failure::of_arguments(error),
    }
}

/// The failure for an unknown command, which lists the known ones.
fn unknown_command<P: Program>(name: &str) -> Failure {
    let command = command::<P>();
    let known: Vec<String> =
        command.get_subcommands().map(|known| format!("`{}`", known.get_name())).collect();
    Failure::usage(format!("unknown command `{name}`; known are: {}", known.join(", ")))
        .hint(format!("`{} --help` says what they do", command.get_name()))
}
