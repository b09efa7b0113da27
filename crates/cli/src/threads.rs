//! The threads of the cpu that work is shared out to.

use std::{
    env, io,
    sync::mpsc::{Sender, channel, sync_channel},
    thread::{self, available_parallelism},
};

use equipoise::graph::memory;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::{
    arguments::whole,
    failure::{Failure, Result, warn},
};

/// More threads than this only get in each other's way: above it, starting and ending them takes
/// seconds, even on small inputs. Few machines have as many cores.
pub const MOST: u32 = 1024;

/// The addresses that a thread takes at most to start with: its stack, one for signals, and what the
/// system's allocator sets aside for the small things of a thread.
const THREAD_BYTES: u64 = 80 << 20;

/// What sets the number where no argument does, as it does for all programs that use Rayon.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// A number of threads that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadCount(u32);

impl ThreadCount {
    /// Reads a number from 1 to [`MOST`].
    pub fn read(text: &str) -> Result<Self, String> {
        whole::<1, MOST>(text).map(Self)
    }

    /// As many as the environment says, or one for each core. There, 0 means the latter, too.
    fn of_environment() -> Result<Self> {
        let text = env::var_os(VARIABLE).unwrap_or_default();
        match &*text.to_string_lossy() {
            "" | "0" => Ok(Self::of_cores()),
            text => Self::read(text)
                .map_err(|message| Failure::usage(format!("{VARIABLE}={text}: {message}"))),
        }
    }

    fn of_cores() -> Self {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        Self(u32::try_from(cores).unwrap_or(MOST).min(MOST))
    }
}

/// Starts as many threads as asked for. Where the system does not give as many, there are fewer,
/// down to the one that is there. To be called once, before anything runs in parallel.
pub fn start(asked: Option<ThreadCount>) -> Result<()> {
    let ThreadCount(wanted) = asked.map_or_else(ThreadCount::of_environment, Ok)?;
    let mut waiting = Vec::new();
    let mut start_one = || -> Result<(), String> {
        memory::check("a thread", THREAD_BYTES).map_err(|error| error.to_string())?;
        waiting.push(waiting_thread().map_err(|error| error.to_string())?);
        Ok(())
    };
    let refused = (0..wanted).find_map(|_| start_one().err());
    if let Some(error) = refused {
        // The work needs room, too.
        waiting.truncate(waiting.len() / 2);
        let threads = waiting.len().max(1);
        warn(&format!("not all of {wanted} threads can be started: {error}; {threads} will do"));
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
        .map_err(|error| Failure::new(format!("{wanted} threads: {error}")))
}

/// A thread that runs what it is sent. Rayon cannot start its pool a second time with fewer threads
/// than it failed to start; so they are started before it gets them.
fn waiting_thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let (started, has_started) = sync_channel(1);
    thread::Builder::new().name("worker".into()).spawn(move || {
        // It fails only where nobody waits for it.
        let _ = started.send(());
        if let Ok(work) = receiver.recv() {
            work.run();
        }
    })?;
    // One at a time: what a thread takes on its way cannot be refused, it would end the program.
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
