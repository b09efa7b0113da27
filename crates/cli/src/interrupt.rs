//! Signals that end the program: work stops at its next check, and no output file is left
//! half-written.
//!
//! A GPU driver runs its own threads. Destructors and `atexit` handlers would free what these still
//! use; so the program exits without either, and does not wait for work that does not stop soon.

#[cfg(unix)]
use std::{sync::atomic::AtomicU64, time::Instant};
use std::{
    sync::atomic::{AtomicI32, Ordering},
    time::Duration,
};

use equipoise::graph::{cancel::Cancel, io::discard_unfinished};

use crate::failure::warn;

/// The time that work has to notice the request to stop.
const GRACE: Duration = Duration::from_millis(50);

/// The exit code for the received signal; 130 before one is received.
static CODE: AtomicI32 = AtomicI32::new(130);

/// Installs signal handlers: Ctrl-C, a request to terminate and the hang-up of the terminal cancel
/// the returned token, remove unfinished files and end the program with the signal's conventional
/// exit code: 130, 143 or 129. A second signal ends it at once. Ignored signals stay ignored, as
/// under `nohup`.
pub fn watch() -> Cancel {
    let cancel = Cancel::new();
    if let Err(error) = start(cancel.clone()) {
        warn(&format!(
            "Ctrl-C cannot be watched for: {error}; it may leave temporary files behind"
        ));
    }
    cancel
}

/// Ends the program after cancelled work has stopped.
pub fn end() -> ! {
    discard_unfinished();
    leave(CODE.load(Ordering::Relaxed))
}

/// Cancels the work, and ends the program if it does not stop in time.
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
        // SAFETY: the handler only reads the clock and an atomic and calls `_exit`, which are
        // async-signal-safe.
        unsafe { register(signal, end_if_second)? };
    }
    Ok(())
}

/// Whether the first signal came more than [`TWICE_SENT`] ago. Records the first.
#[cfg(unix)]
fn is_second(now: Duration) -> bool {
    static FIRST: AtomicU64 = AtomicU64::new(u64::MAX);
    let now = now.as_millis() as u64;
    let first = FIRST.fetch_min(now, Ordering::Relaxed);
    first != u64::MAX && now.saturating_sub(first) > TWICE_SENT.as_millis() as u64
}

/// A signal this soon after another is not a second request: `timeout` sends each twice.
#[cfg(unix)]
const TWICE_SENT: Duration = Duration::from_millis(200);

/// The exit code that a shell reports for a program ended by a signal.
#[cfg(unix)]
fn code(signal: i32) -> i32 {
    128 + signal
}

/// Whether the parent process has set the signal to be ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` only writes the current one to `action`;
    // all zeros is a valid value as well.
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
