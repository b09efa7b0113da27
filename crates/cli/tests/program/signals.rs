//! Signals end the program at once, with the exit code of a shell, and leave no file behind.
#![cfg(unix)]

use std::{
    fs,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::common::equipoise;

/// Searches that take minutes. While they run, the file exists under a temporary name.
const SEARCHES: &str = "bfs er:n=3000,m=9000 --random-sources 2900 --repeat 1000 -q -o levels.tsv";

fn start(mut command: Command, folder: &Path, files: usize) -> Child {
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while fs::read_dir(folder).unwrap().count() == files {
        assert!(start.elapsed() < Duration::from_secs(60), "no file was created");
        assert!(child.try_wait().unwrap().is_none(), "the program ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn check_end(child: Child, code: i32) {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

fn searches(folder: &Path, device: &str) -> Command {
    let mut command = equipoise(folder);
    command.args(SEARCHES.split_whitespace()).args(["--device", device]);
    with_default_signals(&mut command);
    command
}

/// Restores the default effect of signals that a shell lets background processes ignore.
fn with_default_signals(command: &mut Command) {
    let restore = || {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // SAFETY: the default effect of a signal may be set at any time.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: `signal` may be called between fork and exec.
    unsafe { command.pre_exec(restore) };
}

#[test]
fn each_signal_has_its_exit_code() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let child = start(searches(folder.path(), "cpu"), folder.path(), 0);
        send(signal, &child);
        check_end(child, code);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{signal}");
    }
}

/// As `timeout` does.
#[test]
fn a_signal_that_is_sent_twice_still_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(searches(folder.path(), "cpu"), folder.path(), 0);
    let both = format!("kill -TERM {0}; kill -TERM {0} 2> /dev/null; true", child.id());
    assert!(Command::new("sh").args(["-c", &both]).status().unwrap().success());
    check_end(child, 143);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// As under `nohup`.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_equipoise");
    let ignoring = format!("trap '' HUP; exec {program} {SEARCHES} --device cpu");
    command.args(["-c", &ignoring]).current_dir(folder.path());
    let mut child = start(command, folder.path(), 0);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the signal had an effect");
    send("-TERM", &child);
    check_end(child, 143);
}

/// Threads of the driver run at that time.
#[cfg(feature = "wgpu")]
#[test]
fn a_signal_ends_a_run_on_a_gpu() {
    let folder = crate::gpu::folder_with_gpu();
    let files = fs::read_dir(folder.path()).unwrap().count();
    let child = start(searches(folder.path(), "wgpu"), folder.path(), files);
    std::thread::sleep(Duration::from_millis(500));
    send("-TERM", &child);
    check_end(child, 143);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files);
}
