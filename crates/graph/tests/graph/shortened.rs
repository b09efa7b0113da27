//! Files that are truncated while they are mapped.

use std::{env, fs::File, process::Command};

use equipoise_graph::{
    generate::Spec,
    io::{ReadOptions, read_graph, report_shortened_files, write_graph},
};

const CHILD: &str = "EQUIPOISE_TEST_SHORTENED";

/// The test runs itself as a subprocess: the process that reads the file must end.
#[test]
fn a_mapped_file_that_becomes_shorter_is_named() {
    if let Some(path) = env::var_os(CHILD) {
        report_shortened_files();
        let graph = read_graph(path.as_ref(), &ReadOptions::default()).unwrap();
        File::options().write(true).open(path).unwrap().set_len(4096).unwrap();
        let _ = graph.check();
        panic!("the file was read to its end");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.eqp");
    let spec: Spec = "er:n=20000,m=100000".parse().unwrap();
    write_graph(&spec.generate().unwrap(), &path, None).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["a_mapped_file_that_becomes_shorter_is_named", "--nocapture"])
        .env(CHILD, &path)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let message = format!("error: {}: the file became shorter while it was read", path.display());
    assert!(errors.contains(&message), "{errors}");
}
