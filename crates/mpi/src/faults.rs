//! Faults of ranks for tests, set by `EQUIPOISE_FAULT=WHAT:RANK`, or `WHAT:RANK:STEP` for the beginning of a step. Compiled for
//! tests only.

use std::{env, path::Path, process, thread, time::Duration};

use equipoise_cluster::commands::{Failure, Result};

const FAULT: &str = "EQUIPOISE_FAULT";
const ROUND: &str = "EQUIPOISE_ROUND";

/// The step of a fault on a rank, empty if it has none; nothing if the fault is not set.
fn wanted(what: &str, rank: usize) -> Option<String> {
    let fault = env::var(FAULT).ok()?;
    let mut words = fault.split(':');
    let is_meant = words.next() == Some(what) && words.next()?.parse() == Ok(rank);
    is_meant.then(|| words.next().unwrap_or_default().to_owned())
}

/// Causes the faults of a rank at the beginning of a step.
pub fn enter(rank: usize, step: &str) {
    let is_wanted = |what| wanted(what, rank).is_some_and(|wanted_step| wanted_step == step);
    if is_wanted("panic") {
        panic!("as the test wants");
    }
    if is_wanted("panic-in-thread") {
        let _ = thread::spawn(|| panic!("in a thread, as the test wants")).join();
    }
    if is_wanted("exit") {
        process::abort();
    }
    if is_wanted("sleep") {
        thread::sleep(Duration::from_secs(600));
    }
}

/// Fails on a rank that returns before the others.
pub fn early_return(rank: usize) -> Result<()> {
    wanted("return", rank).map_or(Ok(()), |_| Err(Failure::new("an error, as the test wants")))
}

/// The version, or a wrong one.
pub fn version(rank: usize, version: &'static str) -> &'static str {
    wanted("version", rank).map_or(version, |_| "0.0.0")
}

/// The input, or a wrong one.
pub fn input(rank: usize, input: Option<&Path>) -> Option<&Path> {
    wanted("input", rank).map_or(input, |_| Some(Path::new("/dev/null/none")))
}

/// The most bytes per round, from the environment.
pub fn round() -> Option<usize> {
    env::var(ROUND).ok()?.parse().ok()
}
