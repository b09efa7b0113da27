//! Standard output that cannot be written, and names that are not UTF-8, for every command.

use std::fs;

use crate::{
    common::{Call, EQUIPOISE, equipoise, run, with_algorithms},
    shared::printing,
};

/// A short call of each command that prints and is not in the library's list.
const CALLS: &[Call] = &[
    ("spmv", "path:n=3"),
    ("spmm", "path:n=3"),
    ("spgemm", "path:n=3"),
    ("mttkrp", "tensor:i=9,j=8,k=7,nonzeros=20"),
    ("headline", "suite.txt --device cpu"),
    ("graphalytics", ". --device cpu"),
    ("info", "path:n=3"),
    ("generate", "path:n=3 -o out.el"),
    ("convert", "path:n=3 out.el"),
    ("explain", "path:n=3"),
    ("devices", ""),
    ("self-test", "--device cpu --suite sssp --size small --only dijkstra"),
    ("completions", "bash"),
];

/// Commands that print nothing.
const SILENT: &[&str] = &["man"];

fn calls() -> Vec<Call> {
    with_algorithms(CALLS, "path:n=3", "path:n=3")
}

fn folder_with_suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("suite.txt", "g er er:n=9,m=9\n");
    let lines =
        ["vertex-file = g.v", "edge-file = g.e", "directed = true", "algorithms = wcc, lcc"];
    put("g.properties", &lines.map(|line| format!("graph.g.{line}\n")).concat());
    put("g.v", "7\n8\n");
    put("g.e", "7 8\n");
    folder
}

#[test]
fn every_command_is_called() {
    printing::every_command_is_called(EQUIPOISE, &calls(), SILENT);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_command() {
    printing::a_full_disk_is_an_error(EQUIPOISE, folder_with_suite().path(), &calls());
}

#[test]
fn a_closed_pipe_is_no_error() {
    printing::a_closed_pipe_is_no_error(EQUIPOISE, folder_with_suite().path(), &calls());
}

/// A page is either whole or the old one.
#[cfg(target_os = "linux")]
#[test]
fn manual_pages_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("pages")).unwrap();
    fs::write(folder.path().join("pages/equipoise-bfs.1"), "old").unwrap();
    // A limit of one block per file makes writing fail like a full disk.
    let call = format!("ulimit -f 1; exec {} man pages", env!("CARGO_BIN_EXE_equipoise"));
    let output = std::process::Command::new("sh")
        .args(["-c", &call])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for page in fs::read_dir(folder.path().join("pages")).unwrap() {
        let text = fs::read_to_string(page.unwrap().path()).unwrap();
        assert!(text == "old" || text.ends_with('\n') && text.len() > 200, "{text:?}");
    }
}

/// File names are arbitrary bytes.
#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_utf8() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let folder = tempfile::tempdir().unwrap();
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let (graph, matrix, rows) = (name(b"a\xff.el"), name(b"a\xff.mtx"), name(b"r\xff.csv"));
    fs::write(folder.path().join(graph), "0 1\n1 2\n").unwrap();
    let text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 1 3\n";
    fs::write(folder.path().join(matrix), text).unwrap();
    let done = |words: &[&OsStr]| {
        let output = equipoise(folder.path()).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        output.stdout
    };
    for command in ["bfs", "sssp", "apsp", "color"] {
        let json = done(&[name(command.as_bytes()), graph, name(b"--json"), name(b"-o"), rows]);
        assert!(serde_json::from_slice::<serde_json::Value>(&json).is_ok(), "{command}");
        assert!(folder.path().join(rows).exists(), "{command}");
        fs::remove_file(folder.path().join(rows)).unwrap();
    }
    for command in ["spmv", "spmm", "spgemm"] {
        done(&[name(command.as_bytes()), matrix, name(b"--json"), name(b"--csv"), rows]);
    }
    let tensor = name(b"a\xff.tns");
    fs::write(folder.path().join(tensor), "1 1 1 0.5\n").unwrap();
    done(&[name(b"mttkrp"), tensor, name(b"--json")]);
    done(&[name(b"info"), graph]);
    done(&[name(b"explain"), graph]);
    done(&[name(b"convert"), graph, name(b"b\xff.eqp"), name(b"--json")]);
    done(&[name(b"generate"), name(b"path:n=3"), name(b"-o"), name(b"c\xff.el"), name(b"--json")]);
    done(&[name(b"man"), name(b"pages\xff")]);
    let missing =
        equipoise(folder.path()).args([name(b"bfs"), name(b"z\xff.el")]).output().unwrap();
    assert_eq!(missing.status.code(), Some(1), "{missing:?}");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no such file"));
    let other = run(folder.path(), "bfs path:n=3 --device nowhere");
    assert_eq!(other.status.code(), Some(2));
}
