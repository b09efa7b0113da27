//! SpMV by every schedule that the device has, in `f32` (Osama et al.).

use equipoise::{MatrixOn, SparseOptions, SparseSchedule, Trace, graph::Matrix};
use equipoise_report::data::SpmvTime;

use super::{
    runner::{Bench, Trial},
    subject::Subject,
};

pub fn run(bench: &mut Bench, subject: &Subject) {
    let matrix = Matrix::<f32>::from_graph(&subject.graph);
    let x = vec![1.0f32; matrix.columns() as usize];
    let device = bench.device;
    let any = Trial { algorithm: "spmv", strategy: "any" };
    let there = match MatrixOn::upload(device, &matrix) {
        Ok(there) => there,
        Err(error) => return bench.refuse(subject, any, &error.to_string()),
    };
    let chosen = there.spmv(&SparseOptions::default()).map(|spmv| spmv.choice().schedule);
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(error) => return bench.refuse(subject, any, &error.to_string()),
    };
    for &schedule in schedules(bench.on_gpu()) {
        let trial = Trial { algorithm: "spmv", strategy: schedule.name() };
        let options = SparseOptions { schedule, ..SparseOptions::default() };
        let spmv = match there.spmv(&options) {
            Ok(spmv) => spmv,
            Err(error) => {
                bench.refuse(subject, trial, &error.to_string());
                continue;
            }
        };
        let measured = bench.measure(
            subject,
            trial,
            || spmv.run(&x),
            |product| (product.times, Trace::default()),
            |product| product.verify(&matrix, &x),
        );
        if let Some(measured) = measured {
            bench.results.spmv.push(SpmvTime {
                matrix: subject.name.clone(),
                rows: matrix.rows().into(),
                columns: matrix.columns().into(),
                nonzeros: matrix.entries(),
                schedule: schedule.name().into(),
                // Waiting for one product is the host's time, which several in a row do not take.
                seconds: measured.runs.median.kernel.as_secs_f64(),
                chosen: schedule == chosen,
            });
        }
    }
}

fn schedules(on_gpu: bool) -> &'static [SparseSchedule] {
    use SparseSchedule::{
        Binned, CubeMapped, GroupMapped, MergePath, NonzeroSplit, PlaneMapped, ThreadMapped,
    };
    match on_gpu {
        true => {
            &[ThreadMapped, PlaneMapped, CubeMapped, GroupMapped, MergePath, NonzeroSplit, Binned]
        }
        false => &[ThreadMapped, MergePath],
    }
}
