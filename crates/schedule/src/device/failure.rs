//! What went wrong on a GPU, in one line.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cubecl::{
    CompilationError,
    server::{IoError, LaunchError, ProfileError, ResourceLimitError, ServerError},
};

use crate::{Error, Result};

/// So many failures are kept; the first of them is the cause of most others.
const KEPT: usize = 8;

/// So many characters of a message are kept.
const LINE: usize = 400;

/// What failed on a GPU since somebody asked, and whether it is lost.
#[derive(Debug, Default)]
pub(super) struct Log {
    notes: Mutex<Vec<String>>,
    lost: OnceLock<String>,
}

impl Log {
    /// Notes a failure.
    pub(super) fn note(&self, message: impl Into<String>) {
        let mut notes = self.notes();
        if notes.len() < KEPT {
            notes.push(message.into());
        }
    }

    /// Notes that the GPU cannot be used any more.
    pub(super) fn lose(&self, reason: &str) {
        // Only the first reason is the cause.
        let _ = self.lost.set(one_line(reason));
    }

    /// Whether the GPU can still be used.
    pub(super) fn check(&self) -> Result<()> {
        self.lost.get().map_or(Ok(()), |reason| Err(Error::Lost(reason.clone())))
    }

    /// The failures recorded since the last time.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes())
    }

    fn notes(&self) -> MutexGuard<'_, Vec<String>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is said of several failures: the first, and how many more there are.
pub(super) fn summary(messages: &[String]) -> Option<String> {
    let first = one_line(messages.first()?);
    Some(match messages.len() - 1 {
        0 => first,
        more => format!("{first} (and {more} more)"),
    })
}

/// CubeCL's error without its backtraces.
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

/// What CubeCL says of a buffer for which there is no memory; the bytes follow.
const REFUSED: &str = "can't allocate buffer of size: ";

/// The bytes that an allocation asked for, if that is what failed.
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
    use super::{Log, one_line, refused_bytes, summary};

    #[test]
    fn messages_become_one_line() {
        let wgpu = "Validation Error\n\nCaused by:\n  In Device::create_buffer\n    Too large\n";
        assert_eq!(one_line(wgpu), "Validation Error: In Device::create_buffer: Too large");
        let panic = "called `Result::unwrap()` on an `Err` value: no room\n   0: main\n   1: run";
        assert_eq!(one_line(panic), "no room");
        assert_eq!(one_line(&"é".repeat(900)).chars().count(), 401);
    }

    #[test]
    fn the_first_failure_is_told_and_the_rest_are_counted() {
        let log = Log::default();
        assert_eq!(summary(&log.take()), None);
        (0..20).for_each(|number| log.note(format!("failure {number}")));
        assert_eq!(summary(&log.take()).as_deref(), Some("failure 0 (and 7 more)"));
        assert_eq!(summary(&log.take()), None);
    }

    #[test]
    fn the_bytes_of_a_refused_allocation_are_found() {
        let message = "called `Result::unwrap()`: can't allocate buffer of size: 12345\n  0: main";
        assert_eq!(refused_bytes(message), Some(12345));
        assert_eq!(refused_bytes("something else"), None);
    }

    #[test]
    fn the_first_reason_for_a_loss_stays() {
        let log = Log::default();
        assert!(log.check().is_ok());
        log.lose("pulled out");
        log.lose("no answer");
        let error = log.check().unwrap_err().to_string();
        assert_eq!(error, "the device is lost and must be opened again: pulled out");
    }
}
