//! Charts of coloring from queues, with and without stealing.

use super::{
    grid::{Grid, distinct, sentence_list},
    times,
};
use crate::report::{
    chart::{Axis, Chart, Layout, Mark, Plot, Scale, Series, Tone, View},
    data::{QueueUse, Stealing},
    papers::CHE,
    quantity::Quantity,
};

const STEALING: &str = "stealing";
const NOT_STEALING: &str = "not stealing";

pub(super) fn charts(stealing: &[Stealing]) -> impl Iterator<Item = Chart> {
    times_chart(stealing).into_iter().chain(use_chart(stealing))
}

fn times_chart(stealing: &[Stealing]) -> Option<Chart> {
    let graphs = distinct(stealing.iter().map(|time| &*time.graph));
    let grids: Vec<(String, Grid)> =
        graphs.into_iter().map(|graph| (graph.clone(), seconds(stealing, &graph))).collect();
    let findings = grids.iter().filter_map(|(graph, grid)| finding(graph, grid)).take(3).collect();
    let axis = || Axis::new("time", Quantity::Seconds, Scale::Linear);
    let view = |(graph, grid): (String, Grid)| View {
        name: graph,
        plot: times::bars(&grid, "queues", axis()),
    };
    (!grids.is_empty()).then(|| Chart {
        id: "stealing".into(),
        title: "Stealing from other queues".into(),
        reading: "Cubes take their work from queues. With stealing, a cube whose queue is empty \
            takes from another."
            .into(),
        after: Some(CHE.figure("Fig. 3")),
        findings,
        views_are: "graph",
        is_half: true,
        views: grids.into_iter().map(view).collect(),
    })
}

fn seconds(stealing: &[Stealing], graph: &str) -> Grid {
    let of_graph = stealing.iter().filter(|time| time.graph == graph);
    let named: Vec<(String, &Stealing)> =
        of_graph.map(|time| (time.queues.to_string(), time)).collect();
    Grid::new(named.iter().map(|(queues, time)| {
        (&**queues, if time.stealing { STEALING } else { NOT_STEALING }, time.seconds)
    }))
}

/// The effect of stealing on the time for each number of queues.
fn finding(graph: &str, seconds: &Grid) -> Option<String> {
    let change = |queues: &String| {
        let with = seconds.get(queues, STEALING)?;
        let without = seconds.get(queues, NOT_STEALING).filter(|&seconds| seconds > 0.0)?;
        let percent = (with / without - 1.0) * 100.0;
        let sign = if percent < 0.0 { "−" } else { "+" };
        Some(format!("{sign}{:.0} % with {queues} queues", percent.abs()))
    };
    let words: Vec<String> = seconds.rows.iter().filter_map(change).collect();
    (!words.is_empty())
        .then(|| format!("On {graph}, stealing changes the time by {}.", sentence_list(words, 5)))
}

fn use_chart(stealing: &[Stealing]) -> Option<Chart> {
    let used: Vec<(&Stealing, QueueUse)> = stealing
        .iter()
        .filter(|time| time.stealing)
        .filter_map(|time| Some((time, time.first_pass.or(time.consumed)?)))
        .collect();
    let graphs = distinct(used.iter().map(|(time, _)| &*time.graph));
    let view = |graph: String| {
        let of_graph: Vec<_> = used.iter().filter(|(time, _)| time.graph == graph).collect();
        let names: Vec<String> = of_graph.iter().map(|(time, _)| time.queues.to_string()).collect();
        let numbers = |number: fn(&QueueUse) -> f64| {
            of_graph.iter().map(|(_, used)| Some(number(used))).collect::<Vec<_>>()
        };
        let axis = Axis::new("elements consumed", Quantity::Count, Scale::Linear);
        let plot = Plot::of_names(Layout::Columns, "queues", &names, axis)
            .with_numbers(Series::new("most", Mark::Point), numbers(|used| used.max as f64))
            .with_numbers(
                Series::new("mean", Mark::Point).toned(Tone::Strong),
                numbers(|used| used.mean),
            )
            .with_numbers(Series::new("fewest", Mark::Point), numbers(|used| used.min as f64))
            .with_table_numbers("σ", Quantity::Count, numbers(|used| used.sigma));
        View { name: graph, plot }
    };
    (!graphs.is_empty()).then(|| Chart {
        id: "queue-use".into(),
        title: "Elements that each queue's cube consumed".into(),
        reading: "In the first pass over the vertices, or in all where the first was not counted \
            apart. All queues start with equally many elements. The further most and fewest are \
            apart, the more was stolen; the table has the standard deviation σ too."
            .into(),
        after: Some(CHE.figure("Table I")),
        findings: Vec::new(),
        views_are: "graph",
        is_half: true,
        views: graphs.into_iter().map(view).collect(),
    })
}
