//! `cargo xtask test`: formatting, lints, documentation and tests, in the order of their cost.

use std::{
    path::PathBuf,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use crate::{chromium, nvrtc, vulkan};

struct Step {
    name: &'static str,
    /// What to type to see this step alone.
    arguments: &'static [&'static str],
    /// Tests with this in their name are left out.
    skipped: Option<&'static str>,
    /// The rustup component that the step needs beside cargo.
    component: Option<&'static str>,
    environment: &'static [(&'static str, &'static str)],
}

const CHECKS: &[Step] = &[
    Step {
        name: "formatting",
        arguments: &["fmt", "--all", "--check"],
        skipped: None,
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
        skipped: None,
        component: Some("clippy"),
        environment: &[],
    },
    Step {
        name: "documentation",
        arguments: &["doc", "--workspace", "--all-features", "--no-deps"],
        skipped: None,
        component: None,
        environment: &[("RUSTDOCFLAGS", "--deny warnings")],
    },
];

/// Without examples and benchmarks, which the lints have compiled.
const TESTS: &[Step] = &[
    Step {
        name: "tests",
        arguments: &["test", "--workspace", "--all-features", "--lib", "--bins", "--tests"],
        skipped: None,
        component: None,
        environment: &[],
    },
    Step {
        name: "examples in the documentation",
        arguments: &["test", "--workspace", "--all-features", "--doc"],
        skipped: None,
        component: None,
        environment: &[],
    },
];

/// Tests again where the software Vulkan device has planes of other sizes than its usual 8.
const PLANES: &[Step] = &[
    Step {
        name: "planes of 4",
        arguments: GPU_TESTS,
        skipped: None,
        component: None,
        environment: &[("LP_NATIVE_VECTOR_WIDTH", "128"), ON_LAVAPIPE],
    },
    Step {
        name: "planes of 16",
        arguments: GPU_TESTS,
        // Mesa 22.3 with LLVM 15 crashes when it compiles a shuffle of f64 for planes of 16.
        skipped: Some("in_f64"),
        component: None,
        environment: &[("LP_NATIVE_VECTOR_WIDTH", "512"), ON_LAVAPIPE],
    },
];

/// The tests whose kernels could depend on the size of a plane.
const GPU_TESTS: &[&str] = &[
    "test",
    "--workspace",
    "--all-features",
    "--test",
    "model",
    "--test",
    "gpu",
    "--",
    "primitives",
    "conformance",
    "engine",
    "sparse::",
    "search::narrow",
    "search_options::settings",
    "color::any_graph",
];

const ON_LAVAPIPE: (&str, &str) = ("CUBECL_WGPU_DEFAULT_DEVICE", "Cpu");

/// Variables for the environment of a step, beside its own.
type Variables = Vec<(&'static str, PathBuf)>;

/// Runs every step and stops at the first that fails.
pub fn run() -> ExitCode {
    match run_all() {
        Ok(times) => {
            println!("\nall steps passed: {}", summary(&times));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run_all() -> Result<Vec<(&'static str, Duration)>, String> {
    let mut times = Vec::new();
    for step in CHECKS {
        times.push((step.name, step.run(&Variables::new())?));
    }
    let variables = prepare_tests()?;
    let planes = if vulkan::IS_LAVAPIPE_EXPECTED { PLANES } else { &[] };
    for step in TESTS.iter().chain(planes) {
        times.push((step.name, step.run(&variables)?));
    }
    Ok(times)
}

/// Makes sure of what the tests of GPU code and of the report's page need.
fn prepare_tests() -> Result<Variables, String> {
    vulkan::ensure()?;
    chromium::ensure()?;
    let runtime = vulkan::runtime_folder()?.map(|folder| ("XDG_RUNTIME_DIR", folder));
    let nvrtc = nvrtc::ensure()?.map(|folder| ("EQUIPOISE_NVRTC", folder));
    Ok(runtime.into_iter().chain(nvrtc).collect())
}

impl Step {
    /// Runs the step and gives the time it took.
    fn run(&self, variables: &Variables) -> Result<Duration, String> {
        println!("── {}: {}", self.name, self.command_line());
        let start = Instant::now();
        self.run_cargo(variables).map_err(|message| {
            let command = self.command_line();
            format!("{} failed: {message}\nhint: this step alone is `{command}`", self.name)
        })?;
        Ok(start.elapsed())
    }

    fn run_cargo(&self, variables: &Variables) -> Result<(), String> {
        if let Some(component) = self.component
            && !is_installed(self.arguments[0])
        {
            return Err(format!(
                "`{component}` is missing: run `rustup component add {component}`"
            ));
        }
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

    fn command_line(&self) -> String {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}='{value}' "));
        let arguments: Vec<&str> = self.all_arguments().collect();
        format!("{}cargo {}", variables.collect::<String>(), arguments.join(" "))
    }

    fn all_arguments(&self) -> impl Iterator<Item = &'static str> {
        let skipped = self.skipped.into_iter().flat_map(|name| ["--skip", name]);
        self.arguments.iter().copied().chain(skipped)
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
