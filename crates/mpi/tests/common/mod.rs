//! Jobs of several ranks, each under a time limit.
// Each test program uses only some of them.
#![allow(dead_code)]

use std::{
    env,
    ffi::OsStr,
    io::{Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// The time limit of a job: a hang must not hang the tests.
const LIMIT: Duration = Duration::from_secs(60);

/// A job that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The status of `mpirun`.
    pub status: ExitStatus,
    /// Standard output of all ranks.
    pub out: String,
    /// Standard error of all ranks.
    pub err: String,
}

impl Ended {
    /// Panics with the output if the job failed.
    pub fn succeeded(self) -> Self {
        assert!(self.status.success(), "{}\n{}\n{}", self.status, self.out, self.err);
        self
    }

    /// Panics with the output if the job succeeded.
    pub fn failed(self) -> Self {
        assert!(!self.status.success(), "{}\n{}", self.out, self.err);
        self
    }
}

/// The launcher of the MPI that this was compiled with: `EQUIPOISE_MPIRUN`, or `mpirun`.
pub fn mpirun() -> String {
    env::var("EQUIPOISE_MPIRUN").unwrap_or_else(|_| "mpirun".into())
}

/// A job of ranks of `program`; the caller adds arguments and variables.
pub fn job(mpirun: &str, ranks: usize, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(mpirun);
    if is_open_mpi(mpirun) {
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
        command.args(["--mca", "mpi_yield_when_idle", "1"]);
    }
    command.arg("-n").arg(ranks.to_string()).arg(program);
    command
}

/// Whether a launcher is Open MPI's.
pub fn is_open_mpi(mpirun: &str) -> bool {
    let version = Command::new(mpirun).arg("--version").output().expect("mpirun is installed");
    String::from_utf8_lossy(&version.stdout).contains("Open MPI")
        || String::from_utf8_lossy(&version.stdout).contains("OpenRTE")
}

/// Runs a job to its end. Panics after the time limit.
pub fn run(command: &mut Command) -> Ended {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mpirun can be started");
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > LIMIT {
            end(&mut child);
            panic!("no end after {LIMIT:?}: {command:?}\n{}\n{}", text(&out), text(&err));
        }
        thread::sleep(Duration::from_millis(20));
    };
    Ended { status, out: text(&out), err: text(&err) }
}

/// `mpirun` ends its ranks on SIGTERM, which `kill` sends, but not on SIGKILL.
fn end(child: &mut Child) {
    let _ = Command::new("kill").arg(child.id().to_string()).status();
    thread::sleep(Duration::from_secs(2));
    let _ = child.kill();
    let _ = child.wait();
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

fn text(pipe: &mpsc::Receiver<String>) -> String {
    pipe.recv_timeout(Duration::from_secs(5)).unwrap_or_default()
}

/// Whether MPI is installed; otherwise prints that tests are skipped.
pub fn has_mpi() -> bool {
    let is_installed = Command::new(mpirun()).arg("--version").output().is_ok();
    if !is_installed {
        let _ = writeln!(std::io::stderr(), "SKIPPED: `{}` cannot be started", mpirun());
    }
    is_installed
}
