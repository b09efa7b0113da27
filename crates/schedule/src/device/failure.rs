//! Failures of a GPU, in one line each.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use cubecl::{
    CompilationError,
    server::{IoError, LaunchError, ProfileError, ResourceLimitError, ServerError},
    stream_id::StreamId,
};

use super::caller::is_running;
use crate::{Error, Result};

/// Recorded failures per call; the first causes most others.
const KEPT: usize = 8;
/// Recorded failures of all calls together: some threads end without reading theirs.
const KEPT_OF_ALL: usize = 1024;

/// Characters of a message that are shown.
const LINE: usize = 400;

/// The failures on a GPU, by the thread that caused them, and whether the GPU is lost.
///
/// Threads that share a GPU enqueue tasks in turn, and failures show later. CubeCL passes the id of the calling thread
/// on with each task, so that a failure is reported to the call that caused it.
#[derive(Debug, Default)]
pub(super) struct Log {
    notes: Mutex<VecDeque<Note>>,
    lost: OnceLock<String>,
}

#[derive(Debug)]
struct Note {
    /// The thread that enqueued the failed task, if known.
    caller: Option<StreamId>,
    message: String,
}

impl Log {
    /// Records a failure of a thread's task.
    pub(super) fn note(&self, caller: Option<StreamId>, message: impl Into<String>) {
        let mut notes = self.notes();
        if notes.iter().filter(|note| note.caller == caller).count() < KEPT {
            if notes.len() == KEPT_OF_ALL {
                notes.pop_front();
            }
            notes.push_back(Note { caller, message: message.into() });
        }
    }

    /// Records that the GPU is lost.
    pub(super) fn lose(&self, reason: &str) {
        // Only the first reason is the cause.
        let _ = self.lost.set(one_line(reason));
    }

    /// Fails if the GPU is lost.
    pub(super) fn check(&self) -> Result<()> {
        self.lost.get().map_or(Ok(()), |reason| Err(Error::Lost(reason.clone())))
    }

    /// Removes and returns the failures of a thread's tasks, and those of unknown or ended threads.
    pub(super) fn take(&self, caller: StreamId) -> Vec<String> {
        self.take_if(|note| note.caller.is_none_or(|other| other == caller || !is_running(other)))
    }

    /// Removes and returns all failures.
    pub(super) fn take_all(&self) -> Vec<String> {
        self.take_if(|_| true)
    }

    fn take_if(&self, is_taken: impl Fn(&Note) -> bool) -> Vec<String> {
        let mut notes = self.notes();
        let all = std::mem::take(&mut *notes);
        let taken: VecDeque<Note>;
        (taken, *notes) = all.into_iter().partition(is_taken);
        taken.into_iter().map(|note| note.message).collect()
    }

