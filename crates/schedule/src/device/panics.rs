//! Panics of CubeCL: caught, kept off the screen, and remembered by the GPU they belong to.
//!
//! CubeCL runs a thread for each device. A panic there skips the task and is then forgotten, so
//! a hook notes it for the GPU whose thread it is; that GPU reports it as an error.

use std::{
    any::Any,
    cell::Cell,
    collections::HashMap,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError},
    thread,
};

use super::failure::Log;

static WATCHED: Mutex<Option<HashMap<String, Arc<Log>>>> = Mutex::new(None);

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Has the panics of a thread written to a log: the one given, unless the thread has one.
pub(super) fn watch(thread: String, log: Arc<Log>) -> Arc<Log> {
    install();
    watched().get_or_insert_default().entry(thread).or_insert(log).clone()
}

/// Runs code that may panic on this thread, and gives what it said.
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
    if QUIET.try_with(Cell::get).unwrap_or(false) {
        return true;
    }
    let thread = thread::current();
    // The name first: another thread may panic while it holds the lock.
    let Some(name) = thread.name().filter(|name| name.starts_with("DS")) else { return false };
    let log = watched().as_ref().and_then(|logs| logs.get(name).cloned());
    log.inspect(|log| log.note(text_of(info.payload()))).is_some()
}

fn watched() -> MutexGuard<'static, Option<HashMap<String, Arc<Log>>>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}
