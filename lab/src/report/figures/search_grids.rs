//! Numbers of searches, by graph and strategy.

use super::grid::Grid;
use crate::report::data::SearchTime;

/// A name reduced to letters and digits, for anchors and file names.
pub(super) fn id_of(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Numbers of searches, by graph and strategy.
pub(super) fn grid(times: &[&SearchTime], number: fn(&SearchTime) -> Option<f64>) -> Grid {
    let numbers = times.iter().filter_map(|&time| Some((time, number(time)?)));
    Grid::new(numbers.map(|(time, number)| (&*time.graph, &*time.strategy, number)))
}

pub(super) fn device_bytes(times: &[&SearchTime]) -> Grid {
    grid(times, |time| time.device_bytes.map(|bytes| bytes as f64))
}

pub(super) fn lines_of_code(times: &[&SearchTime]) -> Grid {
    grid(times, |time| time.lines_of_code.map(f64::from))
}
