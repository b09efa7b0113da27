//! A step of `cargo xtask test`: one command of cargo.

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

#[derive(Clone, Copy)]
pub struct Step {
    pub name: &'static str,
    /// What to type after `cargo` to see this step alone.
    pub arguments: &'static [&'static str],
    /// Tests with this in their name are left out.
    pub skipped: Option<&'static str>,
    pub needs: Needs,
    pub environment: &'static [(&'static str, &'static str)],
}

/// What a step needs beside cargo.
#[derive(Clone, Copy)]
pub enum Needs {
    Nothing,
    /// A component of rustup, without which nothing is said to have passed.
    Component(&'static str),
    /// A package of cargo that takes minutes to install: without it the step is left out.
    Package(&'static str),
}

/// Variables for the environment of a step, beside its own.
pub type Variables = Vec<(&'static str, PathBuf)>;

impl Step {
    pub const fn new(name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self { name, arguments, skipped: None, needs: Needs::Nothing, environment: &[] }
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

    /// Runs the step and gives the time it took, or nothing where it was left out.
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
        self.run_cargo(variables).map_err(|message| {
            let command = self.command_line();
            format!("{} failed: {message}\nhint: this step alone is `{command}`", self.name)
        })?;
        Ok(Some(start.elapsed()))
    }

    /// What to type to see this step alone.
    pub fn command_line(&self) -> String {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}='{value}' "));
        let arguments: Vec<&str> = self.all_arguments().collect();
        format!("{}cargo {}", variables.collect::<String>(), arguments.join(" "))
    }

    fn run_cargo(&self, variables: &Variables) -> Result<(), String> {
        let status = cargo()
            .args(self.all_arguments())
            .envs(variables.iter().cloned())
            .envs(self.environment.iter().copied())
            .status()
            .map_err(|error| format!("cargo could not be started: {error}"))?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("cargo ended with {status}")),
        }
    }

    fn all_arguments(&self) -> impl Iterator<Item = &'static str> {
        let skipped = self.skipped.into_iter().flat_map(|name| ["--skip", name]);
        self.arguments.iter().copied().chain(skipped)
    }

    fn is_installed(&self) -> bool {
        let subcommand = [self.arguments[0], "--version"];
        cargo().args(subcommand).output().is_ok_and(|output| output.status.success())
    }
}

/// The cargo that runs this program, so that a chosen toolchain stays chosen.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_how_to_run_it_alone() {
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
