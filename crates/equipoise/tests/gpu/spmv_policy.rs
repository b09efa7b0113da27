//! SpMV that follows a model.

use equipoise::{
    LoadedMatrix,
    device::OpenDevice,
    graph::{Matrix, io::ReadOptions, load_matrix},
    select::Model,
    sparse::{SparseOptions, SparsePolicy, SparseSchedule},
};

use crate::{
    common::device,
    models::{of_device, two_leaves},
};

fn matrix(spec: &str) -> Matrix<f32> {
    load_matrix(spec, &ReadOptions::default()).unwrap()
}

fn numbers(matrix: &Matrix<f32>) -> Vec<f32> {
    (0..matrix.columns()).map(|index| (index % 17) as f32 - 8.0).collect()
}

/// One candidate for matrices with rows of up to 8 entries, another for others.
fn model(algorithm: &str, feature: &str, short: &str, long: &str) -> Model {
    two_leaves(algorithm, feature, [short, long])
}

fn following(model: Model) -> SparseOptions {
    SparseOptions { model: Some(model.into()), ..SparseOptions::default() }
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
        let loaded = LoadedMatrix::new(&device, &matrix).unwrap();
        let spmv = loaded.spmv(&options).unwrap();
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
fn the_cpu_follows_a_model_for_the_cpu() {
    let own = model("spmv", "row_max", "thread-mapped", "merge-path");
    let options = following(of_device(&own, "cpu"));
    for (spec, schedule) in
        [("path:n=50", SparseSchedule::ThreadMapped), ("star:n=50", SparseSchedule::MergePath)]
    {
        let matrix = matrix(spec);
        let loaded = LoadedMatrix::new(&OpenDevice::Cpu, &matrix).unwrap();
        let spmv = loaded.spmv(&options).unwrap();
        assert_eq!(spmv.choice().schedule, schedule);
        assert!(spmv.choice().reason.as_deref().unwrap().contains("row_max is "));
        let product = spmv.run(&numbers(&matrix)).unwrap();
        product.verify(&matrix, &numbers(&matrix)).unwrap();
        assert_eq!(product.schedule, schedule);
    }
}

#[test]
fn models_for_other_purposes_are_refused() {
    let matrix = matrix("star:n=9");
    for (device, known) in [(device(), "plane-mapped"), (OpenDevice::Cpu, "merge-path")] {
        let loaded = LoadedMatrix::new(&device, &matrix).unwrap();
        let refused = |options: &SparseOptions| loaded.spmv(options).err().unwrap().to_string();
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
        loaded.spmv(&sound).unwrap();

        let fixed = SparseOptions { schedule: SparseSchedule::MergePath, ..sound.clone() };
        assert!(refused(&fixed).contains("the schedule `merge-path` is not chosen by a model"));
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..sound.clone() };
        assert!(refused(&paper).contains("the policy `paper` has no model"));
        let error = loaded.spmm(2, &sound).err().unwrap().to_string();
        assert!(error.contains("a model is for spmv only"), "{error}");
        let error = loaded.spgemm(&loaded, &sound).err().unwrap().to_string();
        assert!(error.contains("a model is for spmv only"), "{error}");
    }
}
