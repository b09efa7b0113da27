//! The program under `mpirun`: equal results on any number of ranks, and a failure of a rank ends all. `EQUIPOISE_FAULT`
//! (`src/faults.rs`) makes ranks fail; each job has a time limit (`common`).
#![cfg(feature = "faults")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod common;

use std::{fs, path::Path, process::Command, time::Instant};

use common::{Ended, has_mpi, is_open_mpi, job, mpirun, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_equipoise-mpi");

/// A job of the program with these arguments.
fn program(ranks: usize, arguments: &str) -> Command {
    let mut command = job(&mpirun(), ranks, PROGRAM);
    command.args(arguments.split(' '));
    command
}

/// A job in which a rank fails.
fn faulty(fault: &str, arguments: &str) -> Ended {
    run(program(3, arguments).env("EQUIPOISE_FAULT", fault)).failed()
}

/// The output file of a job.
fn written(ranks: usize, round: &str, arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.tsv");
    let arguments = format!("{arguments} -q -o {}", path.display());
    run(program(ranks, &arguments).env("EQUIPOISE_ROUND", round)).succeeded();
    fs::read_to_string(path).unwrap()
}

/// The first two columns; the third may be any valid parent.
fn compared(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split('\t').take(2).collect()).collect()
}

#[test]
fn results_do_not_depend_on_the_number_of_ranks() {
    if !has_mpi() {
        return;
    }
    for command in ["bfs rmat:scale=9", "components er:n=500,m=450", "pagerank rmat:scale=8"] {
        let alone = written(1, "1000000", command);
        assert!(alone.lines().count() > 200, "{alone}");
        for (ranks, round) in [(2, "1000000"), (3, "100")] {
            let together = written(ranks, round, command);
            assert_eq!(compared(&together), compared(&alone), "{command} on {ranks} ranks");
        }
    }
}

#[test]
fn one_rank_prints() {
    if !has_mpi() {
        return;
    }
    let ended = run(&mut program(3, "bfs star:n=50")).succeeded();
    assert_eq!(ended.out.matches("reached    50 of 50 vertices").count(), 1, "{}", ended.out);
    assert!(ended.out.contains("device     cpu, 3 ranks of "), "{}", ended.out);
    let help = run(&mut program(2, "--help")).succeeded();
    assert_eq!(help.out.matches("Usage:").count(), 1, "{}", help.out);
    let version = Command::new(PROGRAM).arg("--version").output().unwrap();
    assert!(version.stdout.starts_with(b"equipoise-mpi "), "that needs no launcher");
}

