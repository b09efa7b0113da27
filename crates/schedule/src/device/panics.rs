//! Panics of CubeCL: caught, kept off the screen, and recorded by their GPU.
//!
//! CubeCL runs a thread per device. A panic of that thread skips the task and is forgotten, so a hook records it for the GPU of
//! the thread and for the thread that enqueued the task, to which the GPU reports it as an error.

use std::{
    any::Any,
    cell::Cell,
    collections::HashMap,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError},
    thread,
};

use cubecl::stream_id::StreamId;

use super::failure::Log;

static WATCHED: Mutex<Option<HashMap<String, Arc<Log>>>> = Mutex::new(None);

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Records the panics of a thread in its log, or in this one if it has none. Returns the log.
pub(super) fn watch(thread: String, log: Arc<Log>) -> Arc<Log> {
    install();
    watched().get_or_insert_default().entry(thread).or_insert(log).clone()
}

/// Runs code that may panic on this thread, and returns the panic's message.
pub(super) fn quietly<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    install();
    let before = QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(code));
    QUIET.set(before);
    outcome.map_err(|panic| text_of(panic.as_ref()))
}

fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !noted(info) {
                others(info);
            }
        }));
    });
}

fn noted(info: &PanicHookInfo<'_>) -> bool {
    QUIET.try_with(Cell::get).unwrap_or(false) || note(text_of(info.payload()))
}

/// Records a failure of the current task, if this is the thread of a GPU.
pub(super) fn note(message: String) -> bool {
    // The name is read first, since another thread may panic while it holds the lock.
    let Some(name) = device_thread() else { return false };
    let log = watched().as_ref().and_then(|logs| logs.get(&name).cloned());
    log.inspect(|log| log.note(caller(), message)).is_some()
}

/// The thread that enqueued the current task, if this is the thread of a GPU.
pub(super) fn caller() -> Option<StreamId> {
    // For each task CubeCL sets the id of its caller.
    device_thread().map(|_| StreamId::current())
}

fn device_thread() -> Option<String> {
    thread::current().name().filter(|name| name.starts_with("DS")).map(str::to_owned)
}

fn watched() -> MutexGuard<'static, Option<HashMap<String, Arc<Log>>>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}
