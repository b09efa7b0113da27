//! Closed standard streams, as scripts and daemons may have them.

use std::{fs, process::Command};

use crate::common::equipoise;

/// An opened file gets the lowest free descriptor: text for a closed stream must not end up in a file of results.
#[test]
fn text_for_closed_streams_does_not_end_up_in_files() {
    for closed in ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let folder = tempfile::tempdir().unwrap();
        let program = equipoise(folder.path()).get_program().to_owned();
        let call =
            format!("exec \"$0\" bfs path:n=5 --source 0 --device cpu -o levels.tsv {closed}");
        let output = Command::new("sh")
            .args(["-c", &call])
            .arg(program)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{closed}: {output:?}");
        let levels = fs::read_to_string(folder.path().join("levels.tsv")).unwrap();
        assert_eq!(levels.lines().count(), 6, "{closed}: {levels}");
        assert!(levels.lines().all(|line| line.split('\t').count() == 3), "{closed}: {levels}");
    }
}
