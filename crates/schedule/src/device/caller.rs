//! Threads that use a GPU, to which failures are reported while they run.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use cubecl::stream_id::StreamId;

/// The running threads that have used a GPU.
static RUNNING: Mutex<BTreeSet<StreamId>> = Mutex::new(BTreeSet::new());

thread_local! {
    static CURRENT: Registered = Registered::new();
}

/// The registration of a running thread.
struct Registered(StreamId);

impl Registered {
    fn new() -> Self {
        let id = StreamId::current();
        running().insert(id);
        Self(id)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<StreamId>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers and returns this thread, which uses a GPU. CubeCL passes its id on with each task.
pub(super) fn register() -> StreamId {
    // A thread that is ending needs no reports.
    let _ = CURRENT.try_with(|_| ());
    StreamId::current()
}

/// Whether a thread that has used a GPU still runs.
pub(super) fn is_running(caller: StreamId) -> bool {
    running().contains(&caller)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_registered_until_it_ends() {
        let other = std::thread::spawn(|| {
            assert!(is_running(register()));
            register()
        });
        let other = other.join().unwrap();
        assert!(!is_running(other) && is_running(register()));
    }
}
