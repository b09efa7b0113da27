//! `cargo xtask test`: formatting, licences, spelling, lints, documentation and tests, in the order of their
//! cost. With `--quick`, those that take minutes are left out; with `--thorough`, those that take many are run as well.

use std::{fs, process::ExitCode, time::Duration};

use crate::{
    chromium, nvrtc,
    step::{Needs, Step, Variables},
    times, vulkan, workspace,
};

/// What both ways begin with.
const TEXTS: &[Step] = &[
    Step::new("formatting", &["fmt", "--all", "--check"]).needs(Needs::Component("rustfmt")),
    Step::new("licences", &["xtask", "licences"]),
    Step::new("spelling", &["xtask", "typos"]),
];

const CHECKS: &[Step] = &[
    // Advisories come out without a change of ours: CI looks at them apart from this.
    Step::new("dependencies", &["deny", "check", "bans", "licenses", "sources"])
        .needs(Needs::Package("cargo-deny")),
    Step::new(
        "lints",
        &[
            "clippy",
            "--workspace",
            "--exclude",
            "equipoise-mpi",
            "--all-targets",
            "--all-features",
            "--",
            "--deny",
            "warnings",
        ],
    )
    .needs(Needs::Component("clippy")),
    Step::new(
        "documentation",
        &["doc", "--workspace", "--exclude", "equipoise-mpi", "--all-features", "--no-deps"],
    )
    .with(&[("RUSTDOCFLAGS", "--deny warnings")]),
];

/// Without examples and benchmarks, which the lints have compiled.
const TESTS: &[Step] = &[
    // All that fails is shown, not the first alone: a run takes long.
    Step::new(
        "tests",
        &[
            "test",
            "--workspace",
            "--exclude",
            "equipoise-mpi",
            "--all-features",
            "--lib",
            "--bins",
            "--tests",
            "--no-fail-fast",
        ],
    ),
    // After the tests, with which it shares what is compiled.
    Step::new("the Python package", &["xtask", "python"]),
    // Not every machine has MPI: what needs it is left out of all steps but this.
    Step::new("MPI", &["xtask", "mpi"]),
    Step::new(
        "examples in the documentation",
        &["test", "--workspace", "--exclude", "equipoise-mpi", "--all-features", "--doc"],
    ),
];

/// Tests of every option, setting and limit on a GPU: on one in software they take minutes to compile their kernels.
const SWEEPS: &[Step] = &[Step::new(
    "sweeps on a GPU",
    &[
        "test",
        "--workspace",
        "--exclude",
        "equipoise-mpi",
        "--all-features",
        "--test",
        "gpu",
        "--test",
        "model",
        "--",
        "--ignored",
    ],
)];

/// Tests again where the software Vulkan device has planes of other sizes than its usual 8.
const PLANES: &[Step] = &[
    Step::new("planes of 4", GPU_TESTS).with(&[("LP_NATIVE_VECTOR_WIDTH", "128"), ON_LAVAPIPE]),
    Step::new("planes of 16", GPU_TESTS)
        .with(&[("LP_NATIVE_VECTOR_WIDTH", "512"), ON_LAVAPIPE])
        // Mesa 22.3 with LLVM 15 crashes when it compiles a shuffle of f64 for planes of 16.
        .skip("in_f64"),
];

