//! Charts of several methods for the same task, on several graphs.

use super::grid::{Grid, sentence_list};
use crate::report::{
    chart::{Axis, Layout, Mark, Plot, Scale, Series, Tone, View},
    quantity::Quantity,
    table::Direction,
};

/// Each time relative to the fastest of its graph: one row per graph, one point per method.
pub(super) fn over_the_fastest(times: Grid, rows_are: &str) -> Plot {
    let times = times.over(Grid::smallest);
    let axis = Axis::new("time over the fastest", Quantity::Ratio, Scale::Log);
    points_in_rows(&times, rows_are, axis, None)
}

/// One row per graph, with a point for each of its ratios; one of the columns may be highlighted.
pub(super) fn points_in_rows(
    numbers: &Grid,
    rows_are: &str,
    axis: Axis,
    strong: Option<&str>,
) -> Plot {
    let plot = Plot::of_names(Layout::Rows, rows_are, &numbers.rows, axis);
    let plot = plot.with_line(Direction::X, 1.0, "");
    numbers.columns.iter().fold(plot, |plot, name| {
        let tone = if strong == Some(name) { Tone::Strong } else { Tone::Own };
        plot.with_numbers(Series::new(name, Mark::Point).toned(tone), numbers.column(name))
    })
}

/// One column per graph, with a bar for each of its numbers.
pub(super) fn bars(numbers: &Grid, columns_are: &str, axis: Axis) -> Plot {
    let plot = Plot::of_names(Layout::Columns, columns_are, &numbers.rows, axis);
    numbers.columns.iter().fold(plot, |plot, name| {
        plot.with_numbers(Series::new(name, Mark::Bar), numbers.column(name))
    })
}

/// One view of all graphs, and one per graph.
pub(super) fn views(times: Grid, methods_are: &str) -> Vec<View> {
    let parts = Parts { grids: vec![("time", times)], further: Vec::new() };
    let single = parts.views(methods_are);
    let all = parts.grids.into_iter().map(|(_, times)| View {
        name: "all graphs".into(),
        plot: over_the_fastest(times, "graph"),
    });
    all.chain(single).collect()
}

/// The parts of the time of each method on each graph.
pub(super) struct Parts {
    /// A grid of graphs and methods for each part.
    pub grids: Vec<(&'static str, Grid)>,
    /// Further numbers of each method on each graph.
    pub further: Vec<(&'static str, Quantity, Grid)>,
}

impl Parts {
    /// One view per graph, with a bar per method, the fastest first.
    pub fn views(&self, methods_are: &str) -> Vec<View> {
        let graphs = self.grids.first().map(|(_, grid)| grid.rows.clone()).unwrap_or_default();
        graphs.into_iter().map(|graph| self.view(graph, methods_are)).collect()
    }

    fn view(&self, graph: String, methods_are: &str) -> View {
        let all = self.grids.first().map(|(_, grid)| grid.columns.as_slice()).unwrap_or_default();
        let totals = all.iter().filter_map(|way| Some((self.total(&graph, way)?, way)));
        let mut totals: Vec<(f64, &String)> = totals.collect();
        totals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ways: Vec<String> = totals.iter().map(|(_, way)| (*way).clone()).collect();

        let axis = Axis::new("time", Quantity::Seconds, Scale::Linear);
        let plot = Plot::of_names(Layout::Rows, methods_are, &ways, axis);
        let plot = self.grids.iter().fold(plot, |plot, (part, grid)| {
            let numbers = ways.iter().map(|way| grid.get(&graph, way)).collect();
            plot.with_numbers(Series::new(*part, Mark::Stack), numbers)
        });
        let totals = totals.iter().map(|(total, _)| Some(*total)).collect();
        let plot = match self.grids.len() {
            1 => plot,
            _ => plot.with_table_numbers("total", Quantity::Seconds, totals),
        };
        let plot = self.further.iter().fold(plot, |plot, (name, quantity, grid)| {
            let numbers = ways.iter().map(|way| grid.get(&graph, way)).collect();
            plot.with_table_numbers(name, *quantity, numbers)
        });
        View { name: graph, plot }
    }

    fn total(&self, graph: &str, way: &str) -> Option<f64> {
        self.grids.iter().map(|(_, grid)| grid.get(graph, way)).sum()
    }
}

/// A sentence on how often each method is the fastest.
pub(super) fn fastest(times: &Grid, rows_are: &str) -> Option<String> {
    let winners: Vec<&str> = times.rows.iter().filter_map(|row| times.first(row)).collect();
    let mut wins: Vec<(usize, &str)> = times
        .columns
        .iter()
        .map(|way| (winners.iter().filter(|winner| *winner == way).count(), way.as_str()))
        .filter(|(count, _)| *count > 0)
        .collect();
    wins.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let all = winners.len();
    let words: Vec<String> = wins
        .iter()
        .enumerate()
        .map(|(rank, (count, way))| match rank {
            0 => format!("{way} on {count} of {all} {rows_are}"),
            _ => format!("{way} on {count}"),
        })
        .collect();
    (!words.is_empty()).then(|| format!("The fastest is {}.", sentence_list(words, 5)))
}
