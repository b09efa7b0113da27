//! Which options `-h` shows, and where `--help` shows those that few need.

use clap::Arg;

/// The heading of options that one strategy or schedule alone looks at.
pub const OF_ONE_STRATEGY: &str = "For one strategy";

/// The options that one strategy or schedule alone looks at, by the names of their fields.
const ONE_STRATEGY: [&str; 28] = [
    "adaptive",
    "alpha",
    "beta",
    "bins",
    "coarsening",
    "count",
    "cube_size",
    "delta",
    "group",
    "hashes",
    "layout",
    "mdt",
    "no_chunking",
    "no_early_exit",
    "no_steal",
    "passes",
    "queues",
    "reorder",
    "searches_at_once",
    "steal",
    "steal_within",
    "steps",
    "switch",
    "switch_model",
    "switch_sweep",
    "threshold",
    "warp_size",
    "worklist_duplicates",
];

/// What else is needed so rarely that `-h` leaves it to `--help`.
const RARE: [&str; 16] = [
    "active_degrees",
    "batch",
    "drop_duplicates",
    "drop_loops",
    "header",
    "ids",
    "max_depth",
    "max_iterations",
    "memory_limit",
    "model",
    "plan",
    "policy",
    "threads",
    "trace",
    "validate",
    "validate_on",
];

/// The argument where a reader looks for it: `-h` fits a screen, and settings of one strategy stand
/// together at the end.
pub fn placed(argument: Arg) -> Arg {
    let name = argument.get_id().as_str();
    let is_of_one = ONE_STRATEGY.contains(&name);
    let is_rare = is_of_one || (RARE.contains(&name) && !argument.is_required_set());
    let argument = argument.hide_short_help(is_rare);
    match is_of_one {
        true => argument.help_heading(OF_ONE_STRATEGY),
        false => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::Cli, program::command};

    #[test]
    fn names_are_those_of_options() {
        let all = command::<Cli>();
        let has = |name: &str| {
            let mut arguments = all.get_subcommands().flat_map(|command| command.get_arguments());
            arguments.any(|argument| argument.get_id() == name)
        };
        let missing: Vec<_> = ONE_STRATEGY.iter().chain(&RARE).filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    /// Such help begins with the name that it is for, as in "Hierarchy: decompose what is left".
    #[test]
    fn what_is_for_one_strategy_stands_under_its_heading() {
        let all = command::<Cli>();
        let mut found = 0;
        for command in all.get_subcommands() {
            let names: Vec<String> = command
                .get_arguments()
                .filter(|argument| ["strategy", "schedule"].contains(&argument.get_id().as_str()))
                .flat_map(|argument| argument.get_possible_values())
                .map(|value| value.get_name().to_owned())
                .filter(|name| name != "auto")
                .collect();
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let whom = help.split_once(": ").map_or("", |(whom, _)| whom).to_lowercase();
                let is_for_one = names.iter().any(|name| whom.split(' ').next() == Some(name));
                let heading = argument.get_help_heading() == Some(OF_ONE_STRATEGY);
                assert!(!is_for_one || heading, "{} {help}", command.get_name());
                found += usize::from(is_for_one);
            }
        }
        assert!(found > 20, "{found}");
    }
}
