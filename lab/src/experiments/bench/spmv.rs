//! SpMV by every schedule of the device, in `f32` (Osama et al.).

use equipoise::{
    LoadedMatrix,
    device::OpenDevice,
    graph::{Graph, Matrix},
    select::Model,
    sparse::{MatrixFeatures, SparseOptions, SpmvCandidate},
};

use super::runner::{Bench, Trial};
use crate::{
    experiments::{measure_spmv, spmv_candidates},
    report::data::SpmvTime,
};

const ALL: Trial = Trial { algorithm: "spmv", strategy: "all" };

/// Times products of a graph's adjacency matrix.
pub(super) fn run_on(bench: &mut Bench, name: &str, graph: &Graph) {
    match Matrix::from_graph(graph) {
        Ok(matrix) => run(bench, name, &matrix),
        Err(error) => bench.refuse(name, ALL, &error.to_string()),
    }
}

pub(super) fn run(bench: &mut Bench, name: &str, matrix: &Matrix<f32>) {
    let trial = ALL;
    let x = numbers(matrix.columns() as usize);
    let (device, repeat) = (bench.device, bench.repeat);
    let candidates = spmv_candidates(device);
    // Each product is verified before it is timed.
    let measure = || measure_spmv(device, matrix, &x, candidates, repeat);
    let Some(timed) = bench.once(name, trial, measure, |_| Ok(())) else { return };
    let mut times: Vec<SpmvTime> = Vec::new();
    for (candidate, time) in candidates.iter().zip(timed) {
        let schedule = candidate.to_string();
        match time {
            Ok(time) => times.push(SpmvTime {
                matrix: name.into(),
                rows: matrix.rows().into(),
                columns: matrix.columns().into(),
                nonzeros: matrix.entries(),
                schedule,
                seconds: time.as_secs_f64(),
                chosen: false,
            }),
            Err(reason) => bench.refuse(name, Trial { strategy: &schedule, ..trial }, &reason),
        }
    }
    match chosen(device, matrix) {
        Ok(chosen) => mark(&mut times, &chosen),
        Err(error) => bench.refuse(name, Trial { strategy: "auto", ..trial }, &error.to_string()),
    }
    bench.results.spmv.extend(times);
}

/// Distinct numbers, so that a product with wrong operands is detected.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|index| (index % 17) as f32 / 8.0 - 1.0).collect()
}

/// The choice of `auto`: a candidate if a model decides, else a schedule.
fn chosen(device: &OpenDevice, matrix: &Matrix<f32>) -> equipoise::Result<String> {
    let kind = match device {
        OpenDevice::Cpu => "cpu",
        OpenDevice::Gpu(_) => "gpu",
    };
    let candidates = spmv_candidates(device);
    match Model::embedded("spmv", kind) {
        Some(model) => {
            let model = SpmvCandidate::align(model, candidates)?;
            let features = MatrixFeatures::new(matrix).values();
            Ok(candidates[model.predict(&features).candidate].to_string())
        }
        None => {
            let device_matrix = LoadedMatrix::new(device, matrix)?;
            let spmv = device_matrix.spmv(&SparseOptions::default())?;
            Ok(spmv.choice().schedule.name().to_owned())
        }
    }
}

/// Marks the chosen one; for a schedule, the fastest of its settings.
fn mark(times: &mut [SpmvTime], chosen: &str) {
    let is_of = |time: &&mut SpmvTime| {
        time.schedule == chosen || time.schedule.split('+').next() == Some(chosen)
    };
    let fastest = times.iter_mut().filter(is_of).min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    if let Some(time) = fastest {
        time.chosen = true;
    }
}
