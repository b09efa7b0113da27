//! Measurements, and models of them that shortest paths and coloring follow.

use std::fs;

use super::{
    common::{folder_with_gpu, json_of, repository, run},
    product,
};

const SUITE: &str = "\
rmat-5    rmat  rmat:scale=5
rmat-6    rmat  rmat:scale=6
grid-4    grid  grid:width=4,height=4
grid-6    grid  grid:width=6,height=3
er-40     er    er:n=40,m=90
er-60     er    er:n=60,m=90,directed=true
star-9    star  star:n=9
";

/// Measures an algorithm on a device and trains a model.
fn trained(algorithm: &str, device: &str) -> tempfile::TempDir {
    let folder = folder_with_gpu();
    fs::write(folder.path().join("suite.txt"), SUITE).unwrap();
    let measure = format!(
        "measure suite.txt --algorithm {algorithm} --device {device} -o table.csv --random-sources 4 --repeat 1"
    );
    let measured = json_of(folder.path(), &measure);
    assert_eq!(measured["left_out"].as_array().unwrap().len(), 0);
    let runs = measured["runs"].as_u64().unwrap();
    assert_eq!(runs, if algorithm == "sssp" { 28 } else { 7 });
    let again = json_of(folder.path(), &measure);
    assert_eq!((&again["measured"], &again["runs"]), (&0.into(), &runs.into()));
    let kind = if device == "cpu" { "cpu" } else { "gpu" };
    let train = format!("train table.csv --algorithm {algorithm} --device {kind} -o model.json");
    let trained = json_of(folder.path(), &train);
    assert!(trained["evaluation"]["predicted"]["average"].as_f64().unwrap() >= 1.0);
    folder
}

#[test]
fn shortest_paths_follow_measurements() {
    for device in ["wgpu", "cpu"] {
        let folder = trained("sssp", device);
        let folder = folder.path();
        let table = fs::read_to_string(folder.join("table.csv")).unwrap();
        assert!(table.contains("seed 1 number 1 weights 1..10"), "{table}");
        let search = format!("sssp rmat:scale=6,weights=1..9 --model model.json --device {device}");
        let document = product::json_of(folder, &search);
        assert_eq!(document["policy"], "model.json");
        assert_eq!(document["searches"][0]["runs"]["verification"]["verdict"], "proved");
        let both = product::run(folder, &format!("{search} --delta 3"));
        assert!(String::from_utf8_lossy(&both.stderr).contains("cannot be used with"));
    }
}

#[test]
fn coloring_follows_measurements() {
    for device in ["wgpu", "cpu"] {
        let folder = trained("color", device);
        let folder = folder.path();
        let table = fs::read_to_string(folder.join("table.csv")).unwrap();
        assert!(table.contains("colors: "), "{table}");
        let color = format!("color rmat:scale=6 --model model.json --device {device}");
        let colored = product::json_of(folder, &color);
        assert_eq!(colored["policy"], "model.json");
        assert_eq!(colored["runs"]["verification"]["verdict"], "proved");
        let wrong = product::run(folder, "color rmat:scale=6 --switch-model model.json");
        let error = String::from_utf8_lossy(&wrong.stderr).into_owned();
        assert!(error.contains("for `color`, not for `color-switch`"), "{error}");
    }
}

#[test]
fn hybrid_switches_by_measurements() {
    let folder = trained("color-switch", "wgpu");
    let hybrid = "color rmat:scale=6 --strategy hybrid --switch-model model.json --device wgpu";
    let colored = product::json_of(folder.path(), hybrid);
    assert_eq!(colored["options"]["switch"], "learned");
    assert_eq!(colored["runs"]["verification"]["verdict"], "proved");
}

#[test]
fn the_committed_suites_can_be_read() {
    for (suite, algorithm) in [("sssp", "sssp"), ("color", "color"), ("color", "color-switch")] {
        let path = repository().join(format!("suites/{suite}.txt"));
        let text = fs::read_to_string(path).unwrap();
        let generated: Vec<&str> = text.lines().filter(|line| !line.contains(".mtx")).collect();
        let folder = folder_with_gpu();
        fs::write(folder.path().join("suite.txt"), generated.join("\n")).unwrap();
        let measure =
            format!("measure suite.txt --algorithm {algorithm} --device cpu -o t.csv --graph none");
        let output = run(folder.path(), &measure);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("--graph none"), "{error}");
    }
}
