//! Cooperative cancellation of long work.
//!
//! The caller runs the work under a [`Cancel`]. Algorithms poll it every few milliseconds, and
//! unwind when it is cancelled: no function in between passes it on, and no partial result is
//! visible. Programs whose panics abort cannot use it.

use std::{
    cell::RefCell,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

thread_local! {
    /// The request that the work of this thread polls.
    static CURRENT: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// A request to stop work. It cannot be withdrawn; clones are the same request.
///
/// ```
/// use equipoise_graph::cancel::{Cancel, Cancelled, poll};
///
/// let cancel = Cancel::new();
/// let request = cancel.clone();
/// let mut rounds = 0;
/// let outcome = cancel.run(|| loop {
///     poll();
///     rounds += 1;
///     if rounds == 3 {
///         // As another thread would.
///         request.cancel();
///     }
/// });
/// assert_eq!((outcome, rounds), (Err::<(), _>(Cancelled), 3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The error that the caller cancelled the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the work was cancelled")
    }
}

impl std::error::Error for Cancelled {}

impl Cancel {
    /// Creates a request that is not cancelled.
    ///
    /// ```
    /// assert!(!equipoise_graph::cancel::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the work, from any thread.
    ///
    /// ```
    /// let cancel = equipoise_graph::cancel::Cancel::new();
    /// cancel.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the work is cancelled.
    ///
    /// ```
    /// assert!(!equipoise_graph::cancel::Cancel::new().is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Runs work that polls this request.
    ///
    /// Fails if the work is cancelled before it returns; its result is then dropped.
    ///
    /// ```
    /// assert_eq!(equipoise_graph::cancel::Cancel::new().run(|| 7), Ok(7));
    /// ```
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        match catch_unwind(AssertUnwindSafe(|| self.watch(work))) {
            Ok(_) if self.is_cancelled() => Err(Cancelled),
            Ok(done) => Ok(done),
            Err(payload) if payload.is::<Cancelled>() => Err(Cancelled),
            Err(payload) => resume_unwind(payload),
        }
    }

    /// The request that the work of this thread polls, or one that is never cancelled.
    ///
    /// ```
    /// assert!(!equipoise_graph::cancel::Cancel::current().is_cancelled());
    /// ```
    pub fn current() -> Self {
        CURRENT.with_borrow(Option::clone).unwrap_or_default()
    }

    /// Runs work on this thread that polls this request, for work handed over by another thread.
    ///
    /// ```
    /// use equipoise_graph::cancel::Cancel;
    ///
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// assert!(cancel.watch(|| Cancel::current().is_cancelled()));
    /// assert!(!Cancel::current().is_cancelled());
    /// ```
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let _restore = Restore(before);
        work()
    }

    /// Unwinds to [`Cancel::run`] if the work is cancelled.
    ///
    /// ```
    /// use equipoise_graph::cancel::{Cancel, Cancelled};
    ///
    /// let (cancel, mut is_done) = (Cancel::new(), false);
    /// cancel.cancel();
    /// let outcome = cancel.run(|| {
    ///     cancel.poll();
    ///     is_done = true;
    /// });
    /// assert_eq!((outcome, is_done), (Err(Cancelled), false));
    /// ```
    #[inline]
    pub fn poll(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Cancelled));
        }
    }
}

/// Unwinds to [`Cancel::run`] if the work of this thread is cancelled.
///
/// ```
/// use equipoise_graph::cancel::{Cancel, Cancelled, poll};
///
/// let (cancel, mut is_done) = (Cancel::new(), false);
/// cancel.cancel();
/// let outcome = cancel.run(|| {
///     poll();
///     is_done = true;
/// });
/// assert_eq!((outcome, is_done), (Err(Cancelled), false));
/// ```
pub fn poll() {
    let is_cancelled =
        CURRENT.with_borrow(|current| current.as_ref().is_some_and(Cancel::is_cancelled));
    if is_cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

/// Calls [`poll`] if `done` is a multiple of 4096: for pieces of work too short to poll at each.
///
/// ```
/// use equipoise_graph::cancel::{Cancel, Cancelled, poll_at};
///
/// let (cancel, mut last) = (Cancel::new(), 0);
/// cancel.cancel();
/// let outcome = cancel.run(|| {
///     for piece in 1..10_000 {
///         poll_at(piece);
///         last = piece;
///     }
/// });
/// assert_eq!((outcome, last), (Err(Cancelled), 4095));
/// ```
#[inline]
pub fn poll_at(done: usize) {
    if done.is_multiple_of(1 << 12) {
        poll();
    }
}

/// Restores the previous request of this thread on drop.
struct Restore(Option<Cancel>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::*;

    #[test]
    fn work_that_does_not_poll_is_cancelled_when_it_returns() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(cancel.run(|| 1), Err(Cancelled));
    }

    #[test]
    fn other_panics_are_propagated() {
        let caught = catch_unwind(|| Cancel::new().run(|| panic_any(5)));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&5));
    }

    #[test]
    fn after_inner_work_the_outer_request_is_polled_again() {
        let (outer, inner) = (Cancel::new(), Cancel::new());
        inner.cancel();
        let outcome = outer.run(|| {
            assert_eq!(inner.run(poll), Err(Cancelled));
            poll();
            outer.cancel();
            poll();
            unreachable!("the outer work is cancelled");
        });
        assert_eq!(outcome, Err::<(), _>(Cancelled));
        poll();
    }
}
