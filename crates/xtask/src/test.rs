//! `cargo xtask test`: formatting, licences, spelling, lints, documentation and tests, in order of
//! cost. `--quick` omits the steps that take minutes; `--thorough` adds the slowest tests.

use std::{fs, process::ExitCode, time::Duration};

use crate::{
    chromium, concurrent, nvrtc,
    step::{Needs, Step, Variables},
    times, vulkan, workspace,
};

/// The first steps of both modes.
const TEXTS: &[Step] = &[
    Step::new("formatting", &["fmt", "--all", "--check"]).needs(Needs::Component("rustfmt")),
    Step::new("licences", &["xtask", "licences"]),
    Step::new("spelling", &["xtask", "typos"]),
];

const CHECKS: &[Step] = &[
    // Advisories appear without a change of ours: CI checks them separately.
    Step::new("dependencies", &["deny", "check", "bans", "licenses", "sources"])
        .needs(Needs::Package("cargo-deny")),
    Step::of_workspace("lints", &["clippy", "--all-targets", "--", "--deny", "warnings"])
        .needs(Needs::Component("clippy")),
    Step::of_workspace("documentation", &["doc", "--no-deps"])
        .with(&[("RUSTDOCFLAGS", "--deny warnings")]),
];

/// Compiles all tests at once, so that the later steps only run them. Without examples and
/// benchmarks, which the lints compile.
const COMPILE: &[Step] = &[Step::of_workspace(
    "compiling the tests",
    &["test", "--lib", "--bins", "--tests", "--no-run"],
)];

/// Run concurrently, the longest first. All failures are reported, not only the first: a run takes
/// long.
const TESTS: &[Step] = &[
    Step::of_workspace("tests on a GPU", &["test", "--test", "gpu", "--no-fail-fast"]),
    Step::of_workspace(
        "tests of schedules",
        &[
            "test",
            "--test",
            "model",
            "--test",
            "device_failures",
            "--test",
            "device_time",
            "--no-fail-fast",
        ],
    ),
    Step::new("the Python package", &["xtask", "python"]),
    Step::of_workspace("tests of the lab", &["test", "--test", "lab", "--no-fail-fast"]),
    Step::of_workspace("tests of the program", &["test", "--test", "program", "--no-fail-fast"]),
    Step::of_workspace(
        "other tests",
        &[
            "test",
            "--lib",
            "--bins",
            "--test",
            "algorithms",
            "--test",
            "cluster",
            "--test",
            "graph",
            "--test",
            "memory",
            "--test",
            "select",
            "--no-fail-fast",
        ],
    ),
    // Not every machine has MPI: all other steps exclude what needs it.
    Step::new("MPI", &["xtask", "mpi"]),
    Step::of_workspace("examples in the documentation", &["test", "--doc"]),
];

/// Tests of every option, setting and limit on a GPU, whose kernels take minutes to compile for a
/// software one.
const SWEEPS: &[Step] = &[Step::of_workspace(
    "sweeps on a GPU",
    &["test", "--test", "gpu", "--test", "model", "--", "--ignored"],
)];

/// Tests repeated with other plane sizes of the software Vulkan device than its default of 8.
const PLANES: &[Step] = &[
    Step::of_workspace("planes of 4", GPU_TESTS)
        .with(&[("LP_NATIVE_VECTOR_WIDTH", "128"), ON_LAVAPIPE]),
    Step::of_workspace("planes of 16", GPU_TESTS)
        .with(&[("LP_NATIVE_VECTOR_WIDTH", "512"), ON_LAVAPIPE])
        // Mesa 22.3 with LLVM 15 crashes when it compiles a shuffle of f64 for planes of 16.
        .skip("in_f64"),
];

