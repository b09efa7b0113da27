//! Every option of every command with extreme values: the program ends in time with one of its exit codes, and an error if
//! it refuses.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Child, Output, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use super::Built;

const VALUES: [&str; 12] = [
    "0",
    "1",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-1",
    "nan",
    "inf",
    "1e-320",
    "3.5e38",
    "",
    "none",
];

/// Far longer than any call takes, even on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Calls every command of a program in `folder` with every value of each of its options. `calls` has the other arguments of
/// each command; a command without an entry fails the test.
pub fn no_value_of_an_option_breaks(
    program: Built,
    folder: &Path,
    calls: &[(&str, &str)],
    at_least: usize,
) {
    let mut swept = Vec::new();
    for command in program.commands(folder) {
        let Some((_, arguments)) = calls.iter().find(|(name, _)| *name == command) else {
            panic!("{command} has no call in this test");
        };
        for option in options(program, folder, &command) {
            swept.extend(VALUES.map(|value| {
                let arguments = without(arguments, &option);
                let mut words = vec![command.clone()];
                words.extend(arguments.split_whitespace().map(str::to_owned));
                words.push(format!("{option}={value}"));
                words
            }));
        }
    }
    assert!(swept.len() > at_least, "only {} calls: has the help changed?", swept.len());
    let wrong = all_wrong(program, folder, swept);
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// The options of a command with a value that is no file.
fn options(program: Built, folder: &Path, command: &str) -> BTreeSet<String> {
    let help = program.stdout_of(folder, &format!("{command} --help"));
    let option = |line: &str| {
        let words = line.trim_start();
        let long = words.split(", ").find(|word| word.starts_with("--"))?;
        let (name, value) = long.split_once(" <")?;
        let is_file = ["FILE", "FOLDER", "DIR", "PATH"].iter().any(|word| value.starts_with(word));
        (!is_file).then(|| name.to_owned())
    };
    help.lines().filter_map(option).collect()
}

/// The words without an option and its value.
fn without(words: &str, option: &str) -> String {
    let mut words = words.split(' ');
    let mut others = Vec::new();
    while let Some(word) = words.next() {
        if word == option {
            words.next();
        } else {
            others.push(word);
        }
    }
    others.join(" ")
}

/// Runs the calls on all cores. Returns the problems.
fn all_wrong(program: Built, folder: &Path, calls: Vec<Vec<String>>) -> Vec<String> {
    let calls = Mutex::new(calls.into_iter());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(words) = calls.lock().unwrap().next() else { break };
                    if let Err(problem) = call(program, folder, &words) {
                        wrong.lock().unwrap().push(format!("{}: {problem}", words.join(" ")));
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

fn call(program: Built, folder: &Path, words: &[String]) -> Result<(), String> {
    let mut command = program.command(folder);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = ended(command.spawn().unwrap())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Ok(()),
        Some(1 | 2) if errors.contains("error: ") && !errors.contains("panicked") => Ok(()),
        _ => Err(format!("{}: {errors}", output.status)),
    }
}

fn ended(mut child: Child) -> Result<Output, String> {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > TIME_LIMIT {
            child.kill().unwrap();
            return Err(format!("not done after {} s", TIME_LIMIT.as_secs()));
        }
        thread::sleep(Duration::from_millis(2));
    }
    Ok(child.wait_with_output().unwrap())
}
