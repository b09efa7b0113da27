//! Charts of coloring: strategies, degrees, and progress per iteration.

use super::{
    grid::{Grid, distinct, sentence_list},
    queues,
    splitting::{degree_plot, with_degrees},
    times,
};
use crate::report::{
    chart::{Axis, Chart, Layout, Mark, Plot, Point, Scale, Section, Series, Tone, View},
    data::{ActiveDegrees, Colored, ColoringTime, Degrees, Phase, Results, SwitchPoint},
    papers::CHE,
    quantity::Quantity,
};

pub(super) fn section(results: &Results) -> Section {
    let charts = strategies(&results.coloring)
        .into_iter()
        .chain(queues::charts(&results.stealing))
        .chain(degrees(&results.degrees))
        .chain(active_degrees(&results.active_degrees))
        .chain(switch_points(&results.switch_points))
        .chain(colored(&results.colored));
    Section {
        id: "coloring",
        title: "Coloring",
        introduction: "Time and colors of each strategy, work stealing, and why vertices of high \
            degree are better colored first.",
        charts: charts.collect(),
    }
}

fn strategies(coloring: &[ColoringTime]) -> Vec<Chart> {
    if coloring.is_empty() {
        return Vec::new();
    }
    let grid = |number: fn(&ColoringTime) -> f64| {
        Grid::new(coloring.iter().map(|time| (&*time.graph, &*time.strategy, number(time))))
    };
    let (seconds, colors) = (grid(|time| time.seconds), grid(|time| f64::from(time.colors)));
    let findings = times::fastest(&seconds, "graphs").into_iter().collect();
    let axis = Axis::new("colors", Quantity::Count, Scale::Linear);
    vec![
        Chart {
            id: "coloring-times".into(),
            title: "Time of each strategy".into(),
            reading: "The time to color each graph, relative to the fastest strategy for it; of a \
                single graph, in seconds."
                .into(),
            after: Some(CHE.figure("Fig. 6")),
            findings,
            views_are: "graph",
            is_half: true,
            views: times::views(seconds, "strategy"),
        },
        Chart {
            id: "coloring-colors".into(),
            title: "Colors of each strategy".into(),
            reading: "How many colors each strategy needs; fewer are better.".into(),
            after: Some(CHE.figure("Figs. 6 and 8")),
            findings: Vec::new(),
            views_are: "",
            is_half: true,
            views: vec![View {
                name: "all graphs".into(),
                plot: times::bars(&colors, "graph", axis),
            }],
        },
    ]
}

fn degrees(graphs: &[Degrees]) -> Option<Chart> {
    let plot = graphs.iter().fold(degree_plot("degree"), |plot, degrees| {
        with_degrees(plot, &degrees.graph, &degrees.counts)
    });
    (!graphs.is_empty()).then(|| Chart {
        id: "degrees".into(),
        title: "Degrees of the graphs".into(),
        reading: "How many vertices have each degree. Where points reach far to the right, a few \
            vertices keep their cube at work while its other units wait."
            .into(),
        after: Some(CHE.figure("Fig. 5")),
        findings: Vec::new(),
        views_are: "",
        is_half: true,
        views: vec![View { name: "all graphs".into(), plot }],
    })
}

fn active_degrees(snapshots: &[ActiveDegrees]) -> Option<Chart> {
    let names = |snapshot: &ActiveDegrees| format!("{}, {}", snapshot.graph, snapshot.strategy);
    let named: Vec<(String, &ActiveDegrees)> =
        snapshots.iter().map(|snapshot| (names(snapshot), snapshot)).collect();
    let views = distinct(named.iter().map(|(name, _)| &**name)).into_iter().map(|name| {
        let of_view = named.iter().filter(|(other, _)| *other == name);
        let plot = of_view.fold(active_plot(), |plot, (_, snapshot)| with_snapshot(plot, snapshot));
        View { name, plot }
    });
    (!snapshots.is_empty()).then(|| Chart {
        id: "active-degrees".into(),
        title: "Degrees that are left, by iteration".into(),
        reading: "The highest degree among neighbouring vertices that have no color yet when an \
            iteration starts. Strategies that take high degrees first leave even work to later \
            iterations."
            .into(),
        after: Some(CHE.figure("Fig. 7")),
        findings: Vec::new(),
        views_are: "coloring",
        is_half: true,
        views: views.collect(),
    })
}

fn active_plot() -> Plot {
    let vertex = Axis::new("first vertex", Quantity::Count, Scale::Linear);
    let degree = Axis::new("highest degree of an active vertex", Quantity::Count, Scale::Linear);
    Plot::of_points(None, vertex, degree)
}