#[test]
fn a_failure_of_all_ranks_is_printed_once_and_has_its_code() {
    if !has_mpi() {
        return;
    }
    let ended = run(&mut program(3, "bfs no-such-file.gr")).failed();
    assert_eq!(ended.err.matches("no-such-file.gr: ").count(), 1, "{}", ended.err);
    assert_eq!(ended.status.code(), Some(1));
    let ended = run(&mut program(2, "bfs path:n=3 --no-such-option")).failed();
    assert_eq!(ended.err.matches("unexpected argument").count(), 1, "{}", ended.err);
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn a_rank_that_panics_ends_the_job_with_its_message() {
    if !has_mpi() {
        return;
    }
    for (fault, message) in [
        ("panic:1:running", "rank 1 panicked: "),
        ("panic:0:building", "rank 0 panicked: "),
        ("panic-in-thread:2:verifying", "rank 2 panicked: "),
    ] {
        let ended = faulty(fault, "bfs path:n=30");
        assert!(
            ended.err.contains(message) && ended.err.contains("as the test wants"),
            "{fault}: {}",
            ended.err
        );
        assert!(!ended.out.contains("verified"), "{}", ended.out);
    }
}

#[test]
fn a_rank_that_returns_early_ends_the_job_with_its_message() {
    if !has_mpi() {
        return;
    }
    let ended = faulty("return:2", "bfs path:n=30");
    assert!(ended.err.contains("rank 2: an error, as the test wants"), "{}", ended.err);
}

#[test]
fn ranks_with_other_arguments_are_named() {
    if !has_mpi() {
        return;
    }
    let ended = faulty("version:2", "bfs path:n=30");
    let version = env!("CARGO_PKG_VERSION");
    let message =
        format!("the ranks disagree: the version is `{version}` on rank 0 and `0.0.0` on rank 2");
    assert!(ended.err.contains(&message), "{}", ended.err);
    let ended = faulty("input:1", "bfs path:n=30");
    assert!(
        ended.err.contains("the ranks disagree: the input is ") && ended.err.contains("on rank 1"),
        "{}",
        ended.err
    );
    let mut other = program(1, "bfs path:n=30");
    other.args([":", "-n", "1", PROGRAM, "bfs", "path:n=31"]);
    let ended = run(&mut other).failed();
    let message = "the command line is `bfs path:n=30` on rank 0 and `bfs path:n=31` on rank 1";
    assert!(ended.err.contains(message), "{}", ended.err);
}

#[test]
fn a_launcher_of_another_mpi_is_refused() {
    if !has_mpi() {
        return;
    }
    let other = if is_open_mpi(&mpirun()) { "mpirun.mpich" } else { "mpirun.openmpi" };
    if Command::new(other).arg("--version").output().is_err() {
        eprintln!("SKIPPED: `{other}`, the launcher of another MPI, is not installed");
        return;
    }
    let ended = run(job(other, 3, PROGRAM).args(["bfs", "path:n=30"])).failed();
    assert!(ended.err.contains("but MPI sees one rank alone"), "{}", ended.err);
    assert!(!ended.out.contains("reached"), "{}", ended.out);
}

#[test]
fn a_rank_that_waits_too_long_reports_and_ends_the_job() {
    if !has_mpi() {
        return;
    }
    let start = Instant::now();
    let ended = faulty("sleep:1:running", "bfs path:n=30 --wait-limit 2");
    assert!(start.elapsed().as_secs() < 30);
    let message = "s for other ranks at `running`, in barrier ";
    assert!(
        ended.err.contains(message) && ended.err.contains("--wait-limit ends the job"),
        "{}",
        ended.err
    );
    assert!(!ended.err.contains("rank 1 has waited"), "{}", ended.err);
}

#[test]
fn a_file_is_whole_or_absent() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = || {
        fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect::<Vec<_>>()
    };
    let path = folder.path().join("levels.tsv");
    fs::write(&path, "old content").unwrap();
    for fault in ["exit:1:writing", "panic:2:writing", "panic:0:writing"] {
        faulty(fault, &format!("bfs path:n=300 -o {}", path.display()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old content", "{fault}");
    }
    fs::remove_file(&path).unwrap();
    let parts = folder.path().join("parts");
    faulty("exit:2:writing", &format!("bfs path:n=300 --parts {}", parts.display()));
    assert!(!parts.join("manifest.json").exists(), "{:?}", files());
    assert!(!Path::new(&path).exists());
}

#[test]
fn ranks_that_open_mpi_binds_to_a_core_are_warned_about() {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if !has_mpi() || !is_open_mpi(&mpirun()) || cores < 2 {
        return;
    }
    let mut command = Command::new(mpirun());
    command.args([
        "--allow-run-as-root",
        "--bind-to",
        "core",
        "-n",
        "1",
        PROGRAM,
        "bfs",
        "path:n=3",
    ]);
    let ended = run(&mut command).succeeded();
    assert!(ended.err.contains("--bind-to none --mca mpi_yield_when_idle 1"), "{}", ended.err);
    let ended = run(&mut program(1, "bfs path:n=3")).succeeded();
    assert!(!ended.err.contains("--bind-to none"), "{}", ended.err);
}
