//! `equipoise-lab bench`: its page, its files, and its regressions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::common::{failure_of, repository, stdout_of};

/// A folder with a suite of two small graphs.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite =
        "# two of them\nrmat rmat rmat:scale=6,weights=1..9\nstar star star:n=40 # a star\n";
    fs::write(folder.path().join("suite.txt"), suite).unwrap();
    folder
}

/// A model that switches strategies once half of the vertices are discovered.
const MODEL: &str = r#"{
  "format": "equipoise-model", "version": 1, "algorithm": "bfs", "device": "gpu",
  "features": ["discovered_relative"], "candidates": ["node", "edge-topology+cube"],
  "first": "node", "trained_on": [], "notes": [],
  "nodes": [
    {"feature": "discovered_relative", "threshold": 0.5, "left": 1, "right": 2},
    {"candidate": "node", "share": 1.0, "ambiguous": false, "samples": 9,
     "ranking": ["node", "edge-topology+cube"]},
    {"candidate": "edge-topology+cube", "share": 1.0, "ambiguous": false, "samples": 9,
     "ranking": ["edge-topology+cube", "node"]}
  ]
}"#;

fn tiny_suite() -> PathBuf {
    repository().join("suites/tiny.txt")
}

fn results(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The charts of a page, in their order.
fn charts(page: &Path) -> Vec<String> {
    let page = fs::read_to_string(page).unwrap();
    let ids = page.split("data-chart=\"").skip(1).filter_map(|rest| rest.split('"').next());
    // Charts in the script of the page have no name yet.
    ids.filter(|id| !id.is_empty() && !id.contains('$')).map(str::to_owned).collect()
}

#[test]
fn the_cpu_measures_what_it_supports_and_lists_the_rest() {
    let folder = folder();
    let text = stdout_of(
        folder.path(),
        "bench suite.txt --device cpu --repeat 1 --report out.html --results copy.json",
    );
    assert!(text.contains("; each result verified, by samples all pairs "), "{text}");
    assert!(text.contains("left out   chunking, three-bfs, sssp-over-cpu, coarsening"), "{text}");
    for algorithm in ["bfs", "sssp", "spmv", "color", "apsp"] {
        let rows = text.lines().filter(|line| line.starts_with(&format!(" {algorithm} "))).count();
        assert_eq!(rows, 2, "{algorithm}: {text}");
    }
    let charts = charts(&folder.path().join("out.html"));
    for chart in ["bfs-strategies", "sssp-strategies", "splitting", "spmv-landscape", "bfs-levels"]
    {
        assert!(charts.contains(&chart.to_owned()), "{chart}: {charts:?}");
    }
    for chart in ["coloring-times", "degrees", "active-degrees", "switch-time", "colored", "apsp"] {
        assert!(charts.contains(&chart.to_owned()), "{chart}: {charts:?}");
    }
    assert!(!charts.contains(&"chunking".to_owned()), "{charts:?}");
    let results = results(&folder.path().join("out.json"));
    assert!(results["facts"].to_string().contains("left out"), "{}", results["facts"]);
    assert!(results.get("refusals").is_none(), "{}", results["refusals"]);
    let copy = fs::read(folder.path().join("copy.json")).unwrap();
    assert_eq!(copy, fs::read(folder.path().join("out.json")).unwrap());
    let table = folder.path().join("out-tables/bfs-strategies.csv");
    assert!(fs::read_to_string(table).unwrap().contains("direction-optimising"));
}

#[cfg(feature = "wgpu")]
#[test]
fn a_gpu_measures_everything() {
    let folder = super::common::folder_with_gpu();
    let suite = tiny_suite();
    let suite = suite.display();
    fs::write(folder.path().join("model.json"), MODEL).unwrap();
    let arguments =
        format!("bench {suite} --device wgpu --repeat 1 --report out.html --model model.json -q");
    assert_eq!(stdout_of(folder.path(), &arguments), "");
    let results = results(&folder.path().join("out.json"));
    assert!(results.get("refusals").is_none(), "{}", results["refusals"]);
    let count = |list: &str| results[list].as_array().map_or(0, Vec::len);
    // Three graphs: 18 strategies of BFS and 18 of SSSP, and so on.
    assert_eq!(count("searches"), 3 * (18 + 18));
    assert_eq!((count("splits"), count("chunking")), (3, 3 * 2));
    assert_eq!((count("spmv"), count("coloring")), (3 * 16, 3 * 8));
    assert_eq!((count("stealing"), count("degrees")), (3 * 4 * 2, 3));
    assert_eq!((count("three_bfs"), count("sssp_speedups")), (3 * 3, 3));
    assert_eq!((count("coarsening"), count("apsp")), (3 * 7, 3 * 3));
    for list in ["levels", "active_degrees", "switch_points", "colored"] {
        assert!(count(list) > 3, "{list}");
    }
    let all_of = |list: &str| results[list].as_array().unwrap().iter();
    assert_eq!(all_of("spmv").filter(|time| time["chosen"] == true).count(), 3);
    let uncounted: Vec<_> =
        all_of("searches").filter(|time| time["lines_of_code"].is_null()).collect();
    assert!(uncounted.is_empty(), "{uncounted:?}");

    // The model chooses one of all candidates at each level.
    let at = |level: &Value| (level["graph"].to_string(), level["level"].as_u64().unwrap());
    let levels: BTreeSet<_> = all_of("levels").map(at).collect();
    let path: Vec<&Value> = all_of("levels").filter(|level| level["chosen"] == true).collect();
    assert_eq!(path.iter().copied().map(at).collect::<BTreeSet<_>>(), levels);
    assert_eq!(path.len(), levels.len());
    let strategies: BTreeSet<&str> =
        path.iter().map(|level| level["strategy"].as_str().unwrap()).collect();
    assert_eq!(strategies.into_iter().collect::<Vec<_>>(), ["edge-topology+cube", "node"]);
    let totals = folder.path().join("out-tables/bfs-totals.csv");
    assert!(fs::read_to_string(totals).unwrap().contains("predicted (×)"));
    assert!(results["facts"].to_string().contains("model.json"), "{}", results["facts"]);

    let charts = charts(&folder.path().join("out.html"));
    for chart in ["bfs-ranks", "chunking", "stealing", "queue-use", "three-bfs", "sssp-over-cpu"] {
        assert!(charts.contains(&chart.to_owned()), "{chart}: {charts:?}");
    }
}

#[test]
fn regressions_are_listed_and_can_fail() {
    let folder = folder();
    let bench = "bench suite.txt --device cpu --sections apsp,spmv --repeat 1";
    stdout_of(folder.path(), &format!("{bench} --results now.json"));
    let mut earlier = results(&folder.path().join("now.json"));
    // One time was a million times shorter, the others longer than possible now.
    for time in earlier["apsp"].as_array_mut().unwrap() {
        time["seconds"] = 1e6.into();
    }
    for time in earlier["spmv"].as_array_mut().unwrap() {
        time["seconds"] = 1e6.into();
    }
    earlier["apsp"][0]["seconds"] = 1e-12.into();
    fs::write(folder.path().join("earlier.json"), earlier.to_string()).unwrap();

    let compare = format!("{bench} --compare earlier.json --slower-by 0.5");
    let text = stdout_of(folder.path(), &compare);
    assert!(text.contains(": 1 slower and 9 faster by 50 %"), "{text}");
    assert!(text.contains("×: apsp / rmat / sssp ("), "{text}");
    let error = failure_of(folder.path(), &format!("{compare} --fail-on-regression"), 1);
    assert!(error.contains("1 times got slower by more than 50 %"), "{error}");
    let error = failure_of(folder.path(), &format!("{bench} --fail-on-regression"), 2);
    assert!(error.contains("--compare <FILE>"), "{error}");
}

#[test]
fn times_of_other_programs_are_in_their_charts() {
    let folder = folder();
    fs::write(folder.path().join("a.csv"), "library,matrix,seconds\nother,rmat,0.5\n").unwrap();
    fs::write(folder.path().join("b.csv"), "library,graph,seconds\npeer,star,0.25\n").unwrap();
    stdout_of(
        folder.path(),
        "bench suite.txt --device cpu --sections spmv,levels --repeat 1 --report out.html \
         --references a.csv --references b.csv",
    );
    let results = results(&folder.path().join("out.json"));
    assert_eq!(results["spmv_references"][0]["library"], "other");
    assert_eq!(results["bfs_references"][0]["library"], "peer");
    let charts = charts(&folder.path().join("out.html"));
    assert_eq!(charts, ["spmv-landscape", "spmv-speedup", "bfs-levels", "bfs-totals"]);
}

#[test]
fn invalid_arguments_are_refused_before_anything_runs() {
    let folder = folder();
    let error = failure_of(folder.path(), "bench --device cpu", 2);
    assert!(error.contains("<SUITE>"), "{error}");
    let error = failure_of(folder.path(), "bench suite.txt --sections serches", 2);
    assert!(error.contains("'serches'") && error.contains("searches, splitting"), "{error}");
    let error = failure_of(folder.path(), "bench suite.txt --device cpu --sections chunking", 2);
    assert!(error.contains("the cpu has nothing of chunking"), "{error}");
    let error = failure_of(folder.path(), "bench suite.txt --report out.txt", 2);
    assert!(error.contains("ends in .html"), "{error}");
    let error = failure_of(folder.path(), "bench suite.txt --compare suite.txt", 1);
    assert!(error.contains("suite.txt: this is not a file of results"), "{error}");
    let error = failure_of(folder.path(), "bench nowhere.txt", 1);
    assert!(error.contains("nowhere.txt"), "{error}");
    fs::write(folder.path().join("bad.txt"), "a paths path:n=3\n\nb paths roads.mtx\n").unwrap();
    let error = failure_of(folder.path(), "bench bad.txt", 1);
    assert!(error.contains("bad.txt:3: "), "{error}");
    assert!(error.contains("roads.mtx: no such file"), "{error}");
    let error = failure_of(folder.path(), "bench suite.txt --model suite.txt", 1);
    assert!(error.contains("suite.txt: this is not a model"), "{error}");
}

#[test]
fn measurements_that_would_take_too_long_are_skipped_and_listed() {
    let folder = folder();
    fs::write(folder.path().join("long.txt"), "long path path:n=5000\n").unwrap();
    let text = stdout_of(
        folder.path(),
        "bench long.txt --device cpu --sections spmv,apsp --repeat 1 --results out.json",
    );
    let skipped = "apsp on long (more than 4096 vertices)";
    assert!(text.contains(&format!("left out   {skipped}")), "{text}");
    let results = results(&folder.path().join("out.json"));
    assert!(results["facts"].to_string().contains(skipped), "{}", results["facts"]);
    assert!(results.get("apsp").is_none());
}

#[test]
fn products_alone_are_of_matrices_of_any_shape() {
    let folder = folder();
    fs::write(folder.path().join("tall.txt"), "tall tall blocks:rows=30,columns=1\n").unwrap();
    let bench = "bench tall.txt --device cpu --repeat 1 --results out.json";
    stdout_of(folder.path(), &format!("{bench} --sections spmv"));
    let results = results(&folder.path().join("out.json"));
    assert_eq!(
        (&results["spmv"][0]["rows"], &results["spmv"][0]["columns"]),
        (&30.into(), &1.into())
    );
    let error = failure_of(folder.path(), &format!("{bench} --sections spmv,splitting"), 1);
    assert!(error.contains("tall: "), "{error}");
}

#[test]
fn a_graph_that_cannot_be_read_does_not_stop_the_others() {
    let folder = folder();
    fs::write(folder.path().join("bad.mtx"), "no matrix\n").unwrap();
    fs::write(folder.path().join("two.txt"), "bad files bad.mtx\ngood paths path:n=9\n").unwrap();
    let bench = "bench two.txt --device cpu --sections spmv --repeat 1 --results out.json";
    let error = failure_of(folder.path(), bench, 1);
    assert!(error.contains("bad: ") && error.contains("bad.mtx"), "{error}");
    assert_eq!(results(&folder.path().join("out.json"))["spmv"][0]["matrix"], "good");
}

#[test]
fn every_line_of_the_suites_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    // Generated graphs only: files may be missing.
    for name in ["bench.txt", "tiny.txt"] {
        let suite = repository().join("suites").join(name);
        let bad = format!("{}\nlast last last\n", fs::read_to_string(&suite).unwrap());
        fs::write(folder.path().join("suite.txt"), &bad).unwrap();
        // The first error is the deliberate one.
        let error = failure_of(folder.path(), "bench suite.txt --device cpu", 1);
        let last = bad.lines().count();
        assert!(error.contains(&format!("suite.txt:{last}: ")), "{}: {error}", suite.display());
    }
}
