//! Helpers for the tests of `equipoise` and of `equipoise-lab`.

pub mod command_line;
pub mod outputs;
pub mod printing;
pub mod sweep;

use std::{
    path::Path,
    process::{Command, Output},
};

/// A built program.
#[derive(Clone, Copy)]
pub struct Built {
    /// The name of the program.
    pub name: &'static str,
    /// The path of its executable.
    pub path: &'static str,
}

impl Built {
    /// A command that runs the program in `folder`.
    pub fn command(self, folder: &Path) -> Command {
        let mut command = Command::new(self.path);
        command.current_dir(folder);
        command
    }

    /// Runs the program in `folder` with arguments separated by spaces.
    pub fn run(self, folder: &Path, arguments: &str) -> Output {
        self.command(folder).args(arguments.split_whitespace()).output().unwrap()
    }

    /// Runs the program, which must succeed. Returns its standard output.
    pub fn stdout_of(self, folder: &Path, arguments: &str) -> String {
        let output = self.run(folder, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {arguments}: {errors}", self.name);
        String::from_utf8(output.stdout).unwrap()
    }

    /// The JSON document that the program prints.
    pub fn json_of(self, folder: &Path, arguments: &str) -> serde_json::Value {
        serde_json::from_str(&self.stdout_of(folder, &format!("{arguments} --json"))).unwrap()
    }

    /// The commands in `--help`, without `help`.
    pub fn commands(self, folder: &Path) -> Vec<String> {
        let help = self.stdout_of(folder, "--help");
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
            let name = line.strip_prefix("  ")?;
            name.starts_with(char::is_alphabetic).then(|| name.split(' ').next().unwrap_or(name))
        });
        names.filter(|name| *name != "help").map(str::to_owned).collect()
    }
}
