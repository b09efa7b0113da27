//! How a job ends before its time: all ranks, whatever they do, with the code of the one that ended it.

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
/// How long MPI may take to end the job. A launcher ends all ranks of a job one of which has left without it, too.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the launcher may take to read what a rank says last, and then to pass it on.
const READING: Duration = Duration::from_secs(5);
const PASSING_ON: Duration = Duration::from_millis(200);

/// Ends the job, and says why on standard error. Files that were begun are removed.
pub fn abort(code: i32, message: &str) -> ! {
    say_last(message);
    discard_unfinished();
    let last_resort = move || {
        thread::sleep(PATIENCE);
        leave(code);
    };
    // Without that thread, MPI has to do it alone.
    let _ = thread::Builder::new().name("leaving".into()).spawn(last_resort);
    // SAFETY: MPI is initialized, and not finalized while this program has a `Universe`. Another thread may be in a
    // call, for which MPI asks a higher level of threading than this program does: Open MPI and MPICH send the
    // launcher a message and leave, and where that does not work, the thread above leaves.
    unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, code) };
    leave(code)
}

/// Says something that the launcher has read before this returns: one that is told to end a job forgets what it has not
/// read yet.
fn say_last(message: &str) {
    let stderr = io::stderr();
    // In one piece: what is written in pieces can be read in pieces. There is nobody left to tell of an error.
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

/// Ends this process at once: destructors would finalize MPI, which waits for all ranks.
fn leave(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

/// From now on, a panic on any thread ends the job with its message: a rank that unwinds would wait in `MPI_Finalize`
/// for others, which wait for it elsewhere.
pub fn abort_on_panic(rank: usize) {
    panic::set_hook(Box::new(move |panic| {
        abort(PANICKED, &format!("error: rank {rank} panicked: {panic}\n"));
    }));
}

/// From now on, a request to end removes files that were begun: launchers send it to the ranks that are left when one
/// has ended the job.
pub fn discard_on_signals() -> std::io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };

    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            discard_unfinished();
            leave(128 + signal);
        }
    })?;
    Ok(())
}
