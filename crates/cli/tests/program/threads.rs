//! The number of threads: as requested, within limits, and as many as the system starts.

use std::process::Command;

use crate::common::{equipoise, json_of, run};

#[test]
fn more_threads_than_help_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for number in ["0", "1025", "5000", "100000", "4294967295", "-1"] {
        let output = run(folder.path(), &format!("bfs path:n=3 --threads={number}"));
        assert_eq!(output.status.code(), Some(2), "{number}: {output:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("from 1 to 1024"), "{number}: {errors}");
    }
    let threads = |arguments: &str| json_of(folder.path(), arguments)["threads"].clone();
    assert_eq!(threads("bfs path:n=3 --device cpu --threads 7"), 7);
}

#[test]
fn the_environment_has_the_same_limits() {
    let folder = tempfile::tempdir().unwrap();
    let bfs = |value: &str| {
        let mut command = equipoise(folder.path());
        command.args(["bfs", "path:n=3", "--device", "cpu", "--json"]);
        command.env("RAYON_NUM_THREADS", value).output().unwrap()
    };
    for value in ["1025", "30000", "-1", "many", "1e3"] {
        let output = bfs(value);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{value}: {errors}");
        assert!(errors.contains(&format!("RAYON_NUM_THREADS={value}: ")), "{value}: {errors}");
    }
    let document: serde_json::Value = serde_json::from_slice(&bfs("3").stdout).unwrap();
    assert_eq!(document["threads"], 3);
    for value in ["", "0"] {
        assert!(bfs(value).status.success(), "{value}");
    }
}

/// Every command continues with the threads that started, and warns.
#[cfg(target_os = "linux")]
#[test]
fn fewer_threads_suffice_if_no_more_start() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_equipoise");
    // The program needs about 300 MB of addresses; each thread 2 MB.
    let limited = |kilobytes: u32, arguments: &str| {
        let call = format!("ulimit -v {kilobytes}; exec {program} {arguments}");
        Command::new("sh").args(["-c", &call]).current_dir(folder.path()).output().unwrap()
    };
    let call = "bfs path:n=9 --device cpu --threads 1024 --json";
    let output = limited(1_200_000, call);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("warning: not all of 1024 threads can be started: "), "{errors}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let threads = document["threads"].as_u64().unwrap();
    assert!((1..1024).contains(&threads), "{threads}");
    for arguments in ["info path:n=9", "color path:n=9 --device cpu", "generate path:n=9 -o x.el"] {
        let output = limited(1_200_000, &format!("{arguments} --threads 1024"));
        assert!(output.status.success(), "{arguments}: {output:?}");
    }
}
