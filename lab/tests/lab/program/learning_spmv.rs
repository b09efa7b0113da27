//! Measurements of products, and a model of them that `auto` follows.

use std::{collections::HashSet, fs};

use super::{
    common::{failure_of, folder_with_gpu, json_of, repository, run},
    product,
};

const SUITE: &str = "\
band-1    band     band:rows=90,columns=90,width=1
band-9    band     band:rows=70,columns=80,width=9
column    column   blocks:rows=200,columns=1
row       row      blocks:rows=1,columns=200
tall      tall     matrix:rows=300,columns=5,entries=500
wide      wide     matrix:rows=5,columns=300,entries=500
giant     giant    matrix:rows=40,columns=900,entries=900,giant=0.7
rmat      rmat     rmat:scale=6
file      real     wide.mtx
";

fn folder_with_suite() -> tempfile::TempDir {
    let folder = folder_with_gpu();
    fs::write(folder.path().join("suite.txt"), SUITE).unwrap();
    let wide = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 0.5\n2 3 4\n";
    fs::write(folder.path().join("wide.mtx"), wide).unwrap();
    folder
}

#[test]
fn a_model_is_measured_trained_evaluated_and_followed() {
    let folder = folder_with_suite();
    let folder = folder.path();
    for (device, kind, candidate) in [("wgpu", "gpu", "binned+512x8"), ("cpu", "cpu", "merge-path")]
    {
        let measure = format!(
            "measure suite.txt --algorithm spmv --device {device} -o {kind}.csv --repeat 1"
        );
        let measured = json_of(folder, &measure);
        assert_eq!((&measured["measured"], &measured["runs"]), (&9.into(), &9.into()));
        let candidates = measured["candidates"].as_array().unwrap();
        assert!(candidates.contains(&candidate.into()), "{candidates:?}");
        assert_eq!(json_of(folder, &measure)["measured"], 0);

        let train =
            format!("train {kind}.csv --algorithm spmv --device {kind} -o {kind}.json --ablation");
        let trained = json_of(folder, &train);
        assert!(!trained["held_out"].as_array().unwrap().is_empty());
        assert!(trained["subsets"].as_array().unwrap().len() > 2);
        let judged = json_of(folder, &format!("evaluate {kind}.csv --model {kind}.json"));
        assert_eq!(judged["predicted"], trained["evaluation"]["predicted"]);

        let product = product::json_of(
            folder,
            &format!("spmv blocks:rows=70,columns=1 --device {device} --model {kind}.json"),
        );
        assert_eq!(product["matrix"]["columns"], 1);
        assert_eq!(product["runs"]["verification"]["verdict"], "proved");
        let reason = product["choice"]["reason"].as_str().unwrap();
        assert!(reason.starts_with("policy learned: `"), "{reason}");
    }
}

/// A matrix is no graph.
#[test]
fn searches_are_not_measured_on_matrices() {
    let folder = folder_with_suite();
    let measure = "measure suite.txt --device wgpu -o table.csv --random-sources 1";
    let error = failure_of(folder.path(), measure, 1);
    assert!(error.contains("`band` makes a matrix, not a graph"), "{error}");
}

#[test]
fn the_committed_suite_has_matrices_of_all_shapes() {
    let text = fs::read_to_string(repository().join("suites/spmv.txt")).unwrap();
    let entries: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split('#').next().unwrap().split_whitespace().collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    assert!(entries.len() >= 200, "{}", entries.len());
    let specs: HashSet<&str> = entries.iter().map(|words| words[2]).collect();
    assert_eq!(specs.len(), entries.len(), "a matrix is listed twice");
    let shapes: Vec<(u32, u32)> = entries
        .iter()
        .filter_map(|words| words[2].parse::<equipoise::graph::generate::Spec>().ok()?.shape())
        .collect();
    let count = |wanted: fn(&(u32, u32)) -> bool| shapes.iter().filter(|it| wanted(it)).count();
    assert!(count(|&(rows, columns)| rows > 2 * columns && columns > 1) >= 10);
    assert!(count(|&(rows, columns)| columns > 2 * rows && rows > 1) >= 10);
    assert!(count(|&(_, columns)| columns == 1) >= 5);
    assert!(count(|&(rows, _)| rows == 1) >= 5);

    // The error about a missing matrix comes after all lines were parsed.
    let folder = folder_with_gpu();
    let generated: String = text
        .lines()
        .filter(|line| !line.contains(".mtx"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(folder.path().join("suite.txt"), generated).unwrap();
    let measure = "measure suite.txt --algorithm spmv --device cpu -o table.csv --graph none";
    let output = run(folder.path(), measure);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--graph none"), "{output:?}");
}
