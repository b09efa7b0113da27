//! Charts of BFS, SSSP and all pairs by basic methods.

use super::{
    grid::{Grid, distinct},
    times,
};
use crate::report::{
    chart::{Axis, Chart, Layout, Mark, Plot, Point, Scale, Section, Series, View},
    data::{Coarsening, MethodTime, Results, SsspSpeedup},
    papers::{Figure, PATHAK},
    quantity::Quantity,
    table::Direction,
};

/// The slides do not number their figures.
const SLIDES: &str = "the results";

pub(super) fn section(results: &Results) -> Section {
    let charts = [
        methods(
            &results.three_bfs,
            "three-bfs",
            "Three ways to BFS",
            "A unit a vertex at every level, a queue of the frontier, or a scan that makes one; the \
             time over the fastest of each graph.",
        ),
        speedup(&results.sssp_speedups),
        coarsening(&results.coarsening),
        methods(
            &results.apsp,
            "apsp",
            "Three ways to all pairs",
            "SSSP from every vertex, Floyd-Warshall in its plain form, and Floyd-Warshall in blocks; \
             the time over the fastest of each graph.",
        ),
    ];
    Section {
        id: "basics",
        title: "Basic methods",
        introduction: "The plainest ways to BFS, SSSP and all pairs on a GPU, on small and large graphs.",
        charts: charts.into_iter().flatten().collect(),
    }
}

fn after() -> Figure {
    PATHAK.figure(SLIDES)
}

fn methods(times: &[MethodTime], id: &str, title: &str, reading: &str) -> Option<Chart> {
    let grid = Grid::new(times.iter().map(|time| (&*time.graph, &*time.method, time.seconds)));
    (!times.is_empty()).then(|| Chart {
        id: id.into(),
        title: title.into(),
        reading: reading.into(),
        after: Some(after()),
        findings: times::fastest(&grid, "graphs").into_iter().collect(),
        views_are: "graph",
        is_half: true,
        views: times::views(grid, "method"),
    })
}

fn speedup(times: &[SsspSpeedup]) -> Option<Chart> {
    let times: Vec<&SsspSpeedup> = times.iter().filter(|time| time.gpu_seconds > 0.0).collect();
    let names: Vec<String> = times.iter().map(|time| time.graph.clone()).collect();
    let numbers = |number: fn(&SsspSpeedup) -> f64| {
        times.iter().map(|time| Some(number(time))).collect::<Vec<_>>()
    };
    let axis = Axis::new("speed-up over the cpu", Quantity::Ratio, Scale::Linear);
    let plot = Plot::of_names(Layout::Rows, "graph", &names, axis)
        .with_line(Direction::X, 1.0, "")
        .with_numbers(
            Series::new("speed-up", Mark::Bar),
            numbers(|time| time.cpu_seconds / time.gpu_seconds),
        )
        .with_table_numbers("cpu", Quantity::Seconds, numbers(|time| time.cpu_seconds))
        .with_table_numbers("GPU", Quantity::Seconds, numbers(|time| time.gpu_seconds))
        .with_table_numbers(
            "edges a vertex",
            Quantity::Count,
            numbers(|time| time.edges as f64 / time.vertices.max(1) as f64),
        );
    (!names.is_empty()).then(|| Chart {
        id: "sssp-over-cpu".into(),
        title: "SSSP: the GPU over the cpu".into(),
        reading:
            "The cpu's time over the GPU's. Above 1, the GPU is faster; the paper finds more on \
            sparse graphs than on dense ones."
                .into(),
        after: Some(after()),
        findings: Vec::new(),
        views_are: "",
        is_half: true,
        views: vec![View { name: "all graphs".into(), plot }],
    })
}

fn coarsening(times: &[Coarsening]) -> Option<Chart> {
    let factor = Axis::new("vertices a unit", Quantity::Count, Scale::Log);
    let seconds = Axis::new("time", Quantity::Seconds, Scale::Log);
    let graphs = distinct(times.iter().map(|time| &*time.graph));
    let plot = graphs.iter().fold(Plot::of_points(None, factor, seconds), |plot, graph| {
        let of_graph = times.iter().filter(|time| time.graph == *graph);
        let points = of_graph.map(|time| Point {
            series: graph.clone(),
            name: None,
            x: f64::from(time.factor),
            y: time.seconds,
        });
        plot.with_points(Series::new(graph, Mark::Line), points)
    });
    (!times.is_empty()).then(|| Chart {
        id: "coarsening".into(),
        title: "SSSP with several vertices a unit".into(),
        reading:
            "Further right, each unit processes more vertices, and fewer units run. The paper \
            finds that this is slower."
                .into(),
        after: Some(after()),
        findings: Vec::new(),
        views_are: "",
        is_half: true,
        views: vec![View { name: "all graphs".into(), plot }],
    })
}
