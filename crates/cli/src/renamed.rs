//! Options by the names that they had before, which scripts may still use.

use std::ffi::{OsStr, OsString};

/// An option of some commands that is called otherwise now.
struct Renamed {
    commands: &'static [&'static str],
    old: &'static str,
    new: &'static str,
}

const RENAMED: [Renamed; 9] = [
    Renamed {
        commands: &["bfs", "sssp", "explain", "measure"],
        old: "--sources",
        new: "--random-sources",
    },
    Renamed { commands: &["apsp"], old: "--sources", new: "--source" },
    Renamed { commands: &["apsp"], old: "--batch", new: "--searches-at-once" },
    Renamed { commands: &["bfs", "sssp"], old: "--group", new: "--warp-size" },
    Renamed { commands: &["color"], old: "--group", new: "--cube-size" },
    Renamed { commands: &["bench"], old: "--json", new: "--results" },
    Renamed { commands: &["bench"], old: "--threshold", new: "--slower-by" },
    Renamed { commands: &["measure"], old: "--only", new: "--graph" },
    Renamed { commands: &["train"], old: "--compare", new: "--ablation" },
];

/// The arguments, the program's name first, with every option by its name of today, and a sentence for
/// each that had another.
pub fn modern(arguments: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut told = Vec::new();
    let Some(command) = arguments.get(1).and_then(|name| name.to_str()).map(str::to_owned) else {
        return (arguments, told);
    };
    let names: Vec<&Renamed> =
        RENAMED.iter().filter(|name| name.commands.contains(&command.as_str())).collect();
    for argument in arguments.iter_mut().skip(2).take_while(|argument| *argument != "--") {
        if let Some((name, modern)) = names.iter().find_map(|name| name.applied(argument)) {
            *argument = modern;
            told.push(format!("`{} {}` is called `{}` now", command, name.old, name.new));
        }
    }
    (arguments, told)
}

impl Renamed {
    /// The argument by its name of today, if it has the old one.
    fn applied(&self, argument: &OsStr) -> Option<(&Self, OsString)> {
        let value = argument.to_str()?.strip_prefix(self.old)?;
        let is_this = value.is_empty() || value.starts_with('=');
        is_this.then(|| (self, format!("{}{value}", self.new).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn modern_of(line: &str) -> (String, usize) {
        let (arguments, told) = modern(line.split(' ').map(OsString::from));
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        (words.join(" "), told.len())
    }

    #[test]
    fn old_names_become_new_ones_in_the_commands_that_had_them() {
        let cases = [
            ("e bfs g --sources 4 --seed 2", "e bfs g --random-sources 4 --seed 2", 1),
            ("e apsp g --sources=1,2 --batch 8", "e apsp g --source=1,2 --searches-at-once 8", 2),
            ("e color g --sources 4", "e color g --sources 4", 0),
            ("e bfs g --sources-of 4", "e bfs g --sources-of 4", 0),
            ("e bfs -- --sources", "e bfs -- --sources", 0),
            ("e", "e", 0),
        ];
        for (line, expected, told) in cases {
            assert_eq!(modern_of(line), (expected.to_owned(), told), "{line}");
        }
    }

    #[test]
    fn every_new_name_is_an_option_and_no_old_one_is() {
        let all = command();
        for Renamed { commands, old, new } in &RENAMED {
            for name in *commands {
                let command = all.find_subcommand(name).unwrap();
                let has = |option: &str| {
                    command
                        .get_arguments()
                        .any(|argument| argument.get_long() == Some(&option[2..]))
                };
                assert!(has(new) && !has(old), "{name} {old} {new}");
            }
        }
    }
}
