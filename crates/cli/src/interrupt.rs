//! Signals that ask the program to end: work stops where it next looks whether to, and no file is left half written.
//!
//! A GPU's driver runs threads of its own. Destructors and `atexit` handlers under these free what
//! they still use; so the program leaves without either, and without waiting for work that does not stop soon.

#[cfg(unix)]
use std::{sync::atomic::AtomicU64, time::Instant};
use std::{
    sync::atomic::{AtomicI32, Ordering},
    time::Duration,
};

use equipoise::graph::{cancel::Cancel, io::discard_unfinished};

use crate::failure::warn;

/// How long work may take to notice that it is to stop.
const GRACE: Duration = Duration::from_millis(50);

/// The exit code of the signal that came; 130 until then.
static CODE: AtomicI32 = AtomicI32::new(130);

/// From now on, Ctrl-C, a request to terminate and a terminal that is closed stop the work that looks at the answer, and
/// remove unfinished files before they end the program, with the exit code that a shell gives for the signal: 130,
/// 143 or 129. A second one ends it at once. Signals that are ignored stay ignored, as under
/// `nohup`.
pub fn watch() -> Cancel {
    let cancel = Cancel::new();
    if let Err(error) = start(cancel.clone()) {
        warn(&format!(
            "Ctrl-C cannot be watched for: {error}; it may leave temporary files behind"
        ));
    }
    cancel
}

/// Ends the program after work that was asked to stop.
pub fn end() -> ! {
    discard_unfinished();
    leave(CODE.load(Ordering::Relaxed))
}

/// Asks the work to stop, and ends the program where it does not.
fn stop(cancel: &Cancel, code: i32) -> ! {
    CODE.store(code, Ordering::Relaxed);
    cancel.cancel();
    std::thread::sleep(GRACE);
    end()
}

#[cfg(unix)]
fn leave(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

#[cfg(not(unix))]
fn leave(code: i32) -> ! {
    std::process::exit(code)
}

#[cfg(unix)]
fn start(cancel: Cancel) -> std::io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
        low_level::{exit, register},
    };

    let watched: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
    let mut signals = Signals::new(&watched)?;
    let handle = signals.handle();
    let cleaner = std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            stop(&cancel, code(signal));
        }
    });
    if let Err(error) = cleaner {
        handle.close();
        return Err(error);
    }
    let start = Instant::now();
    for &signal in &watched {
        let end_if_second = move || {
            if is_second(start.elapsed()) {
                exit(code(signal));
            }
        };
        // SAFETY: looking at the clock, an atomic and `_exit` are all that is done, which a signal
        // handler may.
        unsafe { register(signal, end_if_second)? };
    }
    Ok(())
}

/// Whether there was a signal before, not just now. The first is noted.
#[cfg(unix)]
fn is_second(now: Duration) -> bool {
    static FIRST: AtomicU64 = AtomicU64::new(u64::MAX);
    let now = now.as_millis() as u64;
    let first = FIRST.fetch_min(now, Ordering::Relaxed);
    first != u64::MAX && now.saturating_sub(first) > TWICE_SENT.as_millis() as u64
}

/// So soon after a signal, another is no second request: `timeout` sends each twice.
#[cfg(unix)]
const TWICE_SENT: Duration = Duration::from_millis(200);

/// What a shell reports of a program that a signal ended.
#[cfg(unix)]
fn code(signal: i32) -> i32 {
    128 + signal
}

/// Whether who started the program wants it not to notice the signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` only writes the present one, which has room for it;
    // zeroes are a valid one as well.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
fn start(cancel: Cancel) -> Result<(), ctrlc::Error> {
    const INTERRUPTED: i32 = 130;
    ctrlc::set_handler(move || stop(&cancel, INTERRUPTED))
}
