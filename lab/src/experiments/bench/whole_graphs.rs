//! Every algorithm of the library's list, with the strategy that `auto` selects.

use equipoise::{
    Trace,
    algorithm::{Algorithm, Visitor, each},
};
use equipoise_cli::sources::up_to;

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};
use crate::report::data::MethodTime;

/// The number of sources of algorithms that can estimate from a sample.
const SOURCES: u32 = 16;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    each(&mut Measuring { bench, subject });
}

struct Measuring<'a, 'b> {
    bench: &'a mut Bench<'b>,
    subject: &'a Subject,
}

impl Visitor for Measuring<'_, '_> {
    fn visit<A: Algorithm>(&mut self) {
        let Self { bench, subject } = self;
        let graph = &subject.graph;
        let mut options = A::Options::default();
        if let Some(sources) = A::sources(&mut options) {
            *sources = Some(up_to(graph, SOURCES, 1));
        }
        let Some(loaded) = bench.upload(subject, A::NAME) else { return };
        let measured = bench.measure(
            subject,
            Trial { algorithm: A::NAME, strategy: "auto" },
            || A::find(&loaded, &options),
            |result| (result.times(), Trace::default()),
            |result| A::check(result, graph, &options).map(drop),
        );
        if let Some(measured) = measured {
            let (vertices, edges) = size(graph);
            bench.results.whole_graphs.push(MethodTime {
                graph: subject.name.clone(),
                vertices,
                edges,
                method: A::NAME.into(),
                seconds: measured.runs.time().as_secs_f64(),
            });
        }
    }
}
