//! Equipoise on a cluster with MPI: the ranks of an MPI job, and the program `equipoise-mpi`.
//!
//! Launching, transport and collectives are MPI's. What is here is [`MpiComm`], through which `equipoise-cluster` reaches
//! them, and how a job ends when a rank cannot go on: never by unwinding into `MPI_Finalize`, where it would wait for ranks
//! that wait for it.

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
    commands::{Asked, Cli, Failure, Job, Result, Start},
};
use mpi::{Threading, environment::Universe};

pub use comm::MpiComm;

use crate::{launcher::Launcher, outcome::End};

/// Does what the arguments, the program's name first, ask for, as a rank of the job that this process was started in. The
/// exit code is the same on all ranks.
///
/// ```no_run
/// let code = equipoise_mpi::main(["equipoise-mpi", "bfs", "rmat:scale=10"].map(Into::into).to_vec());
/// assert_eq!(code, 0);
/// ```
pub fn main(arguments: Vec<OsString>) -> u8 {
    equipoise_graph::io::report_shortened_files();
    let asked = Cli::read(arguments.clone());
    let launcher = launcher::find(|name| env::var(name).ok());
    if launcher.is_none() && !matches!(asked, Ok(Asked::Work(_))) {
        return tell(asked);
    }
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        anstream::eprint!("{}", Failure::new("MPI was initialized before"));
        return 1;
    };
    // Dropped at the end, the universe finalizes MPI.
    rank(&universe, launcher.as_ref(), &arguments, asked)
}

/// Says what is to be told without any work.
fn tell(asked: Result<Asked>) -> u8 {
    match asked {
        Ok(Asked::Text(text)) => {
            // A reader that has left does not want it.
            let _ = writeln!(anstream::stdout(), "{}", text.trim_end());
            0
        }
        Ok(Asked::Work(_)) => 0,
        Err(failure) => {
            anstream::eprint!("{failure}");
            failure.code()
        }
    }
}

/// What one rank does.
fn rank(
    universe: &Universe,
    launcher: Option<&Launcher>,
    arguments: &[OsString],
    asked: Result<Asked>,
) -> u8 {
    let comm = MpiComm::of(universe);
    #[cfg(feature = "faults")]
    let comm = faults::in_small_rounds(comm);
    let library = launcher::library();
    if let Some(failure) = launcher.and_then(|found| found.contradiction(comm.size(), &library)) {
        anstream::eprint!("{failure}");
        return 1;
    }
    ending::abort_on_panic(comm.rank());
    let end = End::of(&comm);
    let limit = asked.as_ref().ok().and_then(Asked::wait_limit);
    let outcome = watch(&comm, limit).and_then(|()| agree_on_start(&comm, arguments, &asked));
    match (outcome, asked) {
        (Ok(()), Ok(Asked::Work(cli))) => end.meet(&comm, work(&comm, launcher, &cli)),
        (Err(failure), _) => end.meet(&comm, Err(failure)),
        // All ranks were asked the same, and one answers.
        (Ok(()), asked) if comm.rank() == 0 => tell(asked),
        (Ok(()), asked) => asked.map_or_else(|failure| failure.code(), |_| 0),
    }
}

/// From now on, somebody sees when this rank waits, and cleans up when it is asked to end.
fn watch(comm: &MpiComm, limit: Option<Duration>) -> Result<()> {
    let watch = Arc::clone(comm.watch());
    let watchdog = move || watch.run(limit, |why| ending::abort(1, why));
    let started = thread::Builder::new().name("watchdog".into()).spawn(watchdog).map(drop);
    started
        .and_then(|()| ending::discard_on_signals())
        .map_err(|error| Failure::new(format!("a thread cannot be started: {error}")))
}

/// Fails on all ranks where they were not started alike.
fn agree_on_start(comm: &MpiComm, arguments: &[OsString], asked: &Result<Asked>) -> Result<()> {
    let words: Vec<_> = arguments.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let version = env!("CARGO_PKG_VERSION");
    #[cfg(feature = "faults")]
    let version = faults::version(comm.rank(), version);
    let input = match asked {
        Ok(Asked::Work(cli)) => cli.input(),
        _ => None,
    };
    #[cfg(feature = "faults")]
    let input = faults::input(comm.rank(), input);
    let start = Start { version: version.into(), arguments: words.join(" "), input };
    Ok(start.agree(comm)?)
}

/// Runs the command on as many threads as this rank is to have.
fn work(comm: &MpiComm, launcher: Option<&Launcher>, cli: &Cli) -> Result<()> {
    #[cfg(feature = "faults")]
    faults::early_return(comm.rank())?;
    let (ranks_on_node, rank_on_node) = comm.on_node();
    let share = threads::Share::of(&threads::Node {
        asked: cli.threads(),
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
    let mut out = anstream::stdout();
    cli.run(&job, (comm.rank() == 0).then_some(&mut out as &mut dyn Write))
}
