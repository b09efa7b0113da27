//! Times of several ways to do the same, on several graphs.

use super::grid::{Grid, sentence_list};
use crate::report::{
    chart::{Axis, Layout, Mark, Plot, Scale, Series, Tone, View},
    quantity::Quantity,
    table::Direction,
};

/// Each time over the fastest of its graph, a row a graph and a point a way.
pub(super) fn over_the_fastest(times: Grid, rows_are: &str) -> Plot {
    let times = times.over(Grid::smallest);
    let axis = Axis::new("time over the fastest", Quantity::Ratio, Scale::Log);
    points_in_rows(&times, rows_are, axis, None)
}

/// A row a graph, and a point for each number of it, which is over something; one of the columns may
/// stand out.
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

/// A column a graph, and a bar for each number of it.
pub(super) fn bars(numbers: &Grid, columns_are: &str, axis: Axis) -> Plot {
    let plot = Plot::of_names(Layout::Columns, columns_are, &numbers.rows, axis);
    numbers.columns.iter().fold(plot, |plot, name| {
        plot.with_numbers(Series::new(name, Mark::Bar), numbers.column(name))
    })
}

/// All graphs in one view, and each in one of its own.
pub(super) fn views(times: Grid, ways_are: &str) -> Vec<View> {
    let parts = Parts { grids: vec![("time", times)], beside: Vec::new() };
    let single = parts.views(ways_are);
    let all = parts.grids.into_iter().map(|(_, times)| View {
        name: "all graphs".into(),
        plot: over_the_fastest(times, "graph"),
    });
    all.chain(single).collect()
}

/// The parts of a time, of each way on each graph.
pub(super) struct Parts {
    /// A grid of graphs and ways for each part.
    pub grids: Vec<(&'static str, Grid)>,
    /// What else there is to know of each way on each graph.
    pub beside: Vec<(&'static str, Quantity, Grid)>,
}

impl Parts {
    /// A view for each graph, with a bar for each way, the fastest first.
    pub fn views(&self, ways_are: &str) -> Vec<View> {
        let graphs = self.grids.first().map(|(_, grid)| grid.rows.clone()).unwrap_or_default();
        graphs.into_iter().map(|graph| self.view(graph, ways_are)).collect()
    }

    fn view(&self, graph: String, ways_are: &str) -> View {
        let all = self.grids.first().map(|(_, grid)| grid.columns.as_slice()).unwrap_or_default();
        let totals = all.iter().filter_map(|way| Some((self.total(&graph, way)?, way)));
        let mut totals: Vec<(f64, &String)> = totals.collect();
        totals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ways: Vec<String> = totals.iter().map(|(_, way)| (*way).clone()).collect();

        let axis = Axis::new("time", Quantity::Seconds, Scale::Linear);
        let plot = Plot::of_names(Layout::Rows, ways_are, &ways, axis);
        let plot = self.grids.iter().fold(plot, |plot, (part, grid)| {
            let numbers = ways.iter().map(|way| grid.get(&graph, way)).collect();
            plot.with_numbers(Series::new(*part, Mark::Stack), numbers)
        });
        let totals = totals.iter().map(|(total, _)| Some(*total)).collect();
        let plot = match self.grids.len() {
            1 => plot,
            _ => plot.with_numbers_beside("total", Quantity::Seconds, totals),
        };
        let plot = self.beside.iter().fold(plot, |plot, (name, quantity, grid)| {
            let numbers = ways.iter().map(|way| grid.get(&graph, way)).collect();
            plot.with_numbers_beside(name, *quantity, numbers)
        });
        View { name: graph, plot }
    }

    fn total(&self, graph: &str, way: &str) -> Option<f64> {
        self.grids.iter().map(|(_, grid)| grid.get(graph, way)).sum()
    }
}

/// Who is the fastest how often.
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
        .map(|(place, (count, way))| match place {
            0 => format!("{way} on {count} of {all} {rows_are}"),
            _ => format!("{way} on {count}"),
        })
        .collect();
    (!words.is_empty()).then(|| format!("The fastest is {}.", sentence_list(words, 5)))
}