fn with_snapshot(plot: Plot, snapshot: &ActiveDegrees) -> Plot {
    let series = format!("iteration {} ({} active)", snapshot.iteration, snapshot.active);
    let active = snapshot.bins.iter().filter(|bin| bin.active > 0);
    let points = active.map(|bin| Point {
        series: series.clone(),
        name: None,
        x: bin.first_vertex as f64,
        y: bin.max_degree as f64,
    });
    let points: Vec<Point> = points.collect();
    plot.with_points(Series::new(series, Mark::Point), points)
}

fn switch_points(points: &[SwitchPoint]) -> Vec<Chart> {
    if points.is_empty() {
        return Vec::new();
    }
    let chart = |id: &str, title: &str, axis: Axis, number: fn(&SwitchPoint) -> f64| Chart {
        id: id.into(),
        title: title.into(),
        reading: "Hybrid coloring goes by degree for some iterations and by random numbers from \
            then on. Right is a later switch."
            .into(),
        after: Some(CHE.figure("Fig. 8")),
        findings: Vec::new(),
        views_are: "",
        is_half: true,
        views: vec![View { name: "all graphs".into(), plot: sweep(points, axis, number) }],
    };
    let time = Axis::new("time", Quantity::Seconds, Scale::Log);
    let colors = Axis::new("colors", Quantity::Count, Scale::Linear);
    let time = chart("switch-time", "Time by switch point", time, |point| point.seconds);
    let colors =
        chart("switch-colors", "Colors by switch point", colors, |point| f64::from(point.colors));
    vec![Chart { findings: vec![best_switches(points)], ..time }, colors]
}

/// The fastest switch point of each graph.
fn best_switches(points: &[SwitchPoint]) -> String {
    let best = |graph: &String| {
        let of_graph = points.iter().filter(|point| point.graph == *graph);
        of_graph.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    };
    let graphs = distinct(points.iter().map(|point| &*point.graph));
    let words = graphs.iter().filter_map(best);
    let words = words.map(|best| format!("{} on {}", best.switch_after, best.graph));
    format!("The fastest switch, in iterations by degree: {}.", sentence_list(words.collect(), 5))
}

fn sweep(points: &[SwitchPoint], axis: Axis, number: fn(&SwitchPoint) -> f64) -> Plot {
    let switch = Axis::new("iterations by degree", Quantity::Count, Scale::Linear);
    let graphs = distinct(points.iter().map(|point| &*point.graph));
    graphs.iter().fold(Plot::of_points(None, switch, axis), |plot, graph| {
        let of_graph = points.iter().filter(|point| point.graph == *graph);
        let points = of_graph.map(|point| Point {
            series: graph.clone(),
            name: None,
            x: f64::from(point.switch_after),
            y: number(point),
        });
        plot.with_points(Series::new(graph, Mark::Line), points)
    })
}

fn colored(colored: &[Colored]) -> Option<Chart> {
    let names = |one: &Colored| format!("{}, {}", one.graph, one.strategy);
    let named: Vec<(String, &Colored)> = colored.iter().map(|one| (names(one), one)).collect();
    let views = distinct(named.iter().map(|(name, _)| &**name)).into_iter().map(|name| {
        let of_view = named.iter().filter(|(other, _)| *other == name);
        let plot = colored_plot(&of_view.map(|(_, one)| *one).collect::<Vec<_>>());
        View { name, plot }
    });
    (!colored.is_empty()).then(|| Chart {
        id: "colored".into(),
        title: "Colored vertices by iteration".into(),
        reading:
            "Each column is all vertices that are colored after an iteration: those of earlier \
            iterations, and on top those that it colored itself, by degree or at random."
                .into(),
        after: Some(CHE.figure("Fig. 9")),
        findings: Vec::new(),
        views_are: "coloring",
        is_half: false,
        views: views.collect(),
    })
}

fn colored_plot(iterations: &[&Colored]) -> Plot {
    let names: Vec<String> = iterations.iter().map(|one| one.iteration.to_string()).collect();
    let before = iterations.iter().scan(0, |before, one| {
        let colored = *before;
        *before += one.vertices;
        Some(Some(colored as f64))
    });
    let by = |phase: Phase| {
        let numbers = iterations.iter();
        numbers.map(|one| (one.phase == phase).then_some(one.vertices as f64)).collect::<Vec<_>>()
    };
    let axis = Axis::new("vertices", Quantity::Count, Scale::Linear);
    Plot::of_names(Layout::Columns, "iteration", &names, axis)
        .with_numbers(
            Series::new("colored before", Mark::Stack).toned(Tone::Muted),
            before.collect(),
        )
        .with_numbers(Series::new("by degree", Mark::Stack), by(Phase::Degree))
        .with_numbers(Series::new("at random", Mark::Stack), by(Phase::Random))
}
