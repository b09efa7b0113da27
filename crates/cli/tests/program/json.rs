//! JSON documents are the only standard output and have their documented keys.

use crate::common::json_of;
use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort();
    keys
}

const RUNS: [&str; 7] =
    ["count", "max_seconds", "median_seconds", "method", "min_seconds", "verification", "warm_up"];

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn searches_report_their_result() {
    let bfs = json_of(folder().path(), "bfs star:n=5 --source 1 --repeat 2");
    assert_eq!(
        keys(&bfs),
        ["command", "device", "graph", "options", "searches", "strategy", "threads"]
    );
    assert_eq!((&bfs["command"], &bfs["device"]), (&"bfs".into(), &"cpu".into()));
    assert_eq!(bfs["graph"]["directed_edges"], 8);
    let search = &bfs["searches"][0];
    assert_eq!(
        keys(search),
        ["complete", "depth", "edges", "reached", "runs", "source", "trace", "traversed_edges"]
    );
    assert_eq!((&search["source"], &search["reached"]), (&1.into(), &5.into()));
    assert_eq!((&search["depth"], &search["traversed_edges"]), (&2.into(), &4.into()));
    assert_eq!(keys(&search["runs"]), RUNS);
    assert_eq!(search["runs"]["count"], 2);
    assert_eq!(search["runs"]["verification"]["verdict"], "proved");
    assert!(search["runs"]["median_seconds"]["kernel"].as_f64().unwrap() > 0.0);
    assert_eq!(
        keys(&search["trace"]["steps"][0]),
        ["edges", "found", "frontier", "index", "seconds", "strategy", "sub_steps"]
    );
}

#[test]
fn targets_have_a_path_in_the_ids_of_the_input() {
    let sssp = json_of(folder().path(), "sssp path:n=4,weights=5..5 --source 0 --target 2");
    let target = &sssp["searches"][0]["target"];
    assert_eq!(*target, serde_json::json!({"id": 2, "distance": 10.0, "path": [0, 1, 2]}));
    let bfs = json_of(folder().path(), "bfs isolated:n=3 --source 0 --target 2");
    let target = &bfs["searches"][0]["target"];
    assert_eq!(*target, serde_json::json!({"id": 2, "distance": null, "path": null}));
    assert!(bfs["searches"][0]["traversed_edges"].is_null(), "the search may have stopped early");
}

#[test]
fn all_pairs_and_colors() {
    let apsp = json_of(folder().path(), "apsp components:n=2");
    assert_eq!(apsp["reachable_pairs"], 8);
    assert_eq!(apsp["distance_type"], "u32");
    assert!(apsp["reason"].as_str().unwrap().contains("Floyd-Warshall takes"));
    let apsp = json_of(folder().path(), "apsp path:n=3 --path 0,2");
    let path = serde_json::json!([{"source": 0, "target": 2, "distance": 2.0, "path": [0, 1, 2]}]);
    assert_eq!(apsp["paths"], path);
    assert_eq!(keys(&apsp["runs"]), RUNS);
    let color = json_of(folder().path(), "color complete:n=4 --no-validate");
    assert_eq!(color["colors"], 4);
    assert_eq!(color["runs"]["verification"]["verdict"], "off");
}

#[test]
fn products() {
    let spmv = json_of(folder().path(), "spmv star:n=4 --device cpu");
    assert_eq!((&spmv["sum"], &spmv["matrix"]["entries"]), (&6.0.into(), &6.into()));
    let spmm = json_of(folder().path(), "spmm star:n=4 --columns 3 --precision f64 --device cpu");
    assert_eq!((&spmm["sum"], &spmm["precision"]), (&18.0.into(), &"f64".into()));
    let spgemm = json_of(folder().path(), "spgemm star:n=4 --device cpu");
    assert_eq!((&spgemm["entries"], &spgemm["multiplications"]), (&10.into(), &12.into()));
    assert!(spgemm["second"].is_null());
    let mttkrp =
        json_of(folder().path(), "mttkrp tensor:i=4,j=3,k=2,nonzeros=9 --mode 2 --device cpu");
    assert_eq!(mttkrp["tensor"]["shape"], serde_json::json!([4, 3, 2]));
    assert_eq!((&mttkrp["tensor"]["nonzeros"], &mttkrp["rank"]), (&9.into(), &16.into()));
    let verification = &mttkrp["runs"]["verification"];
    assert_eq!((&mttkrp["mode"], &verification["verdict"]), (&"2".into(), &"proved".into()));
    assert_eq!(keys(verification), ["seconds", "verdict", "what"]);
}

#[test]
fn a_self_test_reports_each_check() {
    let test = json_of(folder().path(), "self-test --device cpu --suite spmv");
    assert_eq!(
        keys(&test),
        ["checks", "command", "device", "failed", "large", "model", "seconds", "suites"]
    );
    // Three schedules on six shapes in two precisions.
    assert_eq!((&test["checks"], &test["failed"]), (&36.into(), &0.into()));
    let suite = &test["suites"][0];
    assert_eq!(keys(suite), ["cells", "checks", "failed", "name", "problems", "seconds"]);
    let cell = &suite["cells"][0];
    assert_eq!((&cell["subject"], &cell["input"]), (&"auto".into(), &"empty".into()));
}

#[test]
fn statistics_files_and_devices() {
    let folder = folder();
    let info = json_of(folder.path(), "info star:n=5");
    assert_eq!(info["statistics"]["out_degrees"]["max"], 4);
    let generated = json_of(folder.path(), "generate star:n=5 -o star.el");
    assert_eq!((&generated["vertices"], &generated["directed_edges"]), (&5.into(), &8.into()));
    let converted = json_of(folder.path(), "convert star.el star.mtx");
    assert_eq!((&converted["format"], &converted["renumbered"]), (&"mtx".into(), &true.into()));
    let devices = json_of(folder.path(), "devices");
    assert_eq!(devices[0]["name"], "cpu");
    let names: Vec<_> = devices.as_array().unwrap().iter().map(|device| &device["name"]).collect();
    assert!(names.contains(&&"cuda".into()) && names.contains(&&"wgpu".into()), "{names:?}");
}
