//! Measuring every candidate of SpMV, and following a model.

use equipoise::{
    MatrixOn, SparseOptions, SparsePolicy, SparseSchedule, SpmvCandidate,
    device::OpenDevice,
    graph::{Matrix, io::ReadOptions, load_matrix},
    select::Model,
};

use crate::{
    models::{of_device, two_leaves},
    search::device,
};

fn matrix(spec: &str) -> Matrix<f32> {
    load_matrix(spec, &ReadOptions::default()).unwrap()
}

fn numbers(matrix: &Matrix<f32>) -> Vec<f32> {
    (0..matrix.columns()).map(|place| (place % 17) as f32 - 8.0).collect()
}

/// Matrices with rows of up to 8 entries get one candidate, and others another.
fn model(algorithm: &str, feature: &str, short: &str, long: &str) -> Model {
    two_leaves(algorithm, feature, [short, long])
}

fn following(model: Model) -> SparseOptions {
    SparseOptions { model: Some(model.into()), ..SparseOptions::default() }
}

#[test]
fn every_candidate_is_right_and_has_a_time() {
    for spec in [
        "rmat:scale=8",
        "matrix:rows=300,columns=7,entries=900,empty=0.3",
        "matrix:rows=5,columns=9000,entries=20000,giant=0.5",
        "blocks:rows=700,columns=1",
        "blocks:rows=1,columns=2000",
        "isolated:n=3",
        "isolated:n=0",
    ] {
        let matrix = matrix(spec);
        for device in [device(), OpenDevice::Cpu] {
            let there = MatrixOn::upload(&device, &matrix).unwrap();
            let candidates = there.spmv_candidates();
            let times = there.measure_spmv(&numbers(&matrix), candidates, 1).unwrap();
            assert_eq!(times.len(), candidates.len());
            for (candidate, time) in candidates.iter().zip(times) {
                assert!(time.unwrap().as_nanos() > 0, "{spec}: {candidate}");
            }
        }
    }
}

#[test]
fn a_candidate_that_the_device_cannot_run_has_the_reason() {
    let matrix = matrix("star:n=9");
    let there = MatrixOn::upload(&device(), &matrix).unwrap();
    let usual: SpmvCandidate = "plane-mapped".parse().unwrap();
    let large = SpmvCandidate { units: Some(1 << 20), ..usual };
    let times = there.measure_spmv(&numbers(&matrix), &[large, usual], 2).unwrap();
    assert!(times[0].as_ref().unwrap_err().contains("1048576 units a cube"), "{times:?}");
    assert!(times[1].is_ok());
}

#[test]
fn what_cannot_be_measured_is_told() {
    let matrix = matrix("star:n=9");
    for device in [device(), OpenDevice::Cpu] {
        let there = MatrixOn::upload(&device, &matrix).unwrap();
        let error = |x: &[f32], candidates: &[SpmvCandidate], repeat| {
            there.measure_spmv(x, candidates, repeat).unwrap_err().to_string()
        };
        let all = there.spmv_candidates();
        assert!(error(&numbers(&matrix), &[], 1).contains("no candidates"));
        assert!(error(&numbers(&matrix), all, 0).contains("`repeat` is 0: 1 to 10000"));
        assert!(error(&[1.0; 8], all, 1).contains("9 columns"));
    }
}

#[test]
fn a_model_chooses_by_a_feature() {
    let options = following(model("spmv", "row_max", "group-mapped+16", "binned+512x8"));
    for (spec, schedule, why) in [
        ("band:rows=500,columns=90,width=3", SparseSchedule::GroupMapped, "3 (at most 8)"),
        ("star:n=700", SparseSchedule::Binned, "699 (above 8)"),
        ("blocks:rows=1,columns=40", SparseSchedule::Binned, "40 (above 8)"),
    ] {
        let (matrix, device) = (matrix(spec), device());
        let there = MatrixOn::upload(&device, &matrix).unwrap();
        let spmv = there.spmv(&options).unwrap();
        let choice = spmv.choice();
        assert_eq!(choice.schedule, schedule, "{spec}");
        let reason = choice.reason.as_deref().unwrap();
        assert!(reason.starts_with(&format!("policy learned: `{schedule}+")), "{reason}");
        assert!(reason.ends_with(&format!("row_max is {why}")), "{reason}");
        let x = numbers(&matrix);
        spmv.run(&x).unwrap().verify(&matrix, &x).unwrap();
    }
}

#[test]
fn the_cpu_follows_a_model_of_its_own() {
    let own = model("spmv", "row_max", "thread-mapped", "merge-path");
    let options = following(of_device(&own, "cpu"));
    for (spec, schedule) in
        [("path:n=50", SparseSchedule::ThreadMapped), ("star:n=50", SparseSchedule::MergePath)]
    {
        let matrix = matrix(spec);
        let there = MatrixOn::upload(&OpenDevice::Cpu, &matrix).unwrap();
        let spmv = there.spmv(&options).unwrap();
        assert_eq!(spmv.choice().schedule, schedule);
        assert!(spmv.choice().reason.as_deref().unwrap().contains("row_max is "));
        let product = spmv.run(&numbers(&matrix)).unwrap();
        product.verify(&matrix, &numbers(&matrix)).unwrap();
        assert_eq!(product.schedule, schedule);
    }
}

#[test]
fn models_for_something_else_are_refused() {
    let matrix = matrix("star:n=9");
    for (device, known) in [(device(), "plane-mapped"), (OpenDevice::Cpu, "merge-path")] {
        let there = MatrixOn::upload(&device, &matrix).unwrap();
        let refused = |options: &SparseOptions| there.spmv(options).err().unwrap().to_string();
        let kind = if known == "merge-path" { "cpu" } else { "gpu" };
        let made = |algorithm, feature, candidate| {
            following(of_device(&model(algorithm, feature, known, candidate), kind))
        };
        let of = |algorithm, feature, candidate| refused(&made(algorithm, feature, candidate));
        let other = if known == "merge-path" { "thread-mapped" } else { "merge-path+7" };
        assert_eq!(of("bfs", "rows", other), "the model is for `bfs`, not for `spmv`");
        assert!(of("spmv", "frontier", other).contains("the feature `frontier`"));
        assert!(of("spmv", "rows", "binned+3").contains("the candidate `binned+3`"));
        let sound = made("spmv", "rows", other);
        there.spmv(&sound).unwrap();

        let fixed = SparseOptions { schedule: SparseSchedule::MergePath, ..sound.clone() };
        assert!(refused(&fixed).contains("the schedule `merge-path` is not chosen by a model"));
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..sound.clone() };
        assert!(refused(&paper).contains("the policy `paper` has no model"));
        let error = there.spmm(2, &sound).err().unwrap().to_string();
        assert!(error.contains("a model is for spmv only"), "{error}");
        let error = there.spgemm(&there, &sound).err().unwrap().to_string();
        assert!(error.contains("a model is for spmv only"), "{error}");
    }
}
