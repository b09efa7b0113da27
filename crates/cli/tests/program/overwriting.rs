//! Inputs are not overwritten, and no file is written twice. `command_line.rs` tests all pairs of arguments; these are typical
//! commands.

use std::fs;

use crate::{
    common::{EQUIPOISE, run, stdout_of},
    shared::outputs::calls_are_refused,
};

const EDGES: &str = "0 1\n1 2\n2 0\n";
const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 1 3\n";

#[test]
fn an_output_that_is_an_input_is_refused() {
    let files = [("in.txt", EDGES), ("a.mtx", MATRIX), ("b.mtx", MATRIX), ("model.json", "{}")];
    let calls = [
        "bfs in.txt -o in.txt",
        "bfs in.txt -o ./in.txt",
        "sssp in.txt --trace in.txt",
        "color in.txt --active-degrees in.txt",
        "convert in.txt in.txt",
        "spgemm a.mtx -o a.mtx",
        "spgemm a.mtx b.mtx -o b.mtx",
        "spmv a.mtx --csv a.mtx",
        "spmv a.mtx --model model.json -o model.json",
        "bfs in.txt -o x.csv --trace x.csv",
        "bfs in.txt -o x.csv --trace ./x.csv",
    ];
    calls_are_refused(EQUIPOISE, &files, &calls);
}

/// A pipe or a device loses nothing.
#[cfg(unix)]
#[test]
fn devices_may_be_named_twice() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), EDGES).unwrap();
    let twice = "color in.txt -q -o /dev/stdout --active-degrees /dev/stdout";
    let printed = stdout_of(folder.path(), twice);
    assert!(printed.contains("vertex\tcolor\n") && printed.contains("iteration\t"), "{printed}");
    stdout_of(folder.path(), "color in.txt -o /dev/null --active-degrees /dev/null");
    // Two inputs may be one file, and a file that is appended to is read first.
    fs::write(folder.path().join("a.mtx"), MATRIX).unwrap();
    for _ in 0..2 {
        stdout_of(folder.path(), "spgemm a.mtx a.mtx --csv times.csv");
    }
    let times = fs::read_to_string(folder.path().join("times.csv")).unwrap();
    assert_eq!(times.lines().count(), 3, "{times}");
}

#[test]
fn rows_are_not_appended_to_a_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let times = folder.path().join("times.csv");
    fs::write(&times, "kernel,dataset,rows,cols,nnzs,seconds\nmerge-path,a,1").unwrap();
    stdout_of(folder.path(), "spmv path:n=3 --csv times.csv");
    let lines = fs::read_to_string(&times).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines.len(), lines[1]), (3, "merge-path,a,1"), "{lines:?}");
    assert_eq!(lines[2].split(',').count(), 6, "{lines:?}");
    // A table with other columns is refused.
    fs::write(&times, "kernel,dataset,rows,cols,nnzs,elapsed\n").unwrap();
    let error = run(folder.path(), "spmv path:n=3 --csv times.csv");
    let error = String::from_utf8_lossy(&error.stderr);
    assert!(error.contains("its columns are `kernel,dataset,rows,cols,nnzs,elapsed`"), "{error}");
}
