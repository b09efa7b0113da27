//! Options and commands by the names that they had before, which scripts may still use.

use std::ffi::{OsStr, OsString};

use crate::failure::Failure;

/// An option of some commands that has another name now.
pub struct Renamed {
    /// The commands that had it.
    pub commands: &'static [&'static str],
    /// Its name before, with its dashes.
    pub old: &'static str,
    /// Its name now, with its dashes.
    pub new: &'static str,
}

/// A command that is one of another program now.
pub struct Moved {
    /// The command.
    pub command: &'static str,
    /// The program that has it, which is the name of its package as well.
    pub program: &'static str,
    /// What to call instead for a part of it that stayed, if one did.
    pub instead: Option<&'static str>,
}

impl Moved {
    /// The answer to whoever asks for the command here.
    pub(crate) fn failure(&self) -> Failure {
        let Self { command, program, instead } = self;
        let run = format!(
            "run `{program} {command}`, or in the repository `cargo run --release -p {program} -- {command}`"
        );
        let instead = instead.map_or(String::new(), |instead| format!("; {instead}"));
        Failure::usage(format!("`{command}` is a command of the program `{program}` now"))
            .hint(format!("{run}{instead}"))
    }
}

/// The arguments, the program's name first, with every option by its name of today, and a sentence for
/// each that had another.
pub(crate) fn modern(
    renamed: &[Renamed],
    arguments: impl IntoIterator<Item = OsString>,
) -> (Vec<OsString>, Vec<String>) {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut told = Vec::new();
    let Some(command) = arguments.get(1).and_then(|name| name.to_str()).map(str::to_owned) else {
        return (arguments, told);
    };
    let names: Vec<&Renamed> =
        renamed.iter().filter(|name| name.commands.contains(&command.as_str())).collect();
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
    use crate::{cli::Cli, program::Program};

    fn modern_of(line: &str) -> (String, usize) {
        let (arguments, told) = modern(Cli::RENAMED, line.split(' ').map(OsString::from));
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
}
