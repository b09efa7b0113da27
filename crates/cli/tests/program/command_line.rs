//! The command line as a whole, and the files that its arguments name.

use equipoise_cli::cli::Cli;

use crate::shared::{command_line, outputs};

#[test]
fn the_command_line_is_consistent() {
    command_line::is_consistent::<Cli>();
}

#[test]
fn every_command_has_an_example() {
    command_line::every_command_has_an_example::<Cli>();
}

#[test]
fn examples_in_help_are_understood() {
    command_line::examples_are_understood::<Cli>();
}

#[test]
fn short_help_fits_a_screen() {
    command_line::short_help_fits_a_screen::<Cli>();
}

#[test]
fn arguments_for_files_have_a_role() {
    outputs::arguments_for_files_have_a_role::<Cli>();
}

#[test]
fn no_output_is_an_input_or_another_output() {
    outputs::no_output_is_an_input_or_another_output::<Cli>(40);
}

#[test]
fn unknown_extensions_of_outputs_are_refused() {
    outputs::unknown_extensions_of_outputs_are_refused::<Cli>();
}
