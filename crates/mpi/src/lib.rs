//! Equipoise on a cluster with MPI: the ranks of an MPI job, and the program `equipoise-mpi`.
//!
//! MPI launches ranks and provides transport and collectives. This crate provides [`MpiComm`], through which
//! `equipoise-cluster` uses them, and ends a job when a rank fails: never by unwinding into `MPI_Finalize`, which would wait
//! for ranks that wait for this one.

mod comm;
mod ending;
#[cfg(feature = "faults")]
mod faults;
mod launcher;
mod outcome;
mod threads;
mod watchdog;

use std::{env, ffi::OsString, io::Write, sync::Arc, thread, time::Duration};

use equipoise_cluster::{
    Comm,
    commands::{Cli, Failure, Job, Request, Result, Start},
};
use mpi::{Threading, environment::Universe};

pub use comm::MpiComm;

use crate::{launcher::Launcher, outcome::End};

/// Runs the program with these arguments, the first of which is its name, as a rank of the job of this process. Returns the
/// exit code, which is the same on all ranks.
///
/// ```no_run
/// let code = equipoise_mpi::main(["equipoise-mpi", "bfs", "rmat:scale=10"].map(Into::into).to_vec());
/// assert_eq!(code, 0);
/// ```
pub fn main(arguments: Vec<OsString>) -> u8 {
    equipoise_graph::io::report_shortened_files();
    equipoise_graph::io::report_files_too_large();
    let request = Cli::read(arguments.clone());
    let launcher = launcher::find(|name| env::var(name).ok());
    if launcher.is_none() && !matches!(request, Ok(Request::Work(_))) {
        return print(request);
    }
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        anstream::eprint!("{}", Failure::new("MPI was initialized before"));
        return 1;
    };
    // Dropped at the end, the universe finalizes MPI.
    rank(&universe, launcher.as_ref(), &arguments, request)
}

/// Prints a text or an error; no rank is needed for that.
fn print(request: Result<Request>) -> u8 {
    match request {
        Ok(Request::Text(text)) => {
            // A closed pipe is no error.
            let _ = writeln!(anstream::stdout(), "{}", text.trim_end());
            0
        }
        Ok(Request::Work(_)) => 0,
        Err(failure) => {
            anstream::eprint!("{failure}");
            failure.code()
        }
    }
}

/// Runs one rank.
fn rank(
    universe: &Universe,
    launcher: Option<&Launcher>,
    arguments: &[OsString],
    request: Result<Request>,
) -> u8 {
    let comm = MpiComm::new(universe);
    #[cfg(feature = "faults")]
    let comm = match faults::round() {
        Some(bytes) => comm.in_rounds_of(bytes),
        None => comm,
    };
    let library = launcher::library();
    if let Some(failure) =
        launcher.and_then(|launcher| launcher.contradiction(comm.size(), &library))
    {
        anstream::eprint!("{failure}");
        return 1;
    }
    ending::abort_on_panic(comm.rank());
    let end = End::new(&comm);
    let limit = request.as_ref().ok().and_then(Request::wait_limit);
    let outcome = watch(&comm, limit).and_then(|()| agree_on_start(&comm, arguments, &request));
    match (outcome, request) {
        (Ok(()), Ok(Request::Work(cli))) => end.meet(&comm, work(&comm, launcher, &cli)),
        (Err(failure), _) => end.meet(&comm, Err(failure)),
        // All ranks have the same request, and one prints.
        (Ok(()), request) if comm.rank() == 0 => print(request),
        (Ok(()), request) => request.map_or_else(|failure| failure.code(), |_| 0),
    }
}

/// Starts a watchdog that reports when this rank waits, and removes unfinished files on signals.
fn watch(comm: &MpiComm, limit: Option<Duration>) -> Result<()> {
    let watch = Arc::clone(comm.watch());
    let watchdog = move || watch.run(limit, |why| ending::abort(1, why));
    let started = thread::Builder::new().name("watchdog".into()).spawn(watchdog).map(drop);
    started
        .and_then(|()| ending::discard_on_signals())
        .map_err(|error| Failure::new(format!("a thread cannot be started: {error}")))
}

/// Fails on all ranks if their versions, arguments or inputs differ.
fn agree_on_start(comm: &MpiComm, arguments: &[OsString], request: &Result<Request>) -> Result<()> {
    let words: Vec<_> = arguments.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let version = env!("CARGO_PKG_VERSION");
    #[cfg(feature = "faults")]
    let version = faults::version(comm.rank(), version);
    let input = match request {
        Ok(Request::Work(cli)) => cli.input(),
        _ => None,
    };
    #[cfg(feature = "faults")]
    let input = faults::input(comm.rank(), input);
    let start = Start { version: version.into(), arguments: words.join(" "), input };
    Ok(start.agree(comm)?)
}

/// Runs the command on this rank's share of threads.
fn work(comm: &MpiComm, launcher: Option<&Launcher>, cli: &Cli) -> Result<()> {
    #[cfg(feature = "faults")]
    faults::early_return(comm.rank())?;
    let (ranks_on_node, rank_on_node) = comm.on_node();
    let share = threads::Share::of_node(&threads::Node {
        requested: cli.threads(),
        cores: threads::cores_of_node(),
        allowed: threads::allowed_cores(),
        ranks: ranks_on_node,
        is_open_mpi: launcher.is_some_and(Launcher::is_open_mpi),
    });
    if let Some(warning) = share.warning.filter(|_| comm.rank() == 0) {
        anstream::eprintln!("warning: {warning}");
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(share.threads)
        .build_global()
        .map_err(|error| Failure::new(format!("{} threads: {error}", share.threads)))?;
    let job = Job { comm, ranks_on_node, rank_on_node, threads: share.threads };
    // Results on standard output must not mix with the report.
    let mut out: Box<dyn Write> = match cli.on_standard_output() {
        None => Box::new(anstream::stdout()),
        Some(_) => Box::new(anstream::stderr()),
    };
    cli.run(&job, (comm.rank() == 0).then_some(&mut *out))
}
