//! Aborts a job: all ranks end, with the exit code of the one that aborted.

use std::{
    io::{self, Write},
    panic, thread,
    time::{Duration, Instant},
};

use equipoise_graph::io::discard_unfinished;
use mpi::ffi;
use rustix::{
    fs::{FileType, fstat},
    io::ioctl_fionread,
};

/// The code of a program that panicked.
const PANICKED: i32 = 101;
/// The time for MPI to end the job. A launcher also ends a job one of whose ranks has exited.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The time for the launcher to read the last message of a rank, and to pass it on.
const READING: Duration = Duration::from_secs(5);
const PASSING_ON: Duration = Duration::from_millis(200);

/// Ends the job with a message on standard error. Removes unfinished files.
pub fn abort(code: i32, message: &str) -> ! {
    print_last(message);
    discard_unfinished();
    let last_resort = move || {
        thread::sleep(TIME_LIMIT);
        exit(code);
    };
    // Without the thread, leaving has no time limit.
    let _ = thread::Builder::new().name("leaving".into()).spawn(last_resort);
    // SAFETY: MPI is initialized, and not finalized while this program has a `Universe`. Another thread may be in an MPI
    // call, for which this program's level of threading is too low: Open MPI and MPICH send the launcher a message and
    // exit; if that fails, the thread above exits.
    unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, code) };
    exit(code)
}

/// Prints a message and waits until the launcher has read it: a launcher that ends a job discards unread output.
fn print_last(message: &str) {
    let stderr = io::stderr();
    // One write, so that messages of ranks do not mix. An error cannot be reported.
    let _ = stderr.lock().write_all(message.as_bytes());
    let is_pipe =
        fstat(&stderr).is_ok_and(|file| FileType::from_raw_mode(file.st_mode) == FileType::Fifo);
    if !is_pipe {
        return;
    }
    let start = Instant::now();
    while start.elapsed() < READING && ioctl_fionread(&stderr).is_ok_and(|unread| unread > 0) {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(PASSING_ON);
}

/// Exits without destructors, which would finalize MPI and wait for all ranks.
fn exit(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

/// Makes a panic on any thread end the job with its message: a rank that unwinds would wait in `MPI_Finalize` for others
/// that wait for it.
pub fn abort_on_panic(rank: usize) {
    panic::set_hook(Box::new(move |panic| {
        abort(PANICKED, &format!("error: rank {rank} panicked: {panic}\n"));
    }));
}

/// Makes termination signals remove unfinished files: launchers send them to the other ranks when one ends the job.
pub fn discard_on_signals() -> std::io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };

    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            discard_unfinished();
            exit(128 + signal);
        }
    })?;
    Ok(())
}
