//! Tests of the command line of any program.

use equipoise_cli::program::{Program, command};

/// The lines of a screen.
const SCREEN: usize = 50;

/// Requires that the definitions of arguments do not contradict each other.
pub fn is_consistent<P: Program>() {
    command::<P>().debug_assert();
}

/// Requires that the help of each command contains a call of it.
pub fn every_command_has_an_example<P: Program>() {
    let program = command::<P>();
    for command in program.get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let call = format!("{} {}", program.get_name(), command.get_name());
        assert!(help.contains(&call), "{}: {help}", command.get_name());
    }
}

/// Requires that `-h` fits a screen.
pub fn short_help_fits_a_screen<P: Program>() {
    for command in command::<P>().get_subcommands_mut() {
        let lines = command.render_help().to_string().lines().count();
        assert!(lines <= SCREEN, "{} -h has {lines} lines", command.get_name());
    }
}
