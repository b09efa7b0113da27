//! `cargo xtask test --times`: the names of slow tests.
//!
//! Cargo starts test programs through a runner, which is this program: it requests the time of each
//! test, forwards the output, and records slow tests in a file.

use std::{
    env,
    ffi::OsString,
    fs::{self, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use crate::step::Variables;

/// The minimum time of a slow test.
pub const LONG: Duration = Duration::from_secs(20);
/// The environment variable with the file of slow tests.
const NOTES: &str = "EQUIPOISE_LONG_TESTS";

/// Environment variables with which cargo starts test programs through [`run`], which records to
/// this file.
pub fn variables(notes: &Path) -> Result<Variables, String> {
    let _ = fs::remove_file(notes);
    let program = env::current_exe().map_err(|error| format!("xtask: {error}"))?;
    let mut runner = OsString::from(program);
    runner.push(" timed");
    Ok(vec![(runner_variable(), PathBuf::from(runner)), (NOTES, notes.into())])
}

/// The variable that names cargo's runner for this machine.
fn runner_variable() -> &'static str {
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"
    } else if cfg!(all(target_arch = "aarch64", target_os = "linux")) {
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER"
    } else if cfg!(all(target_arch = "aarch64", target_os = "macos")) {
        "CARGO_TARGET_AARCH64_APPLE_DARWIN_RUNNER"
    } else {
        "CARGO_TARGET_X86_64_PC_WINDOWS_MSVC_RUNNER"
    }
}

/// Runs a test program, and records it and its tests if they are slow.
pub fn run(program: &str, arguments: &[&str]) -> ExitCode {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped());
    if is_test(program) {
        // Stable test programs report times only if they believe to be part of the compiler's
        // tests.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.args(["-Z", "unstable-options", "--report-time"]);
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("error: {program} could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut notes = Vec::new();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let Ok(line) = line else { break };
        println!("{line}");
        if let Some((test, time)) = timed(&line).filter(|(_, time)| *time > LONG) {
            notes.push(format!("test {test} {:.1} s", time.as_secs_f64()));
        }
    }
    let ended = child.wait();
    if start.elapsed() > LONG {
        let name =
            Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        notes.insert(0, format!("program {name} {:.1} s", start.elapsed().as_secs_f64()));
    }
    note(&notes);
    match ended {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Cargo also starts other programs through the runner, such as this one.
fn is_test(program: &str) -> bool {
    Path::new(program).parent().is_some_and(|folder| folder.ends_with("deps"))
}

/// The test and the time in a line such as `test a::b ... ok <1.234s>`.
fn timed(line: &str) -> Option<(&str, Duration)> {
    let (test, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = rest.strip_suffix("s>")?.rsplit_once('<')?.1.parse().ok()?;
    Some((test, Duration::try_from_secs_f64(seconds).ok()?))
}

fn note(notes: &[String]) {
    let Some(path) = env::var_os(NOTES).filter(|_| !notes.is_empty()) else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written =
        file.and_then(|mut file| notes.iter().try_for_each(|note| writeln!(file, "{note}")));
    if let Err(error) = written {
        eprintln!("warning: times could not be noted: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_recognized_by_their_folder() {
        assert!(is_test("target/debug/deps/gpu-1234"));
        assert!(!is_test("target/debug/xtask"));
    }

    #[test]
    fn the_time_of_a_test_is_read_from_its_line() {
        let time = Duration::from_millis(1234);
        assert_eq!(timed("test a::b ... ok <1.234s>"), Some(("a::b", time)));
        assert_eq!(
            timed("test a::b - should panic ... FAILED <1.234s>"),
            Some(("a::b - should panic", time))
        );
        assert_eq!(timed("test a::b ... ignored"), None);
        assert_eq!(timed("test result: ok. 3 passed; finished in 0.01s"), None);
    }
}
