//! Searches that stop early say so, and omit vertices whose result is not final.

use std::fs;

use crate::common::{json_of, run, stdout_of};

const SEARCHES: [&str; 4] = [
    "sssp path:n=9,weights=2..2 --source 2 --target 4",
    "sssp path:n=9,weights=2..2 --source 2 --target 4 --strategy dijkstra --device cpu",
    "bfs path:n=9 --source 2 --target 4",
    "bfs path:n=9 --source 2 --max-depth 2",
];

#[test]
fn a_search_that_stops_early_says_so_in_all_outputs() {
    let folder = tempfile::tempdir().unwrap();
    for search in SEARCHES {
        let text = stdout_of(folder.path(), &format!("{search} -o found.csv"));
        assert!(text.contains("\nstopped    early"), "{search}: {text}");
        let result = &json_of(folder.path(), search)["searches"][0];
        assert_eq!(
            (&result["complete"], &result["reached"]),
            (&false.into(), &5.into()),
            "{search}"
        );
        let rows = fs::read_to_string(folder.path().join("found.csv")).unwrap();
        let vertices: Vec<&str> = rows.lines().skip(1).map(|row| &row[..1]).collect();
        assert_eq!(vertices, ["0", "1", "2", "3", "4"], "{search}: {rows}");
        let output = run(folder.path(), &format!("{search} -o found.npy"));
        assert_eq!(output.status.code(), Some(2), "{search}: an array cannot omit vertices");
    }
}

#[test]
fn a_search_that_reaches_everything_is_complete_despite_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("apart.el"), "0 1\n1 2\n3 4\n").unwrap();
    for search in [
        "sssp path:n=3 --source 0 --target 2",
        "bfs path:n=3 --source 0 --target 2",
        "bfs path:n=3 --source 0 --max-depth 7",
        "bfs apart.el --undirected --source 0 --target 4",
        "sssp apart.el --undirected --source 0 --target 4",
        "bfs path:n=3 --source 0",
    ] {
        let text = stdout_of(folder.path(), &format!("{search} -o found.csv"));
        assert!(!text.contains("\nstopped"), "{search}: {text}");
        assert_eq!(json_of(folder.path(), search)["searches"][0]["complete"], true, "{search}");
        let rows = fs::read_to_string(folder.path().join("found.csv")).unwrap();
        assert!(rows.lines().count() >= 4, "{search}: {rows}");
    }
}

/// Beyond the depth, a path may exist.
#[test]
fn a_target_beyond_the_depth_is_not_called_unreachable() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout_of(folder.path(), "bfs path:n=9 --source 0 --target 8 --max-depth 2");
    assert!(text.contains("target     8 is farther away, if it can be reached"), "{text}");
    let two = stdout_of(folder.path(), "bfs path:n=9 --source 0 --source 8 --max-depth 2");
    assert!(two.contains("stopped    2 of 2 early"), "{two}");
}
