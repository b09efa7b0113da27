//! The command line as a whole, and the files that its arguments name.

use std::{ffi::OsString, fs};

use equipoise_lab::Lab;

use crate::shared::{
    command_line,
    outputs::{self, CONTENTS, attempt, is_of_files, listed},
};

#[test]
fn the_command_line_is_consistent() {
    command_line::is_consistent::<Lab>();
}

#[test]
fn every_command_has_an_example() {
    command_line::every_command_has_an_example::<Lab>();
}

#[test]
fn examples_in_help_are_understood() {
    command_line::examples_are_understood::<Lab>();
}

#[test]
fn short_help_fits_a_screen() {
    command_line::short_help_fits_a_screen::<Lab>();
}

#[test]
fn arguments_for_files_have_a_role() {
    outputs::arguments_for_files_have_a_role::<Lab>();
}

#[test]
fn no_output_is_an_input_or_another_output() {
    outputs::no_output_is_an_input_or_another_output::<Lab>(18);
}

#[test]
fn unknown_extensions_of_outputs_are_refused() {
    outputs::unknown_extensions_of_outputs_are_refused::<Lab>();
}

/// Files next to a page and files in a suite are no arguments, but are checked, too.
#[test]
fn files_that_no_argument_names_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string();
    fs::write(path("suite.txt"), "a real out.json\nb real table.csv\n").unwrap();
    fs::write(path("out.json"), CONTENTS).unwrap();
    fs::write(path("table.csv"), CONTENTS).unwrap();
    fs::create_dir(path("new-tables")).unwrap();
    fs::write(path("new-tables/spmv.csv"), CONTENTS).unwrap();
    let refused: [&[&str]; 5] = [
        &["bench", "suite.txt", "--report", "out.html"],
        &["bench", "suite.txt", "--results", "out.json"],
        &["bench", "suite.txt", "--report", "new.html", "--results", "new.json"],
        &["bench", "suite.txt", "--report", "new.html", "--references", "new-tables/spmv.csv"],
        &["measure", "suite.txt", "-o", "table.csv"],
    ];
    let before = listed(folder.path());
    for command in refused {
        let words = command.iter().enumerate().map(|(index, word)| match index {
            0 => (*word).into(),
            _ if word.starts_with('-') => (*word).into(),
            _ => path(word),
        });
        let arguments = [OsString::from("equipoise-lab")].into_iter().chain(words);
        let failure = attempt::<Lab>(arguments).expect_err(&format!("{command:?}"));
        assert_eq!(failure.code(), 2, "{command:?}: {}", failure.message());
        assert!(is_of_files(&failure), "{command:?}: {}", failure.message());
        assert_eq!(listed(folder.path()), before);
        assert_eq!(fs::read_to_string(path("out.json")).unwrap(), CONTENTS);
        assert_eq!(fs::read_to_string(path("table.csv")).unwrap(), CONTENTS);
    }
}
