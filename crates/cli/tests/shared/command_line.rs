//! What holds of the command line of any program.

use equipoise_cli::{
    program::{Program, command},
    renamed::Renamed,
};

/// The lines of a screen.
const SCREEN: usize = 50;

/// Whether clap finds the arguments to contradict each other.
pub fn is_consistent<P: Program>() {
    command::<P>().debug_assert();
}

/// The help of each command calls it.
pub fn every_command_has_an_example<P: Program>() {
    let program = command::<P>();
    for command in program.get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let call = format!("{} {}", program.get_name(), command.get_name());
        assert!(help.contains(&call), "{}: {help}", command.get_name());
    }
}

/// What `-h` prints can be read without scrolling.
pub fn short_help_fits_a_screen<P: Program>() {
    for command in command::<P>().get_subcommands_mut() {
        let lines = command.render_help().to_string().lines().count();
        assert!(lines <= SCREEN, "{} -h has {lines} lines", command.get_name());
    }
}

/// Options that were renamed have their new names, and nothing has the old ones.
pub fn every_new_name_is_an_option_and_no_old_one_is<P: Program>() {
    let program = command::<P>();
    for Renamed { commands, old, new } in P::RENAMED {
        for name in *commands {
            let command = program.find_subcommand(name).unwrap();
            let has = |option: &str| {
                command.get_arguments().any(|argument| argument.get_long() == Some(&option[2..]))
            };
            assert!(has(new) && !has(old), "{name} {old} {new}");
        }
    }
}