    fn notes(&self) -> MutexGuard<'_, VecDeque<Note>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first of several failures, and the number of others.
pub(super) fn summary(messages: &[String]) -> Option<String> {
    let first = one_line(messages.first()?);
    Some(match messages.len() - 1 {
        0 => first,
        more => format!("{first} (and {more} more)"),
    })
}

/// The message of CubeCL's error, without backtraces.
pub(super) fn message(error: &ServerError) -> String {
    match error {
        ServerError::Generic { reason, .. } => reason.clone(),
        ServerError::Launch(error) => launch(error),
        ServerError::Profile(error) => profile(error),
        ServerError::Io(error) => io(error),
        ServerError::ServerUnhealthy { errors, .. } => {
            let messages: Vec<_> = errors.iter().map(message).collect();
            summary(&messages).unwrap_or_else(|| "for a reason it does not give".into())
        }
    }
}

/// CubeCL's message for a failed allocation, before the bytes.
const REFUSED: &str = "can't allocate buffer of size: ";

/// The bytes of a failed allocation, if that is what failed.
pub(super) fn refused_bytes(message: &str) -> Option<u64> {
    let (_, bytes) = message.split_once(REFUSED)?;
    let digits = bytes.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn launch(error: &LaunchError) -> String {
    match error {
        LaunchError::CompilationError(error) => match error {
            CompilationError::UnsupportedInstruction { reason, .. }
            | CompilationError::Generic { reason, .. }
            | CompilationError::Validation { reason, .. } => {
                format!("a kernel does not compile: {reason}")
            }
        },
        LaunchError::OutOfMemory { reason, .. } => format!("no memory for a launch: {reason}"),
        LaunchError::TooManyResources(error) => resources(error),
        LaunchError::Unknown { reason, .. } => format!("a kernel was not launched: {reason}"),
        LaunchError::IoError(error) => io(error),
    }
}

fn resources(error: &ResourceLimitError) -> String {
    match error {
        ResourceLimitError::SharedMemory { requested, max, .. } => format!(
            "a kernel asks for {requested} bytes of shared memory a cube: this device has {max}"
        ),
        ResourceLimitError::Units { requested, max, .. } => {
            format!("a kernel asks for {requested} units a cube: this device allows {max}")
        }
        ResourceLimitError::CubeDim { requested, max, .. } => {
            format!("a kernel asks for cubes of {requested:?} units: this device allows {max:?}")
        }
    }
}

fn io(error: &IoError) -> String {
    match error {
        IoError::BufferTooBig { size, .. } => format!("{REFUSED}{size}"),
        IoError::NotFound { reason, .. } => format!("a buffer was not found: {reason}"),
        IoError::Unknown { description, .. } => description.clone(),
        IoError::Execution(error) => message(error),
        IoError::UnsupportedStrides { .. }
        | IoError::FreeError { .. }
        | IoError::UnsupportedIoOperation { .. } => one_line(&error.to_string()),
    }
}

fn profile(error: &ProfileError) -> String {
    match error {
        ProfileError::Unknown { reason, .. } => reason.clone(),
        ProfileError::NotRegistered { .. } => "no time was measured".into(),
        ProfileError::Launch(error) => launch(error),
        ProfileError::Server(error) => message(error),
    }
}

/// A message in one line, without the backtrace that may follow it.
pub(super) fn one_line(message: &str) -> String {
    let unwrapped = message.split_once("` on an `Err` value: ").map_or(message, |(_, text)| text);
    let said = unwrapped.lines().map(str::trim).take_while(|line| !starts_a_backtrace(line));
    let said: Vec<_> = said.filter(|line| !line.is_empty() && *line != "Caused by:").collect();
    let line = said.join(": ").replace("::: ", ": ").replace(":: ", ": ");
    match line.char_indices().nth(LINE) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

fn starts_a_backtrace(line: &str) -> bool {
    let numbered = line.split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    numbered
        || line.starts_with("Backtrace")
        || line.starts_with("stack backtrace")
        || line.starts_with("No backtrace available")
}

#[cfg(test)]
mod tests {
    use cubecl::stream_id::StreamId;

    use super::{KEPT_OF_ALL, Log, one_line, refused_bytes, summary};
    use crate::device::caller::register;

    #[test]
    fn messages_become_one_line() {
        let wgpu = "Validation Error\n\nCaused by:\n  In Device::create_buffer\n    Too large\n";
        assert_eq!(one_line(wgpu), "Validation Error: In Device::create_buffer: Too large");
        let panic = "called `Result::unwrap()` on an `Err` value: no room\n   0: main\n   1: run";
        assert_eq!(one_line(panic), "no room");
        assert_eq!(one_line(&"é".repeat(900)).chars().count(), 401);
    }

    #[test]
    fn the_first_failure_is_shown_and_the_rest_are_counted() {
        let log = Log::default();
        assert_eq!(summary(&log.take(register())), None);
        (0..20).for_each(|number| log.note(Some(register()), format!("failure {number}")));
        assert_eq!(summary(&log.take(register())).as_deref(), Some("failure 0 (and 7 more)"));
        assert_eq!(summary(&log.take(register())), None);
    }

    #[test]
    fn a_failure_is_reported_to_the_thread_that_caused_it() {
        let log = Log::default();
        log.note(Some(register()), "of this one");
        log.note(None, "of nobody known");
        let ended = std::thread::scope(|scope| {
            let other = || {
                assert_eq!(log.take(register()), ["of nobody known"]);
                log.note(Some(register()), "of the other");
                register()
            };
            scope.spawn(other).join().unwrap()
        });
        // The other has ended without asking.
        log.note(Some(ended), "noted late");
        assert_eq!(log.take(register()), ["of this one", "of the other", "noted late"]);
        assert!(log.take_all().is_empty());
    }

    #[test]
    fn threads_that_never_ask_do_not_fill_memory() {
        let log = Log::default();
        (0..3000).for_each(|value| log.note(Some(StreamId { value }), value.to_string()));
        assert_eq!(log.take_all().len(), KEPT_OF_ALL);
        (0..3000).for_each(|_| log.note(Some(register()), "again"));
        assert_eq!(log.take(register()).len(), 8);
    }

    #[test]
    fn the_bytes_of_a_refused_allocation_are_found() {
        let message = "called `Result::unwrap()`: can't allocate buffer of size: 12345\n  0: main";
        assert_eq!(refused_bytes(message), Some(12345));
        assert_eq!(refused_bytes("something else"), None);
    }

    #[test]
    fn the_first_reason_for_a_loss_is_kept() {
        let log = Log::default();
        assert!(log.check().is_ok());
        log.lose("pulled out");
        log.lose("no answer");
        let error = log.check().unwrap_err().to_string();
        assert_eq!(error, "the device is lost and must be opened again: pulled out");
    }
}
