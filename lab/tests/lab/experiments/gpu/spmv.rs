//! Every candidate for sparse matrices times a vector.

use equipoise::{
    device::OpenDevice,
    graph::{Matrix, io::ReadOptions, load_matrix},
    sparse::SpmvCandidate,
};
use equipoise_lab::experiments::{measure_spmv, spmv_candidates};

use super::common::device;

fn matrix(spec: &str) -> Matrix<f32> {
    load_matrix(spec, &ReadOptions::default()).unwrap()
}

fn numbers(matrix: &Matrix<f32>) -> Vec<f32> {
    (0..matrix.columns()).map(|index| (index % 17) as f32 - 8.0).collect()
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
            let candidates = spmv_candidates(&device);
            let x = numbers(&matrix);
            let times = measure_spmv(&device, &matrix, &x, candidates, 1).unwrap();
            assert_eq!(times.len(), candidates.len());
            for (candidate, time) in candidates.iter().zip(times) {
                assert!(time.is_ok(), "{spec}: {candidate}: {time:?}");
            }
        }
    }
}

#[test]
fn a_candidate_that_the_device_cannot_run_has_the_reason() {
    let matrix = matrix("star:n=9");
    let usual: SpmvCandidate = "plane-mapped".parse().unwrap();
    let large = SpmvCandidate { units: Some(1 << 20), ..usual };
    let times = measure_spmv(&device(), &matrix, &numbers(&matrix), &[large, usual], 2).unwrap();
    assert!(times[0].as_ref().unwrap_err().contains("1048576 units a cube"), "{times:?}");
    assert!(times[1].is_ok());
}

#[test]
fn impossible_measurements_are_refused() {
    let matrix = matrix("star:n=9");
    for device in [device(), OpenDevice::Cpu] {
        let error = |x: &[f32], candidates: &[SpmvCandidate], repeat| {
            measure_spmv(&device, &matrix, x, candidates, repeat).unwrap_err().to_string()
        };
        let all = spmv_candidates(&device);
        assert!(error(&numbers(&matrix), &[], 1).contains("no candidates"));
        assert!(error(&numbers(&matrix), all, 0).contains("`repeat` is 0: 1 to 10000"));
        assert!(error(&[1.0; 8], all, 1).contains("9 columns"));
    }
}
