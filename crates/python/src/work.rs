//! Long work beside Python: other threads of Python run meanwhile, Ctrl-C is answered, and no panic gets through.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use equipoise::cancel::{Cancel, Cancelled};
use pyo3::prelude::*;

use crate::errors::{Error, Failure};

/// How long a signal waits for an answer.
const PATIENCE: Duration = Duration::from_millis(50);
/// What the first thread of a process mostly has.
const STACK: usize = 8 << 20;

/// Does the work on a thread of its own, without the GIL.
///
/// A signal is answered at once, and the work is asked to stop: it leaves off behind, when it next looks.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::sync_channel(1);
    let cancel = Cancel::new();
    let asked = cancel.clone();
    let work = move || {
        let outcome = match catch_unwind(AssertUnwindSafe(|| asked.run(work))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Cancelled)) => return,
            Err(panic) => Err(Failure::Panic(message(&*panic))),
        };
        // Nobody listens after a signal.
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
            Ok(outcome) => return outcome.map_err(PyErr::from),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| cancel.cancel())?
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new_err("the thread that did the work has ended without it"));
            }
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it panicked without a message".into())
}
