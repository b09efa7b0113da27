//! Which options `-h` shows, and the headings and the order of those in `--help`.

use std::ffi::OsString;

use clap::{Arg, Command, builder::StyledStr};
use equipoise::algorithm::PAPERS;

/// The heading of options that only one strategy or schedule uses.
pub const OF_ONE_STRATEGY: &str = "For one strategy";

/// The options that only one strategy or schedule uses, by their field names. Those of the papers'
/// strategies have a heading of their own.
const ONE_STRATEGY: [&str; 9] = [
    "adaptive",
    "coarsening",
    "delta",
    "group",
    "hashes",
    "layout",
    "passes",
    "reorder",
    "searches_at_once",
];

/// Rarely needed options, which only `--help` shows.
const RARE: [&str; 21] = [
    "active-degrees",
    "batch",
    "drop_duplicates",
    "drop_loops",
    "header",
    "ids",
    "initial_file",
    "iterations",
    "level_columns",
    "max_community_size",
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
    "weights",
];

/// The options that a command takes from a shared group but does not use.
fn is_foreign(command: &str, option: &str) -> bool {
    match option {
        "layout" | "reorder" => command != "spmv",
        // Of the strategy two-phase, which BFS does not have.
        "coarsening" => command == "bfs",
        _ => false,
    }
}

/// The command with its options as help shows them: `-h` fits on a screen, and options of single
/// strategies come last.
pub fn arranged(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let mut command = command.mut_args(|argument| placed(&name, argument));
    for heading in [OF_ONE_STRATEGY, PAPERS] {
        let of_heading =
            command.get_arguments().filter(|it| it.get_help_heading() == Some(heading));
        let ids: Vec<clap::Id> = of_heading.map(|argument| argument.get_id().clone()).collect();
        for id in ids {
            // Changing an argument moves it to the end.
            command = command.mut_arg(id, |argument| argument);
        }
    }
    command
}

fn placed(command: &str, argument: Arg) -> Arg {
    let name = argument.get_id().as_str();
    let is_of_papers = argument.get_help_heading() == Some(PAPERS);
    let is_of_one = !is_of_papers && ONE_STRATEGY.contains(&name);
    let is_rare =
        is_of_one || is_of_papers || (RARE.contains(&name) && !argument.is_required_set());
    let is_foreign = is_foreign(command, name);
    let argument = argument.hide_short_help(is_rare);
    let argument = if is_foreign { argument.hide(true) } else { argument };
    if is_of_one { argument.help_heading(OF_ONE_STRATEGY) } else { argument }
}

/// The text of `--help` for the command that the arguments name: all options, in the layout of `-h`, which takes a
/// quarter of the lines. `None` if they ask for `-h`, or for the help of the whole program.
pub fn of_command(program: &mut Command, arguments: &[OsString]) -> Option<StyledStr> {
    let mut arguments = arguments.iter().skip(1);
    arguments.clone().find(|&argument| argument == "--help" || argument == "help")?;
    program.build();
    let named = |argument| program.find_subcommand(argument);
    let command =
        arguments.find_map(|argument| named(argument).filter(|it| it.get_name() != "help"));
    let shown = |argument: Arg| {
        let points_here = argument.get_help().is_some_and(|it| it.to_string().contains("'--help'"));
        if points_here {
            argument.help("Print help (see a summary with '-h')")
        } else {
            argument.hide_short_help(false)
        }
    };
    let mut command = command?.clone().mut_args(shown);
    if let Some(about) = command.get_long_about().cloned() {
        command = command.about(about);
    }
    if let Some(text) = command.get_after_long_help().cloned() {
        command = command.after_help(text);
    }
    Some(command.render_help())
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

    #[test]
    fn help_fits_on_one_screen_in_short_and_on_two_in_full() {
        let mut all = command::<Cli>();
        let arguments = ["equipoise", "bfs", "--help"].map(OsString::from);
        let full = of_command(&mut all, &arguments).unwrap().to_string();
        assert!(full.lines().count() <= 100, "{full}");
        assert_eq!(full.matches(PAPERS).count(), 1);
        let papers = full.split_once(PAPERS).unwrap().1;
        assert!(papers.contains("--warp-size") && !papers.contains("\n\nRun:"), "{full}");
        let short = all.find_subcommand_mut("bfs").unwrap().render_help().to_string();
        assert!(short.lines().count() <= 50, "{short}");
        assert!(of_command(&mut all, &arguments[..2]).is_none());
        assert!(of_command(&mut all, &["equipoise", "--help"].map(OsString::from)).is_none());
    }

    #[test]
    fn commands_offer_only_options_that_they_use() {
        let all = command::<Cli>();
        let offers = |command: &str, option: &str| {
            let mut arguments = all.find_subcommand(command).unwrap().get_arguments();
            arguments.any(|argument| argument.get_id() == option && !argument.is_hide_set())
        };
        assert!(offers("spmv", "layout") && offers("spmv", "reorder"));
        assert!(!offers("spmm", "layout") && !offers("spgemm", "reorder"));
        assert!(offers("sssp", "coarsening") && !offers("bfs", "coarsening"));
    }

    /// Such help starts with the name that it applies to, as in "Hierarchy: decompose what is
    /// left".
    #[test]
    fn options_of_one_strategy_are_under_its_heading() {
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
                let headings = [Some(OF_ONE_STRATEGY), Some(PAPERS)];
                let is_apart = headings.contains(&argument.get_help_heading());
                assert!(!is_for_one || is_apart, "{} {help}", command.get_name());
                found += usize::from(is_for_one);
            }
        }
        assert!(found > 20, "{found}");
    }
}
