//! A signal ends the program with the exit code of a shell, and measuring can resume its table.
#![cfg(unix)]

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::common::{LAB, json_of};

#[test]
fn a_measurement_that_is_terminated_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.txt"), "a er er:n=3000,m=9000\n").unwrap();
    let measure = "measure suite.txt --device cpu --repeat 1 -o table.csv --random-sources";
    let mut child = LAB
        .command(folder.path())
        .args(format!("{measure} 2900 -q").split_whitespace())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let table = folder.path().join("table.csv");
    let (start, lines) =
        (Instant::now(), || fs::read_to_string(&table).map_or(0, |it| it.lines().count()));
    while lines() < 100 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was measured");
        assert!(child.try_wait().unwrap().is_none(), "the program ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let resumed = json_of(folder.path(), &format!("{measure} 1"));
    assert_eq!((&resumed["measured"], resumed["runs"].as_u64() > Some(1)), (&0.into(), true));
}