/// The tests whose kernels could depend on the size of a plane.
const GPU_TESTS: &[&str] = &[
    "test",
    "--workspace",
    "--exclude",
    "equipoise-mpi",
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

/// What a change breaks first, of what needs no GPU. Those with the whole workspace share what the full
/// tests have compiled: the features of dependencies are the same.
const QUICK: &[Step] = &[
    Step::new(
        "lints of libraries and programs",
        &[
            "clippy",
            "--workspace",
            "--exclude",
            "equipoise-mpi",
            "--all-features",
            "--lib",
            "--bins",
            "--",
            "--deny",
            "warnings",
        ],
    )
    .needs(Needs::Component("clippy")),
    Step::new(
        "unit tests of libraries",
        &[
            "test",
            "--package",
            "equipoise-graph",
            "--package",
            "equipoise-select",
            "--all-features",
            "--lib",
        ],
    ),
    Step::new(
        "unit tests of programs",
        &["test", "--workspace", "--exclude", "equipoise-mpi", "--all-features", "--bins"],
    ),
    Step::new(
        "what the programs print",
        &[
            "test",
            "--workspace",
            "--exclude",
            "equipoise-mpi",
            "--all-features",
            "--test",
            "program",
            "--test",
            "lab",
            "--",
            "cases::",
            "json::",
        ],
    ),
];

#[derive(Debug, Default, PartialEq)]
struct Options {
    quick: bool,
    thorough: bool,
    times: bool,
    list: bool,
}

/// Runs the steps that the options ask for and stops at the first that fails; or lists them.
pub fn run(options: &[&str]) -> Result<ExitCode, String> {
    let options = Options::parse(options)?;
    if options.list {
        options.steps().for_each(|step| println!("{}", step.command_line()));
        return Ok(ExitCode::SUCCESS);
    }
    match run_steps(&options) {
        Ok(times) => {
            println!("\nall steps passed: {}", summary(&times));
            if !options.quick && !options.thorough {
                println!(
                    "left out: sweeps and other sizes of planes on a GPU, which `--thorough` adds"
                );
            }
        }
        Err(message) => {
            eprintln!("\nerror: {message}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Options {
    fn parse(options: &[&str]) -> Result<Self, String> {
        let mut parsed = Self::default();
        for option in options {
            match *option {
                "--quick" => parsed.quick = true,
                "--thorough" => parsed.thorough = true,
                "--times" => parsed.times = true,
                "--list" => parsed.list = true,
                _ => {
                    return Err(format!(
                        "`test` does not understand `{option}`; known are: `--quick`, `--thorough`, `--times`, `--list`"
                    ));
                }
            }
        }
        match parsed.quick && parsed.thorough {
            true => Err("`--quick` and `--thorough` exclude each other".into()),
            false => Ok(parsed),
        }
    }

    fn steps(&self) -> impl Iterator<Item = &'static Step> {
        self.checks().chain(self.tests())
    }

    fn checks(&self) -> impl Iterator<Item = &'static Step> {
        TEXTS.iter().chain(if self.quick { &[] } else { CHECKS })
    }

    fn tests(&self) -> impl Iterator<Item = &'static Step> {
        let planes = if vulkan::IS_LAVAPIPE_EXPECTED { PLANES } else { &[] };
        let tests = if self.quick { QUICK } else { TESTS };
        let more = [SWEEPS, planes].into_iter().filter(|_| self.thorough).flatten();
        tests.iter().chain(more)
    }
}

fn run_steps(options: &Options) -> Result<Vec<(&'static str, Duration)>, String> {
    let mut times = run_all(options.checks(), &Variables::new())?;
    let mut variables = if options.quick { runtime_folder()? } else { prepare_tests()? };
    let notes = workspace().join("target/long-tests.txt");
    if options.times {
        variables.extend(times::variables(&notes)?);
    }
    let tested = run_all(options.tests(), &variables);
    if options.times {
        println!("\ntest programs and tests that take over {} s:", times::LONG.as_secs());
        print!("{}", fs::read_to_string(&notes).unwrap_or_default());
    }
    times.extend(tested?);
    Ok(times)
}

fn run_all(
    steps: impl Iterator<Item = &'static Step>,
    variables: &Variables,
) -> Result<Vec<(&'static str, Duration)>, String> {
    let mut times = Vec::new();
    for step in steps {
        times.extend(step.run(variables)?.map(|time| (step.name, time)));
    }
    Ok(times)
}

/// Makes sure of what the tests of GPU code and of the report's page need.
fn prepare_tests() -> Result<Variables, String> {
    vulkan::ensure()?;
    chromium::ensure()?;
    let mut variables = runtime_folder()?;
    variables.extend(nvrtc::ensure()?.map(|folder| ("EQUIPOISE_NVRTC", folder)));
    Ok(variables)
}

fn runtime_folder() -> Result<Variables, String> {
    let folder = vulkan::runtime_folder()?;
    Ok(folder.into_iter().map(|folder| ("XDG_RUNTIME_DIR", folder)).collect())
}

fn summary(times: &[(&str, Duration)]) -> String {
    let parts: Vec<String> =
        times.iter().map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64())).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_come_in_any_order() {
        let quick = Options { quick: true, ..Options::default() };
        assert_eq!(Options::parse(&[]), Ok(Options::default()));
        assert_eq!(Options::parse(&["--quick"]), Ok(quick));
        let both = Ok(Options { quick: true, list: true, ..Options::default() });
        assert_eq!(Options::parse(&["--list", "--quick"]), both);
        assert_eq!(Options::parse(&["--quick", "--list"]), both);
    }

    #[test]
    fn an_unknown_option_is_answered_with_the_known_ones() {
        let error = Options::parse(&["--quick", "--fast"]).unwrap_err();
        assert!(error.contains("`--fast`") && error.contains("`--quick`, `--thorough`"), "{error}");
        assert!(Options::parse(&["--quick", "--thorough"]).is_err());
    }

    /// What is left out of the usual tests has a step that runs it.
    #[test]
    fn thorough_tests_are_the_usual_ones_and_those_that_these_ignore() {
        let usual: Vec<String> = Options::default().steps().map(Step::command_line).collect();
        let thorough = Options { thorough: true, ..Options::default() };
        let all: Vec<String> = thorough.steps().map(Step::command_line).collect();
        assert_eq!(all[..usual.len()], usual);
        assert!(all[usual.len()..].iter().any(|line| line.ends_with("--ignored")));
        assert!(!usual.iter().any(|line| line.contains("LP_NATIVE_VECTOR_WIDTH")));
    }

    /// A machine without MPI checks all the rest.
    #[test]
    fn what_needs_mpi_has_a_step_of_its_own() {
        let thorough = Options { thorough: true, ..Options::default() };
        let quick = Options { quick: true, ..Options::default() };
        for step in thorough.steps().chain(quick.steps()) {
            let line = step.command_line();
            let leaves_it_out = line.contains("--workspace --exclude equipoise-mpi");
            assert!(leaves_it_out || !line.contains("--workspace"), "{line}");
        }
        assert!(thorough.steps().any(|step| step.command_line() == "cargo xtask mpi"));
    }

    #[test]
    fn the_quick_way_starts_no_test_of_a_gpu_nor_of_python() {
        let quick = Options { quick: true, ..Options::default() };
        for step in quick.steps() {
            let line = step.command_line();
            assert!(!line.contains("--tests") && !line.contains("--test gpu"), "{line}");
            assert!(!line.contains("--test model") && !line.contains("--doc"), "{line}");
            assert!(!line.contains("xtask python") && !line.contains("xtask mpi"), "{line}");
        }
    }

    /// A filter that names no test would let the step pass without running any.
    #[test]
    fn what_the_quick_steps_name_is_there() {
        let root = workspace();
        let words: Vec<&str> = QUICK.iter().flat_map(|step| step.arguments).copied().collect();
        for module in words.iter().filter_map(|word| word.strip_suffix("::")) {
            let file = root.join(format!("crates/cli/tests/program/{module}.rs"));
            assert!(fs::read_to_string(&file).unwrap().contains("#[test]"), "{}", file.display());
        }
        for target in ["crates/cli/tests/program", "lab/tests/lab"] {
            let name = target.rsplit('/').next().unwrap();
            assert!(words.contains(&name) && root.join(target).is_dir(), "{target}");
        }
        for package in words.iter().filter_map(|word| word.strip_prefix("equipoise-")) {
            let manifest = root.join("crates").join(package).join("Cargo.toml");
            let name = format!("name = \"equipoise-{package}\"");
            assert!(fs::read_to_string(manifest).unwrap().contains(&name), "{package}");
        }
    }
}
