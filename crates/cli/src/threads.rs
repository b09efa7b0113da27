//! The thread pool of the cpu.

use std::{
    env, io,
    sync::mpsc::{Sender, channel, sync_channel},
    thread::{self, available_parallelism},
};

use equipoise::graph::memory;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::{
    failure::{Failure, Result, warn},
    values::whole,
};

/// The maximum number of threads: starting and ending more takes seconds, even for small inputs,
/// and few machines have as many cores.
pub const MOST: u32 = 1024;

/// An upper bound on the addresses that a new thread reserves: its stack, a signal stack, and the
/// allocator's arena.
const THREAD_BYTES: u64 = 80 << 20;

/// The environment variable with the default number, as in all programs that use Rayon.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// A requested number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadCount(u32);

impl ThreadCount {
    /// Parses a number from 1 to [`MOST`].
    pub fn read(text: &str) -> Result<Self, String> {
        whole::<1, MOST>(text).map(Self)
    }

    /// The number in the environment, or else one per core; 0 in the environment means the latter,
    /// too.
    fn from_environment() -> Result<Self> {
        let text = env::var_os(VARIABLE).unwrap_or_default();
        match &*text.to_string_lossy() {
            "" | "0" => Ok(Self::one_per_core()),
            text => Self::read(text)
                .map_err(|message| Failure::usage(format!("{VARIABLE}={text}: {message}"))),
        }
    }

    fn one_per_core() -> Self {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        Self(u32::try_from(cores).unwrap_or(MOST).min(MOST))
    }
}

/// Starts the requested number of threads, or fewer if the system does not provide them, at least
/// the existing one. To be called once, before anything runs in parallel.
pub fn start(requested: Option<ThreadCount>) -> Result<()> {
    let ThreadCount(count) = requested.map_or_else(ThreadCount::from_environment, Ok)?;
    let mut waiting = Vec::new();
    let mut start_one = || -> Result<(), String> {
        memory::check("a thread", THREAD_BYTES).map_err(|error| error.to_string())?;
        waiting.push(waiting_thread().map_err(|error| error.to_string())?);
        Ok(())
    };
    let refused = (0..count).find_map(|_| start_one().err());
    if let Some(error) = refused {
        // The work needs memory, too.
        waiting.truncate(waiting.len() / 2);
        let threads = waiting.len().max(1);
        warn(&format!("not all of {count} threads can be started: {error}; {threads} will do"));
    }
    let builder = match waiting.len() {
        0 => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
        threads => ThreadPoolBuilder::new().num_threads(threads),
    };
    let hand_over = |work: ThreadBuilder| match waiting.pop() {
        Some(thread) => thread.send(work).map_err(|_| io::Error::other("a thread has ended")),
        None => Err(io::ErrorKind::NotFound.into()),
    };
    builder
        .spawn_handler(hand_over)
        .build_global()
        .map_err(|error| Failure::new(format!("{count} threads: {error}")))
}

/// A thread that waits for a function to run. Rayon cannot start its pool again with fewer threads
/// after a failure; so the threads are started before the pool.
fn waiting_thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let (started, has_started) = sync_channel(1);
    thread::Builder::new().name("worker".into()).spawn(move || {
        // It fails only if no one waits for it.
        let _ = started.send(());
        if let Ok(work) = receiver.recv() {
            work.run();
        }
    })?;
    // One at a time: an allocation failure while a thread starts would end the program.
    has_started.recv().map_err(|_| io::Error::other("a thread has ended"))?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_threads_has_limits() {
        assert_eq!(ThreadCount::read("1"), Ok(ThreadCount(1)));
        assert_eq!(ThreadCount::read("1024"), Ok(ThreadCount(MOST)));
        for text in ["0", "1025", "-1", "4294967296", "NaN", "inf", "", "two"] {
            assert!(ThreadCount::read(text).is_err(), "{text}");
        }
    }
}
