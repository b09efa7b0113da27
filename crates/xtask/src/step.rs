//! A step of `cargo xtask test`: one cargo command.

use std::{
    fs::File,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use crate::command::{cargo, succeed, works};

#[derive(Clone, Copy)]
pub struct Step {
    pub name: &'static str,
    /// The arguments of cargo that run this step alone.
    pub arguments: &'static [&'static str],
    /// Whether the command is for all packages except the one that needs MPI, with all features.
    is_of_workspace: bool,
    /// Tests whose names contain this are skipped.
    pub skipped: Option<&'static str>,
    pub needs: Needs,
    pub environment: &'static [(&'static str, &'static str)],
}

/// What a step requires in addition to cargo.
#[derive(Clone, Copy)]
pub enum Needs {
    Nothing,
    /// A component of rustup; without it, the tests fail.
    Component(&'static str),
    /// A package of cargo that takes minutes to install: without it, the step is skipped.
    Package(&'static str),
}

const WORKSPACE: [&str; 4] = ["--workspace", "--exclude", "equipoise-mpi", "--all-features"];

/// Environment variables of a step.
pub type Variables = Vec<(&'static str, PathBuf)>;

impl Step {
    pub const fn new(name: &'static str, arguments: &'static [&'static str]) -> Self {
        let (skipped, needs) = (None, Needs::Nothing);
        Self { name, arguments, is_of_workspace: false, skipped, needs, environment: &[] }
    }

    pub const fn of_workspace(name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self { is_of_workspace: true, ..Self::new(name, arguments) }
    }

    pub const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    pub const fn with(self, environment: &'static [(&'static str, &'static str)]) -> Self {
        Self { environment, ..self }
    }

    pub const fn skip(self, name: &'static str) -> Self {
        Self { skipped: Some(name), ..self }
    }

    /// Runs the step and returns its time, or `None` if it was skipped.
    pub fn run(&self, variables: &Variables) -> Result<Option<Duration>, String> {
        match self.needs {
            Needs::Package(package) if !self.is_installed() => {
                println!(
                    "── {} left out: `cargo install {package} --locked` installs it",
                    self.name
                );
                return Ok(None);
            }
            Needs::Component(component) if !self.is_installed() => {
                return Err(format!(
                    "`{component}` is missing: run `rustup component add {component}`"
                ));
            }
            _ => {}
        }
        println!("── {}: {}", self.name, self.command_line());
        let start = Instant::now();
        self.succeed(&mut self.command(variables))?;
        Ok(Some(start.elapsed()))
    }

    /// Runs the step with all output redirected to a file.
    pub fn run_into(&self, variables: &Variables, output: File) -> Result<(), String> {
        let errors = output.try_clone().map_err(|error| format!("{}: {error}", self.name))?;
        self.succeed(self.command(variables).stdout(output).stderr(errors))
    }

    /// The command that runs this step alone.
    pub fn command_line(&self) -> String {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}='{value}' "));
        let arguments: Vec<&str> = self.all_arguments().collect();
        format!("{}cargo {}", variables.collect::<String>(), arguments.join(" "))
    }

    fn command(&self, variables: &Variables) -> Command {
        let mut command = cargo();
        command.args(self.all_arguments());
        // With a runner, rustdoc runs examples in one process, which some do not support.
        let is_doc = self.arguments.contains(&"--doc");
        let inherited = variables.iter().filter(|(name, _)| !(is_doc && name.ends_with("_RUNNER")));
        command.envs(inherited.cloned()).envs(self.environment.iter().copied());
        command
    }

    fn succeed(&self, command: &mut Command) -> Result<(), String> {
        succeed(command, "cargo").map_err(|message| {
            let line = self.command_line();
            format!("{} failed: {message}\nhint: this step alone is `{line}`", self.name)
        })
    }

    fn all_arguments(&self) -> impl Iterator<Item = &'static str> {
        let (subcommand, arguments) = self.arguments.split_at(1);
        let workspace: &[&str] = if self.is_of_workspace { &WORKSPACE } else { &[] };
        let skipped = self.skipped.into_iter().flat_map(|name| ["--skip", name]);
        subcommand.iter().chain(workspace).chain(arguments).copied().chain(skipped)
    }

    fn is_installed(&self) -> bool {
        works(cargo().args([self.arguments[0], "--version"]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_a_command_line() {
        let step = Step::new("doc", &["test", "--doc", "--"]).with(&[("A", "b c")]).skip("slow");
        assert_eq!(step.command_line(), "A='b c' cargo test --doc -- --skip slow");
    }

    #[test]
    fn a_missing_package_leaves_a_step_out_and_a_missing_component_fails_it() {
        let step = Step::new("none", &["no-such-command-of-cargo"]);
        let package = step.needs(Needs::Package("none")).run(&Variables::new());
        assert_eq!(package, Ok(None));
        let component = step.needs(Needs::Component("none")).run(&Variables::new());
        assert!(component.is_err_and(|error| error.contains("rustup component add none")));
    }
}
