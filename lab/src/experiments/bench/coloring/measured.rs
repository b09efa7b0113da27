//! A timed and verified coloring.

use equipoise::{
    LoadedGraph,
    color::{ColorOptions, Coloring},
};
use equipoise_cli::runs::Measured;

use crate::experiments::bench::{
    runner::{Bench, Trial},
    subject::Subject,
};

/// Colors the graph of the subject. On failure, the results contain the reason.
pub(super) fn color(
    bench: &mut Bench,
    subject: &Subject,
    strategy: &str,
    options: &ColorOptions,
) -> Option<Measured<Coloring>> {
    let (device, graph) = (bench.device, &subject.graph);
    bench.measure(
        subject,
        Trial { algorithm: "color", strategy },
        || LoadedGraph::new(device, graph)?.color(options),
        |coloring| (coloring.times, coloring.trace.clone()),
        |coloring| coloring.verify(graph),
    )
}
