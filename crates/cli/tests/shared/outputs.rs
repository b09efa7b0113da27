//! Every output of every command against every input and every other output, as clap knows them.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use clap::{Arg, Command};

use super::Role;
use crate::{
    cli::{self, Asked},
    failure::{Failure, Result},
};

/// What a user would lose.
const CONTENTS: &str = "0 1\n1 2\n";

/// The names that values of arguments have that are files or folders.
const NAMES_OF_PATHS: [&str; 8] =
    ["FILE", "FOLDER", "GRAPH", "SECOND", "SUITE", "TABLE", "TENSOR", "OUT"];

#[test]
fn what_names_a_file_says_what_becomes_of_it() {
    for command in cli::command().get_subcommands() {
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

#[test]
fn no_output_is_an_input_or_another_output() {
    let program = cli::command();
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
                    refuses(command, output, (other, *role), way);
                }
            }
        }
    }
    assert!(pairs > 50, "the arguments are found: {pairs}");
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

fn refuses(command: &Command, output: &Arg, (other, role): (&Arg, Role), way: &Way) {
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
        let failure = attempt(arguments).expect_err(&place);
        assert_eq!(failure.code(), 2, "{place}: {}", failure.message());
        assert!(is_of_files(&failure), "{place}: {}", failure.message());
        assert_eq!(listed(folder.path()), before, "{place}");
        if file.is_file() {
            assert_eq!(fs::read_to_string(&file).unwrap(), CONTENTS, "{place}");
        }
    }
}

fn attempt(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match cli::read(arguments)? {
        Asked::Work { command, files, .. } => command.run(files),
        Asked::Text(text) => panic!("{text}"),
    }
}

fn is_of_files(failure: &Failure) -> bool {
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
    let mut all: Vec<OsString> = vec!["equipoise".into(), command.get_name().into()];
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

fn listed(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// A file is what its name says, whatever is written to it.
#[test]
fn no_output_has_an_ending_that_is_not_known() {
    for command in cli::command().get_subcommands() {
        for output in command.get_arguments().filter(|it| Role::of(it) == Some(Role::Output)) {
            let folder = tempfile::tempdir().unwrap();
            for name in ["x.parquet", "x.parquet.gz", "x.html.csv.doc"] {
                let file = folder.path().join(name);
                let arguments = arguments(command, &[(output, &file)], folder.path());
                let place = format!("{arguments:?}");
                let failure = attempt(arguments).expect_err(&place);
                assert_eq!(failure.code(), 2, "{place}: {}", failure.message());
                assert!(failure.message().contains(name), "{place}: {}", failure.message());
                assert_eq!(listed(folder.path()), [""; 0], "{place}");
            }
        }
    }
}

/// What is beside a page and what a suite names is not in the arguments, but known as well.
#[test]
fn files_that_no_argument_names_are_kept_apart_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string();
    fs::write(path("suite.txt"), "a real out.json\nb real table.csv\n").unwrap();
    fs::write(path("out.json"), CONTENTS).unwrap();
    fs::write(path("table.csv"), CONTENTS).unwrap();
    fs::create_dir(path("new-tables")).unwrap();
    fs::write(path("new-tables/spmv.csv"), CONTENTS).unwrap();
    let refused: [&[&str]; 5] = [
        &["bench", "suite.txt", "--report", "out.html"],
        &["bench", "suite.txt", "--json", "out.json"],
        &["bench", "suite.txt", "--report", "new.html", "--json", "new.json"],
        &["bench", "suite.txt", "--report", "new.html", "--references", "new-tables/spmv.csv"],
        &["measure", "suite.txt", "-o", "table.csv"],
    ];
    let before = listed(folder.path());
    for command in refused {
        let words = command.iter().enumerate().map(|(at, word)| match at {
            0 => (*word).into(),
            _ if word.starts_with('-') => (*word).into(),
            _ => path(word),
        });
        let arguments = [OsString::from("equipoise")].into_iter().chain(words);
        let failure = attempt(arguments).expect_err(&format!("{command:?}"));
        assert_eq!(failure.code(), 2, "{command:?}: {}", failure.message());
        assert!(is_of_files(&failure), "{command:?}: {}", failure.message());
        assert_eq!(listed(folder.path()), before);
        assert_eq!(fs::read_to_string(path("out.json")).unwrap(), CONTENTS);
        assert_eq!(fs::read_to_string(path("table.csv")).unwrap(), CONTENTS);
    }
}
