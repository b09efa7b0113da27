//! `equipoise headline`: its table.

use std::fs;

use crate::common::{run, stdout_of};

#[test]
fn the_headline_has_a_time_for_each_graph_and_algorithm() {
    let folder = tempfile::tempdir().unwrap();
    let suite = "rmat rmat rmat:scale=6,weights=1..9\nstar star star:n=40\n";
    fs::write(folder.path().join("suite.txt"), suite).unwrap();
    let table = stdout_of(folder.path(), "headline suite.txt --device cpu");
    for graph in ["rmat", "star"] {
        for algorithm in ["bfs", "sssp", "color", "spmv"] {
            let row = table.lines().find(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.starts_with(&[graph, algorithm])
            });
            let units = row.map(|row| {
                let is_unit = |word: &&str| ["ns", "µs", "ms", "s"].contains(word);
                row.split_whitespace().filter(is_unit).count()
            });
            assert_eq!(units, Some(2), "{graph}, {algorithm}: {table}");
        }
    }
    for arguments in ["headline suite.txt --sections spmv", "headline --data . --device cpu"] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    }
    let error = run(folder.path(), "headline nowhere.txt");
    assert_eq!(error.status.code(), Some(1), "{error:?}");
    assert!(String::from_utf8_lossy(&error.stderr).contains("nowhere.txt"), "{error:?}");
}
