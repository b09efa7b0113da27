//! Commands on a GPU: the software one that every machine can have, through `--device wgpu`.

use std::{fs, path::Path};

use crate::common::{json_of, run, stdout_of};

/// A folder. Panics with a remedy without a GPU.
pub fn folder_with_gpu() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let devices = json_of(folder.path(), "devices");
    let usable = devices
        .as_array()
        .unwrap()
        .iter()
        .any(|device| device["name"] == "wgpu" && device["problem"].is_null());
    assert!(
        usable,
        "these tests need a Vulkan device: on Debian and Ubuntu, apt-get install \
         mesa-vulkan-drivers gives one in software; found were {devices}"
    );
    folder
}

fn lines_starting<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

fn error_of(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_product_names_its_device_and_schedule() {
    let folder = folder_with_gpu();
    let text = stdout_of(folder.path(), "spmv star:n=300 --device wgpu --repeat 2 -v");
    let device = lines_starting(&text, "device")[0];
    assert!(device.starts_with("device     wgpu, ") && !device.contains("thread"), "{text}");
    let schedule = lines_starting(&text, "schedule")[0];
    assert!(schedule.contains(" (auto, policy "), "{text}");
    let time = lines_starting(&text, "time")[0];
    assert!(time.contains("median of 2 runs after a warm-up, "), "{text}");
    assert!(time.ends_with("; host clock between two waits)"), "{text}");
    for part in ["upload", "prepare", "compile", "kernel", "overhead", "download"] {
        assert_eq!(lines_starting(&text, &format!("  {part}")).len(), 1, "{part}: {text}");
    }
    assert_eq!(lines_starting(&text, "verified   each number is as near").len(), 1, "{text}");
}

#[test]
fn json_has_the_same_facts() {
    let folder = folder_with_gpu();
    let spmm = json_of(
        folder.path(),
        "spmm star:n=40 --columns 3 --device wgpu --schedule group-mapped --group 16 \
         --precision f64",
    );
    assert_eq!((&spmm["device"], &spmm["sum"]), (&"wgpu".into(), &(78.0 * 3.0).into()));
    assert!(spmm["model"].is_string());
    assert_eq!(spmm["choice"]["schedule"], "group-mapped");
    assert!(spmm["choice"]["reason"].is_null());
    assert_eq!(spmm["runs"]["method"], "host clock between two waits");
    assert_eq!(spmm["runs"]["verification"]["verdict"], "proved");
    let times = &spmm["runs"]["median_seconds"];
    assert!(times["upload"].as_f64().unwrap() > 0.0 && times["kernel"].as_f64().unwrap() > 0.0);
    let spgemm = json_of(folder.path(), "spgemm star:n=40 --device wgpu");
    assert_eq!((&spgemm["choice"]["schedule"], &spgemm["entries"]), (&"auto".into(), &1522.into()));
}

#[test]
fn every_schedule_runs() {
    let folder = folder_with_gpu();
    let schedules = "thread-mapped plane-mapped cube-mapped group-mapped merge-path nonzero-split \
                     binned persistent work-stealing";
    for schedule in schedules.split_whitespace() {
        let arguments = format!("spmv rmat:scale=6 --device wgpu --schedule {schedule}");
        let spmv = json_of(folder.path(), &arguments);
        assert_eq!(spmv["choice"]["schedule"], schedule);
        assert_eq!(spmv["runs"]["verification"]["verdict"], "proved", "{schedule}");
        let arguments = format!(
            "mttkrp tensor:i=60,j=50,k=40,nonzeros=900,skew=3 --mode 2 --seed 5 --device wgpu \
             --schedule {schedule}"
        );
        let mttkrp = json_of(folder.path(), &arguments);
        assert_eq!(mttkrp["choice"]["schedule"], schedule);
        assert_eq!(mttkrp["runs"]["verification"]["verdict"], "proved", "{schedule}");
    }
}

#[test]
fn a_product_after_reordering_is_the_same() {
    let folder = folder_with_gpu();
    let sum = |order: &str| {
        let arguments = format!("spmv rmat:scale=8 --device wgpu --seed 5 --reorder {order}");
        let spmv = json_of(folder.path(), &arguments);
        assert_eq!(spmv["runs"]["verification"]["verdict"], "proved", "{order}");
        spmv["sum"].as_f64().unwrap()
    };
    let (unordered, by_degree) = (sum("none"), sum("degree"));
    assert!((unordered - by_degree).abs() <= 1e-3, "{unordered}, {by_degree}");
}

#[test]
fn a_product_in_any_layout_is_the_same() {
    let folder = folder_with_gpu();
    let sum = |layout: &str| {
        let arguments =
            format!("spmv rmat:scale=8 --device wgpu --seed 5 --layout {layout} --csv times.csv");
        let spmv = json_of(folder.path(), &arguments);
        assert_eq!(spmv["runs"]["verification"]["verdict"], "proved", "{layout}");
        assert_eq!(spmv["options"]["layout"], layout);
        spmv["sum"].as_f64().unwrap()
    };
    let (rows, columns, entries) = (sum("csr"), sum("csc"), sum("coo"));
    assert!((rows - columns).abs() <= 1e-3, "{rows}, {columns}");
    assert!((rows - entries).abs() <= 1e-3, "{rows}, {entries}");
    let times = std::fs::read_to_string(folder.path().join("times.csv")).unwrap();
    assert!(times.contains("\ncsc-merge-path,"), "{times}");
    assert!(times.contains("\ncoo-thread-mapped,"), "{times}");
}

#[test]
fn all_pairs_are_the_same_as_on_the_cpu() {
    let folder = folder_with_gpu();
    let graph = "apsp er:n=150,m=700,directed=true,weights=1..9";
    let cpu = json_of(folder.path(), &format!("{graph} --device cpu"));
    for strategy in ["auto", "naive", "sssp"] {
        let arguments = format!("{graph} --device wgpu --strategy {strategy}");
        let gpu = json_of(folder.path(), &arguments);
        assert_eq!(gpu["device"], "wgpu");
        assert_eq!(gpu["reachable_pairs"], cpu["reachable_pairs"]);
        assert_eq!(gpu["runs"]["verification"]["verdict"], cpu["runs"]["verification"]["verdict"]);
    }
    let arguments = "apsp er:n=400,m=1500,weights=1..9 --device wgpu --strategy blocked \
                     --memory-limit 1500000 --path 3,300";
    let streamed = json_of(folder.path(), arguments);
    assert_eq!(streamed["panels"], 4);
    assert_eq!(streamed["paths"][0]["path"][0], 3);
    let error = error_of(folder.path(), "apsp path:n=9 --device wgpu --memory-limit 9");
    assert!(error.contains("of 9 vertices at once needs"), "{error}");
}

#[test]
fn unsupported_options_are_refused() {
    let folder = folder_with_gpu();
    let error = error_of(folder.path(), "spgemm star:n=4 --device wgpu --schedule binned");
    assert!(error.contains("takes the schedule `auto` only, not `binned`"), "{error}");
    let error = error_of(folder.path(), "spmm star:n=4 --device wgpu --reorder degree");
    assert!(error.contains("the order `degree` is for spmv on a GPU only"), "{error}");
    let error = error_of(folder.path(), "spmv star:n=4 --device cpu --reorder degree");
    assert!(error.contains("the order `degree` is for spmv on a GPU only"), "{error}");
    let error = error_of(folder.path(), "spmv star:n=4 --device cpu --layout csc");
    assert!(error.contains("the layout `csc` is for spmv on a GPU only"), "{error}");
    let error = error_of(folder.path(), "spmv star:n=4 --device wgpu --layout coo --policy paper");
    assert!(error.contains("the policy `paper` is for the layout `csr`"), "{error}");
    let error = error_of(folder.path(), "spmv star:n=4 --device wgpu:77");
    assert!(error.contains("77"), "{error}");
    let error =
        error_of(folder.path(), "spmv star:n=4 --device wgpu --schedule group-mapped --group 3");
    assert!(error.contains("`group` is 3: it must be a power of two"), "{error}");
}

#[test]
fn a_gpu_passes_its_self_test() {
    let folder = folder_with_gpu();
    let test = json_of(folder.path(), "self-test --device wgpu --suite spmv --suite spgemm");
    let suites = test["suites"].as_array().unwrap();
    assert_eq!((&suites[0]["name"], &suites[1]["name"]), (&"spmv".into(), &"spgemm".into()));
    assert_eq!((&test["failed"], suites.len()), (&0.into(), 2));
    // Nine schedules and auto on six shapes in two precisions, and two layouts in the one that this
    // device adds atomically.
    assert_eq!(suites[0]["checks"], 10 * 6 * 2 + 2 * 6);
    let one = json_of(folder.path(), "self-test --device wgpu --suite spmv --only binned");
    assert_eq!((&one["checks"], &one["failed"]), (&12.into(), &0.into()));
    let error = error_of(folder.path(), "self-test --device wgpu --suite bfs --only bined");
    assert!(error.contains("nothing was checked: wgpu has no `bined`"), "{error}");
    let text = stdout_of(folder.path(), "self-test --device wgpu --suite spgemm");
    assert!(text.contains(" giant-row ") && text.contains(" ok (2) "), "{text}");
    assert!(text.lines().last().unwrap().ends_with(": all passed"), "{text}");
}

#[test]
fn searches_follow_a_plan_and_write_one() {
    let folder = folder_with_gpu();
    fs::write(folder.path().join("plan"), "# narrow, then wide\n0 node\n1 pull\n3 split\n")
        .unwrap();
    let arguments = "bfs rmat:scale=8 --device wgpu --plan plan --trace trace.json";
    let search = json_of(folder.path(), arguments);
    let strategies = |search: &serde_json::Value| {
        let steps = search["searches"][0]["trace"]["steps"].as_array().unwrap().clone();
        steps.iter().map(|step| step["strategy"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(strategies(&search)[..3], ["node", "pull", "pull"]);
    assert_eq!(search["searches"][0]["runs"]["verification"]["verdict"], "proved");
    let again = json_of(folder.path(), "bfs rmat:scale=8 --device wgpu --plan trace.json");
    assert_eq!(strategies(&search), strategies(&again));
    let error = error_of(folder.path(), "bfs rmat:scale=8 --device cpu --plan plan");
    assert!(error.contains("a plan of strategies needs a GPU"), "{error}");
    fs::write(folder.path().join("plan"), "0 nod\n").unwrap();
    let error = error_of(folder.path(), "bfs rmat:scale=8 --device wgpu --plan plan");
    assert!(error.contains("plan: ") && error.contains("nod"), "{error}");
    let error = error_of(folder.path(), "sssp rmat:scale=8 --device wgpu --plan nowhere");
    assert!(error.contains("nowhere"), "{error}");
}

#[test]
fn searches_in_one_pass_share_their_time() {
    let folder = folder_with_gpu();
    let bfs = json_of(
        folder.path(),
        "bfs rmat:scale=7 --device wgpu --random-sources 40 --seed 1 --batch",
    );
    let searches = bfs["searches"].as_array().unwrap();
    assert_eq!(searches.len(), 40);
    assert_eq!(
        (&searches[0]["searches_in_pass"], &searches[39]["searches_in_pass"]),
        (&32.into(), &8.into())
    );
    assert!(searches.iter().all(|search| search["runs"]["verification"]["verdict"] == "proved"));
    assert_eq!(searches[0]["trace"]["steps"][0]["strategy"], "batch");
}

#[test]
fn info_reports_the_memory_of_a_search() {
    let folder = folder_with_gpu();
    let info = json_of(folder.path(), "info rmat:scale=10 --device wgpu");
    let strategies = info["memory"]["strategies"].as_array().unwrap();
    let edge = strategies.iter().find(|need| need["strategy"] == "edge").unwrap();
    let needed = edge["bfs_bytes"].as_u64().unwrap();
    let search = |limit: u64| {
        format!("bfs rmat:scale=10 --device wgpu --strategy edge --memory-limit {limit}")
    };
    json_of(folder.path(), &search(needed + 4096));
    let error = error_of(folder.path(), &search(needed - 10_000));
    assert!(error.contains("the strategy `edge` needs"), "{error}");
    let text = stdout_of(
        folder.path(),
        "sssp rmat:scale=6,weights=1..9 --device wgpu --strategy split --mdt 3",
    );
    assert!(text.contains("most edges 3 a unit (as asked)"), "{text}");
}

#[test]
fn times_are_collected_in_a_file() {
    let folder = folder_with_gpu();
    let matrix = "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 0.5\n";
    fs::write(folder.path().join("tiny.mtx"), matrix).unwrap();
    stdout_of(folder.path(), "spmv tiny.mtx --device cpu --csv times.csv");
    stdout_of(
        folder.path(),
        "spmv star:n=4,seed=1 --device wgpu --schedule binned --csv times.csv --no-validate",
    );
    let text = fs::read_to_string(folder.path().join("times.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "kernel,dataset,rows,cols,nnzs,seconds");
    assert!(lines[1].starts_with("merge-path,tiny,2,3,1,"), "{text}");
    assert!(lines[2].starts_with("binned,\"star:n=4,seed=1\",4,4,6,"), "{text}");
    assert_eq!(lines.len(), 3);
    for line in &lines[1..] {
        let seconds: f64 = line.rsplit(',').next().unwrap().parse().unwrap();
        assert!(seconds > 0.0 && seconds < 60.0, "{line}");
    }
    let error = error_of(folder.path(), "spmv tiny.mtx --csv nowhere/times.csv");
    assert!(error.contains("no such folder"), "{error}");
}
