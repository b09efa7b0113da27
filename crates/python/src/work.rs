//! Long-running work: other Python threads run meanwhile, Ctrl-C is handled, and panics are caught.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use equipoise::{
    cancel::{Cancel, Cancelled},
    graph::io::check_files_unchanged,
};
use pyo3::prelude::*;

use crate::errors::{Error, Failure};

/// The interval between checks for signals.
const PATIENCE: Duration = Duration::from_millis(50);
/// The usual stack size of a process's first thread.
const STACK: usize = 8 << 20;

/// Warns once if an open GPU cannot cache compiled kernels.
fn warn_of_cache(py: Python<'_>) -> PyResult<()> {
    let Some(problem) = equipoise::device::take_cache_problem() else { return Ok(()) };
    let category = py.get_type::<pyo3::exceptions::PyRuntimeWarning>();
    PyErr::warn(py, &category, &std::ffi::CString::new(problem)?, 1)
}

/// Runs the work on a separate thread, without the GIL.
///
/// A signal returns at once and cancels the work, which stops in the background at its next check.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::sync_channel(1);
    let cancel = Cancel::new();
    let cancellable = cancel.clone();
    let work = move || {
        let outcome = match catch_unwind(AssertUnwindSafe(|| cancellable.run(work))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Cancelled)) => return,
            // The panic may be caused by a modified input file.
            Err(panic) => check_files_unchanged()
                .map_err(Failure::from)
                .and(Err(Failure::Panic(message(&*panic)))),
        };
        // No one is listening after a signal.
        let _ = sender.send(outcome);
    };
    thread::Builder::new()
        .name("equipoise".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| Error::new_err(format!("a thread could not be started: {error}")))?;
    loop {
        let outcome;
        (receiver, outcome) = py.detach(move || {
            let outcome = receiver.recv_timeout(PATIENCE);
            (receiver, outcome)
        });
        match outcome {
            Ok(outcome) => {
                warn_of_cache(py)?;
                return outcome.map_err(PyErr::from);
            }
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| cancel.cancel())?
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new_err("the thread that did the work has ended without it"));
            }
        }
    }
}

/// Runs work that only enqueues launches, on this thread and without the GIL.
pub fn enqueue<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    Ok(outcome.unwrap_or_else(|panic| Err(Failure::Panic(message(&*panic))))?)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it panicked without a message".into())
}
