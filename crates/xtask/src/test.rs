//! `cargo xtask test`: formatting, lints, documentation and tests, in the order of their cost.

use std::{
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

struct Step {
    name: &'static str,
    /// What to type to see this step alone.
    arguments: &'static [&'static str],
    /// The rustup component that the step needs beside cargo.
    component: Option<&'static str>,
    environment: &'static [(&'static str, &'static str)],
}

const STEPS: &[Step] = &[
    Step {
        name: "formatting",
        arguments: &["fmt", "--all", "--check"],
        component: Some("rustfmt"),
        environment: &[],
    },
    Step {
        name: "lints",
        arguments: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--",
            "--deny",
            "warnings",
        ],
        component: Some("clippy"),
        environment: &[],
    },
    Step {
        name: "documentation",
        arguments: &["doc", "--workspace", "--all-features", "--no-deps"],
        component: None,
        environment: &[("RUSTDOCFLAGS", "--deny warnings")],
    },
    Step {
        name: "tests",
        arguments: &["test", "--workspace", "--all-features"],
        component: None,
        environment: &[],
    },
];

/// Runs every step and stops at the first that fails.
pub fn run() -> ExitCode {
    let mut times = Vec::new();
    for step in STEPS {
        println!("── {}: {}", step.name, step.command_line());
        let start = Instant::now();
        if let Err(message) = step.run() {
            eprintln!("\nerror: {} failed: {message}", step.name);
            eprintln!("hint: this step alone is `{}`", step.command_line());
            return ExitCode::FAILURE;
        }
        times.push((step.name, start.elapsed()));
    }
    println!("\nall steps passed: {}", summary(&times));
    ExitCode::SUCCESS
}

impl Step {
    fn run(&self) -> Result<(), String> {
        if let Some(component) = self.component
            && !is_installed(self.arguments[0])
        {
            return Err(format!(
                "`{component}` is missing: run `rustup component add {component}`"
            ));
        }
        let status = cargo()
            .args(self.arguments)
            .envs(self.environment.iter().copied())
            .status()
            .map_err(|error| format!("cargo could not be started: {error}"))?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("cargo ended with {status}")),
        }
    }

    fn command_line(&self) -> String {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}='{value}' "));
        format!("{}cargo {}", variables.collect::<String>(), self.arguments.join(" "))
    }
}

/// The cargo that runs this program, so that a chosen toolchain stays chosen.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn is_installed(subcommand: &str) -> bool {
    cargo().args([subcommand, "--version"]).output().is_ok_and(|output| output.status.success())
}

fn summary(times: &[(&str, Duration)]) -> String {
    let parts: Vec<String> =
        times.iter().map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64())).collect();
    parts.join(", ")
}
