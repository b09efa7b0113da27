//! SSSP on the GPU compared with the cpu (Pathak et al.): the default of each, on all cpu threads.

use equipoise::sssp::{SsspOptions, sssp};

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};
use crate::report::data::SsspSpeedup;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let Some(device_graph) = bench.upload(subject, "sssp over cpu") else { return };
    let options = SsspOptions::default();
    let graph = &subject.graph;
    let gpu = Trial { algorithm: "sssp over cpu", strategy: "gpu" };
    let gpu = bench.sssp(subject, gpu, &device_graph, &options);
    let cpu = bench.measure_on_cpu(
        subject,
        Trial { algorithm: "sssp over cpu", strategy: "cpu" },
        || sssp(graph, subject.source, &options),
        |sssp| (sssp.times, sssp.trace.clone()),
        |sssp| sssp.verify(graph, &options),
    );
    if let (Some(gpu), Some(cpu)) = (gpu, cpu) {
        let (vertices, edges) = size(graph);
        bench.results.sssp_speedups.push(SsspSpeedup {
            graph: subject.name.clone(),
            vertices,
            edges,
            cpu_seconds: cpu.runs.time().as_secs_f64(),
            gpu_seconds: gpu.runs.time().as_secs_f64(),
        });
    }
}
