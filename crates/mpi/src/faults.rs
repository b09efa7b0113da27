//! Ranks that fail where a test wants them to, which variables of the environment tell: `EQUIPOISE_FAULT=WHAT:RANK`, or
//! `WHAT:RANK:STEP` for what happens at the beginning of a step. Compiled for tests alone.

use std::{env, path::Path, process, thread, time::Duration};

use equipoise_cluster::commands::{Failure, Result};

use crate::MpiComm;

const FAULT: &str = "EQUIPOISE_FAULT";
/// How many bytes go in a round at most.
const ROUND: &str = "EQUIPOISE_ROUND";

/// Whether this is to happen on a rank, and at which step where that was said.
fn wanted(what: &str, rank: usize) -> Option<String> {
    let fault = env::var(FAULT).ok()?;
    let mut words = fault.split(':');
    let is_meant = words.next() == Some(what) && words.next()?.parse() == Ok(rank);
    is_meant.then(|| words.next().unwrap_or_default().to_owned())
}

/// What happens on a rank at the beginning of a step.
pub fn at(rank: usize, step: &str) {
    let is_wanted = |what| wanted(what, rank).is_some_and(|at| at == step);
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

/// Fails on a rank that is to return before the others.
pub fn early_return(rank: usize) -> Result<()> {
    wanted("return", rank).map_or(Ok(()), |_| Err(Failure::new("an error, as the test wants")))
}

/// The version, or another.
pub fn version(rank: usize, version: &'static str) -> &'static str {
    wanted("version", rank).map_or(version, |_| "0.0.0")
}

/// The input, or another.
pub fn input(rank: usize, input: Option<&Path>) -> Option<&Path> {
    wanted("input", rank).map_or(input, |_| Some(Path::new("/dev/null/none")))
}

/// The same ranks with the rounds that the environment asks for.
pub fn in_small_rounds(comm: MpiComm) -> MpiComm {
    match env::var(ROUND).ok().and_then(|bytes| bytes.parse().ok()) {
        Some(bytes) => comm.in_rounds_of(bytes),
        None => comm,
    }
}
