//! Concurrent steps: tests on a software GPU keep one core busy, while others wait.

use std::{
    fs::{self, File},
    io,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    step::{Step, Variables},
    workspace,
};

/// A limit of memory: many cores do not imply enough of it.
const AT_MOST: usize = 4;

/// Runs all steps, one per core at a time, and prints the output of each when it ends. Returns
/// their times, or the messages of all failures.
pub fn run(steps: &[Step], variables: &Variables) -> Result<Vec<(&'static str, Duration)>, String> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let next = AtomicUsize::new(0);
    let ended = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..cores.min(AT_MOST).min(steps.len()) {
            scope.spawn(|| {
                while let Some(step) = steps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    println!("── {} starts: {}", step.name, step.command_line());
                    let start = Instant::now();
                    let (outcome, output) = run_one(step, variables);
                    // Held while printing, so that outputs do not mix.
                    let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                    println!("── {}: {}\n{output}", step.name, step.command_line());
                    ended.push(outcome.map(|()| (step.name, start.elapsed())));
                }
            });
        }
    });
    let (times, failures): (Vec<_>, Vec<_>) = ended
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_iter()
        .partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    if failures.is_empty() {
        Ok(times.into_iter().filter_map(Result::ok).collect())
    } else {
        Err(failures.join("\n"))
    }
}

fn run_one(step: &Step, variables: &Variables) -> (Result<(), String>, String) {
    let (path, file) = match output_of(step) {
        Ok(opened) => opened,
        Err(error) => {
            return (Err(format!("{}: its output has no file: {error}", step.name)), String::new());
        }
    };
    let outcome = step.run_into(variables, file);
    let output = fs::read(path).unwrap_or_default();
    (outcome, String::from_utf8_lossy(&output).into_owned())
}

fn output_of(step: &Step) -> io::Result<(PathBuf, File)> {
    let folder = workspace().join("target/steps");
    fs::create_dir_all(&folder)?;
    let path = folder.join(step.name.replace(' ', "-")).with_extension("txt");
    let file = File::create(&path)?;
    Ok((path, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_run_and_all_failures_are_named() {
        const VERSION: Step = Step::new("version for a test", &["--version"]);
        const FAILS: [Step; 2] =
            [Step::new("one that fails", &["no-such-command"]), Step::new("another", &["no-such"])];
        let times = run(&[VERSION], &Variables::new()).unwrap();
        assert_eq!(times.len(), 1);
        let error = run(&[FAILS[0], VERSION, FAILS[1]], &Variables::new()).unwrap_err();
        assert!(error.contains("one that fails") && error.contains("another"), "{error}");
        let (_, output) = run_one(&VERSION, &Variables::new());
        assert!(output.starts_with("cargo "), "{output}");
    }
}