/// The tests whose kernels may depend on the plane size.
const GPU_TESTS: &[&str] = &[
    "test",
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

/// The most sensitive steps that need no GPU. Those for the whole workspace share the build of the
/// full tests: dependencies have the same features.
const QUICK: &[Step] = &[
    Step::of_workspace(
        "lints of libraries and programs",
        &["clippy", "--lib", "--bins", "--", "--deny", "warnings"],
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
    Step::of_workspace("unit tests of programs", &["test", "--bins"]),
    Step::of_workspace(
        "what the programs print",
        &["test", "--test", "program", "--test", "lab", "--", "cases::", "json::"],
    ),
];

#[derive(Debug, Default, PartialEq)]
struct Options {
    quick: bool,
    thorough: bool,
    times: bool,
    list: bool,
}

/// Runs the steps selected by the options and stops at the first failure; or lists them.
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
        if parsed.quick && parsed.thorough {
            Err("`--quick` and `--thorough` exclude each other".into())
        } else {
            Ok(parsed)
        }
    }

    fn steps(&self) -> impl Iterator<Item = &'static Step> {
        let usual = self.checks().chain(self.concurrent_steps());
        usual.chain(self.after())
    }

    /// The sequential steps before the tests.
    fn checks(&self) -> impl Iterator<Item = &'static Step> {
        let more: [&[Step]; 2] = if self.quick { [QUICK, &[]] } else { [CHECKS, COMPILE] };
        TEXTS.iter().chain(more.into_iter().flatten())
    }

    fn concurrent_steps(&self) -> &'static [Step] {
        if self.quick { &[] } else { TESTS }
    }

    fn after(&self) -> impl Iterator<Item = &'static Step> {
        let planes = if vulkan::IS_LAVAPIPE_EXPECTED { PLANES } else { &[] };
        [SWEEPS, planes].into_iter().filter(|_| self.thorough).flatten()
    }
}

fn run_steps(options: &Options) -> Result<Vec<(&'static str, Duration)>, String> {
    let mut variables = runtime_folder()?;
    let notes = workspace().join("target/long-tests.txt");
    if options.times {
        variables.extend(times::variables(&notes)?);
    }
    let mut times = run_all(options.checks(), &variables)?;
    if !options.quick {
        variables.extend(prepare_tests()?);
    }
    let tested = concurrent::run(options.concurrent_steps(), &variables);
    if options.times {
        println!("\ntest programs and tests that take over {} s:", times::LONG.as_secs());
        print!("{}", fs::read_to_string(&notes).unwrap_or_default());
    }
    times.extend(tested?);
    times.extend(run_all(options.after(), &variables)?);
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

/// Ensures the requirements of tests of GPU code and of the report's page.
fn prepare_tests() -> Result<Variables, String> {
    vulkan::ensure()?;
    chromium::ensure()?;
    Ok(nvrtc::ensure()?.map(|folder| ("EQUIPOISE_NVRTC", folder)).into_iter().collect())
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

    /// Tests that the usual steps skip are run by another step.
    #[test]
    fn thorough_tests_are_the_usual_ones_and_those_that_these_ignore() {
        let usual: Vec<String> = Options::default().steps().map(Step::command_line).collect();
        let thorough = Options { thorough: true, ..Options::default() };
        let all: Vec<String> = thorough.steps().map(Step::command_line).collect();
        assert_eq!(all[..usual.len()], usual);
        assert!(all[usual.len()..].iter().any(|line| line.ends_with("--ignored")));
        assert!(!usual.iter().any(|line| line.contains("LP_NATIVE_VECTOR_WIDTH")));
    }

    /// A test program that no step names would be compiled and never run.
    #[test]
    fn every_test_program_is_in_a_step() {
        let named: Vec<&str> = TESTS.iter().flat_map(|step| step.arguments).copied().collect();
        let root = workspace();
        let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
        // Except for crates/mpi, which has a separate step, and Python's.
        let crates = crates.filter(|path| !path.ends_with("mpi") && !path.ends_with("python"));
        let mut programs = 0;
        for package in crates.chain([root.join("lab"), root.join("benches")]) {
            for entry in fs::read_dir(package.join("tests")).into_iter().flatten() {
                let path = entry.unwrap().path();
                let is_program =
                    path.join("main.rs").exists() || path.extension().is_some_and(|it| it == "rs");
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(!is_program || named.contains(&name), "{}", path.display());
                programs += usize::from(is_program);
            }
        }
        assert!(programs > 8, "{programs}");
    }

    /// A machine without MPI checks everything else.
    #[test]
    fn only_one_step_needs_mpi() {
        let thorough = Options { thorough: true, ..Options::default() };
        let quick = Options { quick: true, ..Options::default() };
        for step in thorough.steps().chain(quick.steps()) {
            let line = step.command_line();
            let times = line.matches("--workspace").count();
            assert!(times <= 1, "{line}");
            assert_eq!(
                line.matches("--workspace --exclude equipoise-mpi").count(),
                times,
                "{line}"
            );
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

    /// A filter that matches no test would let the step pass without running any.
    #[test]
    fn the_quick_steps_name_existing_tests() {
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
