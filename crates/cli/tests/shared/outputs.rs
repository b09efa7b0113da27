//! Every output of every command against every input and every other output, as clap knows them.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use clap::{Arg, Command};
use equipoise_cli::{
    failure::{Failure, Result},
    files::Role,
    program::{self, Asked, Program},
};

use super::Built;

/// What a user would lose.
pub const CONTENTS: &str = "0 1\n1 2\n";

/// The names that values of arguments have that are files or folders.
const NAMES_OF_PATHS: [&str; 8] =
    ["FILE", "FOLDER", "GRAPH", "SECOND", "SUITE", "TABLE", "TENSOR", "OUT"];

/// The type of every argument that names a file says whether it is read or written.
pub fn what_names_a_file_says_what_becomes_of_it<P: Program>() {
    for command in program::command::<P>().get_subcommands() {
        for argument in command.get_arguments() {
            let names = argument.get_value_names().unwrap_or_default();
            let is_path = names.iter().any(|name| NAMES_OF_PATHS.contains(&name.as_str()));
            let place = format!("{} {}", command.get_name(), argument.get_id());
            assert_eq!(is_path, Role::of(argument).is_some(), "{place} is called {names:?}");
            let parser = argument.get_value_parser().type_id();
            assert!(parser != std::any::TypeId::of::<PathBuf>(), "{place} is just any path");
            assert!(parser != std::any::TypeId::of::<OsString>(), "{place} is just any name");
        }
    }
}

/// At least so many pairs of arguments are refused where both name one file and one of them is written.
pub fn no_output_is_an_input_or_another_output<P: Program>(at_least: usize) {
    let program = program::command::<P>();
    let mut pairs = 0;
    for command in program.get_subcommands() {
        let paths: Vec<(&Arg, Role)> = command
            .get_arguments()
            .filter_map(|argument| Some((argument, Role::of(argument)?)))
            .collect();
        for (output, _) in paths.iter().filter(|(_, role)| role.writes()) {
            for (other, role) in paths.iter().filter(|(other, _)| other.get_id() != output.get_id())
            {
                pairs += 1;
                for way in WAYS {
                    refuses::<P>(command, output, (other, *role), way);
                }
            }
        }
    }
    assert!(pairs >= at_least, "the arguments are found: {pairs}");
}

/// How one file is named a second time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Same,
    OtherSpelling,
    HardLink,
    Link,
    LinkedFolder,
    /// There is no such file yet.
    New,
}

#[cfg(unix)]
const WAYS: &[Way] =
    &[Way::Same, Way::OtherSpelling, Way::HardLink, Way::Link, Way::LinkedFolder, Way::New];
#[cfg(not(unix))]
const WAYS: &[Way] = &[Way::Same, Way::OtherSpelling];

fn refuses<P: Program>(command: &Command, output: &Arg, (other, role): (&Arg, Role), way: &Way) {
    let is_new_input = *way == Way::New && !role.writes();
    if is_new_input || (role.is_folder() && *way == Way::HardLink) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.csv");
    match role {
        _ if *way == Way::New => {}
        Role::InputFolder => fs::create_dir(&file).unwrap(),
        _ => fs::write(&file, CONTENTS).unwrap(),
    }
    let again = once_more(&file, *way);
    let before = listed(folder.path());
    for (first, second) in [(&file, &again), (&again, &file)] {
        let values = [(output, first), (other, second)];
        let arguments = arguments(command, &values, folder.path());
        let place = format!("{way:?}: {arguments:?}");
        let failure = attempt::<P>(arguments).expect_err(&place);
        assert_eq!(failure.code(), 2, "{place}: {}", failure.message());
        assert!(is_of_files(&failure), "{place}: {}", failure.message());
        assert_eq!(listed(folder.path()), before, "{place}");
        if file.is_file() {
            assert_eq!(fs::read_to_string(&file).unwrap(), CONTENTS, "{place}");
        }
    }
}

/// Runs a command in this process.
pub fn attempt<P: Program>(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match program::read::<P>(arguments)? {
        Asked::Work { program, files, .. } => program.run(files),
        Asked::Text(text) => panic!("{text}"),
    }
}

/// Whether a command was refused because of two files that are one.
pub fn is_of_files(failure: &Failure) -> bool {
    ["which is read", "which is written to as well"]
        .iter()
        .any(|words| failure.message().ends_with(words))
}

fn once_more(file: &Path, way: Way) -> PathBuf {
    let folder = file.parent().unwrap();
    let link = folder.join("link.csv");
    match way {
        Way::Same => file.to_owned(),
        Way::OtherSpelling => folder.join(".").join("file.csv"),
        Way::HardLink => {
            fs::hard_link(file, &link).unwrap();
            link
        }
        #[cfg(unix)]
        Way::Link => {
            std::os::unix::fs::symlink(file, &link).unwrap();
            link
        }
        #[cfg(unix)]
        Way::LinkedFolder | Way::New => {
            std::os::unix::fs::symlink(folder, folder.join("folder")).unwrap();
            folder.join("folder").join("file.csv")
        }
        #[cfg(not(unix))]
        _ => file.to_owned(),
    }
}

/// The command with these values, and some value for what it does not do without.
fn arguments(command: &Command, values: &[(&Arg, &PathBuf)], folder: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["program".into(), command.get_name().into()];
    for argument in command.get_arguments() {
        let given = values.iter().find(|(given, _)| given.get_id() == argument.get_id());
        let value: OsString = match given {
            Some((_, path)) => path.as_os_str().to_owned(),
            // Those known by their place are given: some may be left out only where an option is given.
            None if !argument.is_required_set() && !argument.is_positional() => continue,
            None if Role::of(argument).is_some_and(Role::writes) => folder.join("elsewhere").into(),
            None => "path:n=3".into(),
        };
        if let Some(long) = argument.get_long() {
            all.push(format!("--{long}").into());
        }
        all.push(value);
    }
    all
}

/// The names of what is in a folder.
pub fn listed(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// A file is what its name says, whatever is written to it.
pub fn no_output_has_an_ending_that_is_not_known<P: Program>() {
    for command in program::command::<P>().get_subcommands() {
        for output in command.get_arguments().filter(|it| Role::of(it) == Some(Role::Output)) {
            let folder = tempfile::tempdir().unwrap();
            for name in ["x.parquet", "x.parquet.gz", "x.html.csv.doc"] {
                let file = folder.path().join(name);
                let arguments = arguments(command, &[(output, &file)], folder.path());
                let place = format!("{arguments:?}");
                let failure = attempt::<P>(arguments).expect_err(&place);
                assert_eq!(failure.code(), 2, "{place}: {}", failure.message());
                assert!(failure.message().contains(name), "{place}: {}", failure.message());
                assert_eq!(listed(folder.path()), [""; 0], "{place}");
            }
        }
    }
}

/// Each call of a program in a folder with these files is refused because two of them are one, and no file changes.
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
