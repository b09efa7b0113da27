//! Charts of strategies ranked by time, memory and code.

use super::{
    grid::Grid,
    search_grids::{device_bytes, grid, id_of, lines_of_code},
};
use crate::report::{
    chart::{Axis, Chart, Layout, Mark, Plot, Scale, Series, View},
    data::SearchTime,
    papers::RAVAL,
    quantity::Quantity,
    table::geometric_mean,
};

/// A measure to rank strategies by; smaller is better.
struct Measure {
    name: &'static str,
    numbers: Vec<Option<f64>>,
}

/// The chart, unless time is the only measure.
pub(super) fn chart(algorithm: &str, times: &[&SearchTime]) -> Option<Chart> {
    let seconds = grid(times, |time| Some(time.search_seconds()));
    let strategies = seconds.columns.clone();
    let (bytes, lines) = (device_bytes(times), lines_of_code(times));
    let measures = [
        Measure { name: "time", numbers: typical(seconds, &strategies) },
        Measure { name: "device memory", numbers: typical(bytes, &strategies) },
        Measure { name: "lines of code", numbers: typical(lines, &strategies) },
    ];
    let is_known = |measure: &Measure| measure.numbers.iter().flatten().count() > 1;
    let measures: Vec<Measure> = measures.into_iter().filter(is_known).collect();
    if measures.len() < 2 {
        return None;
    }
    Some(Chart {
        id: format!("{}-ranks", id_of(algorithm)),
        title: format!("{}: rank of time, memory and code", algorithm.to_uppercase()),
        reading: "Each line is a strategy; the higher, the better. Time and memory are ranked by \
            their geometric mean over the best of each graph that the strategy ran on, code by its \
            lines, those shared with a few others among them. Equal strategies share a rank."
            .into(),
        after: Some(RAVAL.figure("Fig. 9")),
        findings: Vec::new(),
        views_are: "",
        is_half: false,
        views: vec![View { name: "all graphs".into(), plot: plot(&strategies, &measures) }],
    })
}

/// The mean ratio of each strategy to the best, over graphs.
fn typical(numbers: Grid, strategies: &[String]) -> Vec<Option<f64>> {
    let numbers = numbers.over(Grid::smallest);
    let typical = |strategy: &String| {
        let numbers: Vec<f64> = numbers.column(strategy).into_iter().flatten().collect();
        (!numbers.is_empty()).then(|| geometric_mean(numbers.into_iter()))
    };
    strategies.iter().map(typical).collect()
}

fn plot(strategies: &[String], measures: &[Measure]) -> Plot {
    let names: Vec<String> = measures.iter().map(|measure| measure.name.into()).collect();
    let axis = Axis::new("rank", Quantity::Count, Scale::Rank);
    let plot = Plot::of_names(Layout::Columns, "measure", &names, axis);
    strategies.iter().enumerate().fold(plot, |plot, (index, strategy)| {
        let ranks = measures.iter().map(|measure| rank(&measure.numbers, index)).collect();
        plot.with_numbers(Series::new(strategy, Mark::Named), ranks)
    })
}

/// One plus the number of smaller ones.
fn rank(numbers: &[Option<f64>], index: usize) -> Option<f64> {
    let number = numbers[index]?;
    // Equal up to rounding.
    let smaller = |other: &&f64| **other < number * (1.0 - 1e-9);
    Some(1.0 + numbers.iter().flatten().filter(smaller).count() as f64)
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn equal_numbers_share_a_rank() {
        let numbers = [Some(2.0), Some(1.0), None, Some(2.0), Some(5.0)];
        let ranks: Vec<_> = (0..5).map(|index| rank(&numbers, index)).collect();
        assert_eq!(ranks, [Some(2.0), Some(1.0), None, Some(2.0), Some(4.0)]);
    }
}
