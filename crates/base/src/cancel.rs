//! Stopping work that is under way.
//!
//! Whoever starts long work runs it under a [`Cancel`]. Algorithms look at it between two pieces of their work, some
//! milliseconds each, and leave by unwinding when they are asked to: nothing has to be passed on by the functions in
//! between, and nothing half done gets out. Programs whose panics abort cannot use it.

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
    /// What the work of this thread looks at.
    static CURRENT: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// A request to stop, which stays made. Clones are the same request.
///
/// ```
/// use equipoise_base::cancel::{Cancel, Cancelled, poll};
///
/// let cancel = Cancel::new();
/// let asked = cancel.clone();
/// let mut rounds = 0;
/// let outcome = cancel.run(|| loop {
///     poll();
///     rounds += 1;
///     if rounds == 3 {
///         // As another thread would.
///         asked.cancel();
///     }
/// });
/// assert_eq!((outcome, rounds), (Err::<(), _>(Cancelled), 3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// Why there is no result: whoever started the work asked it to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the work was cancelled")
    }
}

impl std::error::Error for Cancelled {}

impl Cancel {
    /// A request that nobody has made.
    ///
    /// ```
    /// assert!(!equipoise_base::cancel::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop, from any thread.
    ///
    /// ```
    /// let cancel = equipoise_base::cancel::Cancel::new();
    /// cancel.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether it is to stop.
    ///
    /// ```
    /// assert!(!equipoise_base::cancel::Cancel::new().is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Does the work unless it is asked to stop, at the latest when it would return.
    ///
    /// Fails where it was: what the work had found is dropped.
    ///
    /// ```
    /// assert_eq!(equipoise_base::cancel::Cancel::new().run(|| 7), Ok(7));
    /// ```
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        match catch_unwind(AssertUnwindSafe(|| self.watch(work))) {
            Ok(_) if self.is_cancelled() => Err(Cancelled),
            Ok(done) => Ok(done),
            Err(payload) if payload.is::<Cancelled>() => Err(Cancelled),
            Err(payload) => resume_unwind(payload),
        }
    }

    /// The request that the work of this thread looks at, or one that nobody makes.
    ///
    /// ```
    /// assert!(!equipoise_base::cancel::Cancel::current().is_cancelled());
    /// ```
    pub fn current() -> Self {
        CURRENT.with_borrow(Option::clone).unwrap_or_default()
    }

    /// Has work on this thread look at this request: work that another thread has handed on.
    ///
    /// ```
    /// use equipoise_base::cancel::Cancel;
    ///
    /// let current = Cancel::current();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| current.watch(|| Cancel::current().poll()));
    /// });
    /// ```
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let _restore = Restore(before);
        work()
    }

    /// Leaves the work, up to where it was [run](Self::run), if it is to stop.
    ///
    /// ```
    /// equipoise_base::cancel::Cancel::new().poll();
    /// ```
    #[inline]
    pub fn poll(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Cancelled));
        }
    }
}

/// Leaves the work of this thread, if it is to stop.
///
/// ```
/// equipoise_base::cancel::poll();
/// ```
pub fn poll() {
    let is_cancelled =
        CURRENT.with_borrow(|current| current.as_ref().is_some_and(Cancel::is_cancelled));
    if is_cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

/// The same, at every 4096th of pieces of work that are too short to look at each: so many are done.
///
/// ```
/// (0..10_000).for_each(equipoise_base::cancel::poll_at);
/// ```
#[inline]
pub fn poll_at(done: usize) {
    if done.is_multiple_of(1 << 12) {
        poll();
    }
}

/// Puts back what was looked at before.
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
    fn work_that_does_not_look_is_stopped_when_it_returns() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(cancel.run(|| 1), Err(Cancelled));
    }

    #[test]
    fn other_panics_get_through() {
        let caught = catch_unwind(|| Cancel::new().run(|| panic_any(5)));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&5));
    }

    #[test]
    fn after_inner_work_the_outer_request_is_looked_at_again() {
        let (outer, inner) = (Cancel::new(), Cancel::new());
        inner.cancel();
        let outcome = outer.run(|| {
            assert_eq!(inner.run(poll), Err(Cancelled));
            poll();
            outer.cancel();
            poll();
            unreachable!("the outer work is to stop");
        });
        assert_eq!(outcome, Err::<(), _>(Cancelled));
        poll();
    }
}
