//! Charts of the preprocessing of strategies: vertices that are split, edges in chunks.

use super::{grid::Grid, times};
use crate::report::{
    chart::{Axis, Chart, Mark, Plot, Point, Scale, Series, View},
    data::{Chunking, DegreeCount, Results, Split},
    papers::RAVAL,
    quantity::Quantity,
    table::{Direction, geometric_mean},
};

pub(super) fn charts(results: &Results) -> impl Iterator<Item = Chart> {
    splitting(&results.splits).into_iter().chain(chunking(&results.chunking))
}

fn splitting(splits: &[Split]) -> Option<Chart> {
    let view = |split: &Split| View { name: split.graph.clone(), plot: degrees_of(split) };
    (!splits.is_empty()).then(|| Chart {
        id: "splitting".into(),
        title: "Degrees before and after splitting".into(),
        reading: "Each point says how many vertices have a degree. The strategy split makes several \
            vertices of one with more edges than the line marks, the maximum degree threshold (MDT)."
            .into(),
        after: Some(RAVAL.figure("Fig. 10")),
        findings: Vec::new(),
        views_are: "graph",
        is_half: true,
        views: splits.iter().map(view).collect(),
    })
}

fn degrees_of(split: &Split) -> Plot {
    let plot = degree_plot("out-degree");
    let plot = with_degrees(plot, "before", &split.before);
    with_degrees(plot, "after", &split.after).with_line(
        Direction::X,
        split.mdt as f64,
        format!("MDT {}", split.mdt),
    )
}

/// An empty plot of the number of vertices per degree.
pub(super) fn degree_plot(title: &str) -> Plot {
    let degree = Axis::new(title, Quantity::Count, Scale::Log);
    let vertices = Axis::new("vertices", Quantity::Count, Scale::Log);
    Plot::of_points(None, degree, vertices)
}

/// Adds the degrees of a graph.
pub(super) fn with_degrees(plot: Plot, name: &str, counts: &[DegreeCount]) -> Plot {
    let point = |count: &DegreeCount| Point {
        series: name.into(),
        name: None,
        x: count.degree as f64,
        y: count.vertices as f64,
    };
    plot.with_points(Series::new(name, Mark::Point), counts.iter().map(point))
}

fn chunking(chunking: &[Chunking]) -> Option<Chart> {
    let speedups = chunking
        .iter()
        .filter(|time| time.chunked_seconds > 0.0)
        .map(|time| (&*time.graph, &*time.algorithm, time.plain_seconds / time.chunked_seconds));
    let speedups: Vec<_> = speedups.collect();
    let mean = geometric_mean(speedups.iter().map(|speedup| speedup.2));
    let axis = Axis::new("speed-up", Quantity::Ratio, Scale::Linear);
    let plot = times::bars(&Grid::new(speedups.iter().copied()), "graph", axis);
    (!speedups.is_empty()).then(|| Chart {
        id: "chunking".into(),
        title: "Speed-up by chunks of edges".into(),
        reading:
            "Searches by edges that add all edges of a vertex with one atomic operation, over \
            those that take one for each edge. Above 1, chunks are faster."
                .into(),
        after: Some(RAVAL.figure("Fig. 11")),
        findings: vec![format!("On average {mean:.2}× (geometric mean).")],
        views_are: "",
        is_half: true,
        views: vec![View {
            name: "all graphs".into(),
            plot: plot.with_line(Direction::Y, 1.0, ""),
        }],
    })
}
