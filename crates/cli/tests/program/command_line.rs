//! The command line as a whole, and the files that its arguments name.

use equipoise_cli::cli::Cli;

use crate::{
    common::run,
    shared::{command_line, outputs},
};

#[test]
fn the_command_line_is_consistent() {
    command_line::is_consistent::<Cli>();
}

#[test]
fn every_command_has_an_example() {
    command_line::every_command_has_an_example::<Cli>();
}

#[test]
fn short_help_fits_a_screen() {
    command_line::short_help_fits_a_screen::<Cli>();
}

#[test]
fn every_new_name_is_an_option_and_no_old_one_is() {
    command_line::every_new_name_is_an_option_and_no_old_one_is::<Cli>();
}

#[test]
fn what_names_a_file_says_what_becomes_of_it() {
    outputs::what_names_a_file_says_what_becomes_of_it::<Cli>();
}

#[test]
fn no_output_is_an_input_or_another_output() {
    outputs::no_output_is_an_input_or_another_output::<Cli>(40);
}

#[test]
fn no_output_has_an_ending_that_is_not_known() {
    outputs::no_output_has_an_ending_that_is_not_known::<Cli>();
}

#[test]
fn commands_of_the_lab_are_answered_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["bench", "measure", "train", "evaluate"] {
        for arguments in [command.to_owned(), format!("{command} a.txt --device cpu -o b.csv")] {
            let output = run(folder.path(), &arguments);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
            let answer = format!("`{command}` is a command of the program `equipoise-lab` now");
            assert!(errors.contains(&answer), "{arguments}: {errors}");
        }
    }
    let output = run(folder.path(), "bench --headline --device cpu");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("`equipoise headline`"), "{errors}");
}
