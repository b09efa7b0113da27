//! Tests of the command line of any program.

use equipoise::graph::generate::{Spec, TensorSpec};
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

/// Requires that the program understands the calls in the help of each command: their options and the graphs to generate.
pub fn examples_are_understood<P: Program>() {
    let program = command::<P>();
    let helps = program.get_subcommands().filter_map(|command| command.get_after_help());
    let helps: Vec<String> = helps.map(|help| help.to_string().replace("\\\n", " ")).collect();
    let start = format!("  {} ", program.get_name());
    let calls: Vec<&str> = helps
        .iter()
        .flat_map(|help| help.lines())
        .filter(|line| line.starts_with(&start))
        .collect();
    assert!(calls.len() >= helps.len(), "{calls:?}");
    for call in calls {
        let words: Vec<&str> = call.split_whitespace().take_while(|&word| word != ">").collect();
        if let Err(error) = program.clone().try_get_matches_from(&words) {
            panic!("{call}: {error}");
        }
        let specs = words.iter().filter(|word| word.contains(':') && word.contains('='));
        for spec in specs {
            let understood = if spec.starts_with("tensor:") {
                spec.parse::<TensorSpec>().map(drop)
            } else {
                spec.parse::<Spec>().map(drop)
            };
            understood.unwrap_or_else(|error| panic!("{call}: {error}"));
        }
    }
}

/// Requires that `-h` fits a screen.
pub fn short_help_fits_a_screen<P: Program>() {
    for command in command::<P>().get_subcommands_mut() {
        let lines = command.render_help().to_string().lines().count();
        assert!(lines <= SCREEN, "{} -h has {lines} lines", command.get_name());
    }
}
