//! Options without an effect on a command are refused, because a user would believe in one.

use std::fs;

use crate::common::{json_of, run};

#[test]
fn options_without_an_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.el"), "0 1\n1 2\n").unwrap();
    let generated = "this is generated, not read from a file";
    for (arguments, expected) in [
        ("bfs path:n=3 --ids names", generated),
        ("bfs path:n=3 --format mtx", generated),
        ("spmv path:n=3 --edge-columns 1,2", generated),
        ("info a.el --header no", "the format el has no header"),
        ("info a.el --edge-columns 2,1", "the format el has no columns"),
        ("info a.el --ids names", "the format el has no names to read"),
        ("color path:n=3 --switch-sweep 1 -o a.csv", "cannot be used with"),
        ("color path:n=3 --switch-sweep 1 --trace a.csv", "cannot be used with"),
        ("color path:n=3 --switch-sweep 1 --active-degrees a.csv", "cannot be used with"),
        ("color path:n=3 --switch-sweep 1 --switch stall", "cannot be used with"),
        ("color path:n=3 --switch-sweep 1 --strategy greedy", "runs the strategy hybrid"),
        ("paths path:n=3 --within 1 --random-sources 2", "cannot be used with"),
        ("explain path:n=3 --algorithm spmv --source 1", "--algorithm spmv starts from no vertex"),
        ("explain path:n=3 --algorithm color --random-sources 1", "starts from no vertex"),
        ("apsp path:n=3 --searches-at-once 0", "`searches-at-once` is 0"),
    ] {
        let output = run(folder.path(), &format!("{arguments} --quiet"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments}");
        assert!(errors.contains(expected), "{arguments} should say {expected:?}: {errors}");
    }
    let sweep = run(folder.path(), "color path:n=3 --switch-sweep 1 --strategy hybrid");
    assert!(sweep.status.success());
}

#[test]
fn errors_about_negative_numbers_contain_the_range() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        ("pagerank path:n=3 --tolerance -1", "`tolerance` is -1: 0 or more is possible"),
        ("paths path:n=3 --within -0.5", "`within` is -0.5: 0 or more is possible"),
        ("bfs path:n=3 --source -1", "vertex -1 does not exist: the ids go from 0 to 2"),
        ("bfs path:n=3 --repeat -1", "expected a whole number from 1 to 10000"),
        ("bfs path:n=3 --memory-limit -1", "expected a number of bytes"),
    ] {
        let output = run(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{arguments} should say {expected:?}: {errors}");
    }
}

/// The largest number has 309 digits, the smallest 324 after the point.
#[test]
fn no_number_fills_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let head = "# equipoise vertices=3 first-id=0 undirected weights=f64\n";
    fs::write(folder.path().join("large.edges"), format!("{head}0 1 1.5e308\n1 2 1e-320\n"))
        .unwrap();
    fs::write(folder.path().join("negative.edges"), format!("{head}0 1 -1.5e308\n1 2 1.0\n"))
        .unwrap();
    for arguments in [
        "info large.edges",
        "mst large.edges",
        "spmv large.edges --precision f64",
        "spmm large.edges --precision f64",
        "apsp large.edges --path 0,2",
        "sssp large.edges --source 0 --target 1",
        "betweenness large.edges --weighted",
        "convert large.edges -o large.gr",
        "spmv large.edges",
        "sssp negative.edges",
        "apsp negative.edges",
        "pagerank negative.edges",
        "communities negative.edges",
        "paths odd.edges --weighted",
    ] {
        let output = run(folder.path(), arguments);
        let both = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&both);
        let longest = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let longest = longest.map(str::len).max().unwrap_or(0);
        assert!(longest <= 24, "{arguments}: {text}");
    }
}

#[test]
fn infinities_differ_from_missing_values() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# equipoise vertices=2 first-id=0 undirected weights=f32\n0 1 inf\n";
    fs::write(folder.path().join("a.edges"), text).unwrap();
    let mst = json_of(folder.path(), "mst a.edges");
    assert_eq!(mst["total"], "Infinity");
    let within = |arguments: &str| {
        json_of(folder.path(), &format!("paths path:n=3 {arguments}"))["options"]["within"].clone()
    };
    assert_eq!((within("--within inf"), within("--within 1")), ("Infinity".into(), 1.0.into()));
    assert!(within("").is_null());
}
