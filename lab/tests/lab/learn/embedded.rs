//! The embedded models are those of training with the tables in `measurements`.

use std::path::{Path, PathBuf};

use equipoise_lab::learn::{Options, Table, evaluate, fit, train};
use equipoise_select::Model;

const QUICK: &[&str] = &[
    "vertices",
    "edges",
    "out_degree_mean",
    "frontier",
    "frontier_relative",
    "frontier_edges",
    "frontier_edges_relative",
    "discovered",
    "discovered_relative",
];
const SCHEDULES: &[&str] =
    &["thread-mapped+128", "plane-mapped", "cube-mapped+512", "merge-path+7", "binned+512x8"];
const WIDTHS: &[&str] = &["near-far+8", "near-far+128", "near-far+512", "near-far+all"];
const COLORINGS: &[&str] = &["multi-hash", "speculative", "hybrid+merge-path", "multi-hash+binned"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn table(name: &str) -> Table {
    Table::read(&repository().join("measurements").join(name)).unwrap()
}

fn options(algorithm: &str, device: &str, candidates: &[&str], features: &[&str]) -> Options {
    let owned = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        (!names.is_empty()).then_some(names)
    };
    let (candidates, features) = (owned(candidates), owned(features));
    Options { candidates, features, seed: 42, ..Options::new(algorithm, device) }
}

/// Requires that the model is the embedded one, and that on held-out graphs it beats the best single candidate. Returns its
/// average and its worst on these.
fn judged(name: &str, options: &Options) -> (f64, f64) {
    let training = train(&table(name), options).unwrap();
    let embedded = Model::embedded(&options.algorithm, &options.device).unwrap();
    assert_eq!(&training.fit.model, embedded, "{name}");
    let (predicted, single) = (&training.held_out.predicted, training.held_out.best_single());
    assert!(predicted.average < single.unwrap().average, "{name}: {predicted:?}");
    (predicted.average, predicted.worst)
}

#[test]
fn bfs_is_near_the_best_at_every_level() {
    let options = options("bfs", "gpu", &["fused-push", "fused-pull"], &[]);
    let (average, worst) = judged("bfs-h200.csv", &options);
    assert!(average <= 1.10 && worst <= 3.0, "{average} {worst}");
}

#[test]
fn bfs_is_near_the_best_for_other_splits() {
    let table = table("bfs-h200.csv");
    for seed in 1..4 {
        let options = options("bfs", "gpu", &["fused-push", "fused-pull"], &[]);
        let held_out = train(&table, &Options { seed, ..options }).unwrap().held_out;
        let predicted = &held_out.predicted;
        assert!(predicted.average <= 1.10 && predicted.worst <= 3.0, "{seed}: {predicted:?}");
        assert!(predicted.average < held_out.best_single().unwrap().average, "{seed}");
    }
}

#[test]
fn bfs_on_the_cpu_beats_one_direction() {
    judged("bfs-cpu.csv", &options("bfs", "cpu", &[], QUICK));
}

#[test]
fn sssp_and_coloring_beat_the_best_single_candidate() {
    judged("sssp-h200.csv", &options("sssp", "gpu", WIDTHS, &[]));
    judged("color-h200.csv", &options("color", "gpu", COLORINGS, &[]));
    judged("color-switch-h200.csv", &options("color-switch", "gpu", &[], &[]));
}

#[test]
fn spmv_beats_the_best_schedule_and_is_trained_with_all_matrices() {
    let (table, options) = (table("spmv-h200.csv"), options("spmv", "gpu", SCHEDULES, &[]));
    for seed in [42, 1, 2, 3] {
        let held_out = train(&table, &Options { seed, ..options.clone() }).unwrap().held_out;
        assert!(held_out.predicted.average < held_out.best_single().unwrap().average, "{seed}");
    }
    let embedded = Model::embedded("spmv", "gpu").unwrap();
    assert_eq!(&fit(&table, &options).unwrap().model, embedded);
}

#[test]
fn spmv_is_near_the_best_on_the_matrices_of_the_comparison_with_cusparse() {
    let nine = table("spmv-nine-h200.csv");
    let embedded = Model::embedded("spmv", "gpu").unwrap();
    let trained_on = &embedded.description().trained_on;
    assert!(nine.runs().iter().all(|run| !trained_on.contains(&run.graph)));
    let predicted = evaluate(embedded, &nine).unwrap().predicted;
    assert!(predicted.average <= 1.05 && predicted.worst <= 1.15, "{predicted:?}");
}
