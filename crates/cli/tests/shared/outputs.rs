//! Tests every output of every command against every input and every other output.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use clap::{Arg, Command};
use equipoise_cli::{
    failure::{Failure, Result},
    files::Role,
    program::{self, Action, Program},
};

use super::Built;

/// Content that must not be overwritten.
pub const CONTENTS: &str = "0 1\n1 2\n";

const NAMES_OF_PATHS: [&str; 8] =
    ["FILE", "FOLDER", "GRAPH", "SECOND", "SUITE", "TABLE", "TENSOR", "OUT"];

/// Requires that the type of every argument for a file says whether it is read or written.
pub fn arguments_for_files_have_a_role<P: Program>() {
    for command in program::command::<P>().get_subcommands() {
        for argument in command.get_arguments() {
            let names = argument.get_value_names().unwrap_or_default();
            let is_path = names.iter().any(|name| NAMES_OF_PATHS.contains(&name.as_str()));
            let what = format!("{} {}", command.get_name(), argument.get_id());
            assert_eq!(
                is_path,
                Role::of_argument(argument).is_some(),
                "{what} has the names {names:?}"
            );
            let parser = argument.get_value_parser().type_id();
            assert!(parser != std::any::TypeId::of::<OsString>(), "{what} is an untyped name");
        }
    }
}

/// Requires that pairs of arguments are refused if both name one file and one of them is written. There are `at_least` pairs.
pub fn no_output_is_an_input_or_another_output<P: Program>(at_least: usize) {
    let program = program::command::<P>();
    let mut pairs = 0;
    for command in program.get_subcommands() {
        let paths: Vec<(&Arg, Role)> = command
            .get_arguments()
            .filter_map(|argument| Some((argument, Role::of_argument(argument)?)))
            .collect();
        for (output, _) in paths.iter().filter(|(_, role)| role.writes()) {
            for (other, role) in paths.iter().filter(|(other, _)| other.get_id() != output.get_id())
            {
                pairs += 1;
                for alias in ALIASES {
                    refuses::<P>(command, output, (other, *role), alias);
                }
            }
        }
    }
    assert!(pairs >= at_least, "only {pairs} pairs of arguments");
}

/// The second name of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alias {
    Same,
    OtherSpelling,
    HardLink,
    Link,
    LinkedFolder,
    /// A file that does not exist yet.
    New,
}

#[cfg(unix)]
const ALIASES: &[Alias] = &[
    Alias::Same,
    Alias::OtherSpelling,
    Alias::HardLink,
    Alias::Link,
    Alias::LinkedFolder,
    Alias::New,
];
#[cfg(not(unix))]
const ALIASES: &[Alias] = &[Alias::Same, Alias::OtherSpelling];

fn refuses<P: Program>(
    command: &Command,
    output: &Arg,
    (other, role): (&Arg, Role),
    alias: &Alias,
) {
    let is_new_input = *alias == Alias::New && !role.writes();
    if is_new_input || (role.is_folder() && *alias == Alias::HardLink) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.csv");
    match role {
        _ if *alias == Alias::New => {}
        Role::InputFolder => fs::create_dir(&file).unwrap(),
        _ => fs::write(&file, CONTENTS).unwrap(),
    }
    let second_name = second_name(&file, *alias);
    let before = listed(folder.path());
    for (first, second) in [(&file, &second_name), (&second_name, &file)] {
        let values = [(output, first), (other, second)];
        let arguments = arguments(command, &values, folder.path());
        let what = format!("{alias:?}: {arguments:?}");
        let failure = attempt::<P>(arguments).expect_err(&what);
        assert_eq!(failure.code(), 2, "{what}: {}", failure.message());
        assert!(is_of_files(&failure), "{what}: {}", failure.message());
        assert_eq!(listed(folder.path()), before, "{what}");
        if file.is_file() {
            assert_eq!(fs::read_to_string(&file).unwrap(), CONTENTS, "{what}");
        }
    }
}

/// Runs a command in this process.
pub fn attempt<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match program::read::<P>(arguments)? {
        Action::Work { program, files, .. } => program.run(files),
        Action::Text(text) => panic!("{text}"),
    }
}

/// Whether a command was refused because two arguments name one file.
pub fn is_of_files(failure: &Failure) -> bool {
    ["which is read", "which is written to as well"]
        .iter()
        .any(|words| failure.message().ends_with(words))
}

fn second_name(file: &Path, alias: Alias) -> PathBuf {
    let folder = file.parent().unwrap();
    let link = folder.join("link.csv");
    match alias {
        Alias::Same => file.to_owned(),
        Alias::OtherSpelling => folder.join(".").join("file.csv"),
        Alias::HardLink => {
            fs::hard_link(file, &link).unwrap();
            link
        }
        #[cfg(unix)]
        Alias::Link => {
            std::os::unix::fs::symlink(file, &link).unwrap();
            link
        }
        #[cfg(unix)]
        Alias::LinkedFolder | Alias::New => {
            std::os::unix::fs::symlink(folder, folder.join("folder")).unwrap();
            folder.join("folder").join("file.csv")
        }
        #[cfg(not(unix))]
        _ => file.to_owned(),
    }
}

/// The command with these values, and some value for each required argument.
fn arguments(command: &Command, values: &[(&Arg, &PathBuf)], folder: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["program".into(), command.get_name().into()];
    for argument in command.get_arguments() {
        let value = values.iter().find(|(known, _)| known.get_id() == argument.get_id());
        let value: OsString = match value {
            Some((_, path)) => path.as_os_str().to_owned(),
            // Positional arguments are included: some are optional only in combination with an option.
            None if !argument.is_required_set() && !argument.is_positional() => continue,
            None if Role::of_argument(argument).is_some_and(Role::writes) => {
                folder.join("elsewhere").into()
            }
            None => "path:n=3".into(),
        };
        if let Some(long) = argument.get_long() {
            all.push(format!("--{long}").into());
        }
        all.push(value);
    }
    all
}

/// The names of the entries of a folder.
pub fn listed(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// Requires that outputs with unknown extensions are refused.
pub fn unknown_extensions_of_outputs_are_refused<P: Program>() {
    for command in program::command::<P>().get_subcommands() {
        for output in
            command.get_arguments().filter(|it| Role::of_argument(it) == Some(Role::Output))
        {
            let folder = tempfile::tempdir().unwrap();
            for name in ["x.parquet", "x.parquet.gz", "x.html.csv.doc"] {
                let file = folder.path().join(name);
                let arguments = arguments(command, &[(output, &file)], folder.path());
                let what = format!("{arguments:?}");
                let failure = attempt::<P>(arguments).expect_err(&what);
                assert_eq!(failure.code(), 2, "{what}: {}", failure.message());
                assert!(failure.message().contains(name), "{what}: {}", failure.message());
                assert_eq!(listed(folder.path()), [""; 0], "{what}");
            }
        }
    }
}

/// Requires that each call is refused because two arguments name one file, and changes no file.
pub fn calls_are_refused(program: Built, files: &[(&str, &str)], calls: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for call in calls {
        let output = program.run(folder.path(), call);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {errors}");
        assert!(errors.contains(", which is "), "{call}: {errors}");
        assert_eq!(listed(folder.path()).len(), files.len(), "{call}");
        for (name, text) in files {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *text, "{call}");
        }
    }
}
