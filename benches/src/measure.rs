//! Fair measurements of several programs: they take turns, and the median counts.

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

use crate::Result;

/// Runs `work` and returns its result with its time.
pub fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

/// A timed operation, which verifies its result and returns its time.
pub type Timed<'a> = Box<dyn FnMut() -> Result<Duration> + 'a>;

/// Runs all in turn, once to warm up and then `repeats` times; returns the median of each.
pub fn alternate(all: &mut [Timed], repeats: usize) -> Result<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(repeats); all.len()];
    for repeat in 0..=repeats {
        for (work, times) in all.iter_mut().zip(&mut times) {
            let time = work()?;
            if repeat > 0 {
                times.push(time);
            }
        }
    }
    Ok(times.into_iter().map(median).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() % 2 {
        0 => (times[middle - 1] + times[middle]) / 2,
        _ => times[middle],
    }
}

/// Sets the number of threads; the default is one per core.
pub fn use_threads(threads: Option<usize>) -> Result<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    pool.build_global()?;
    Ok(rayon::current_num_threads())
}

/// A table whose columns from `numbers` on are numbers.
pub fn table(header: &[&str], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Formats a time in milliseconds.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// The speedup of ours over theirs.
pub fn times_as_fast(ours: Duration, theirs: Duration) -> String {
    format!("{:.2}", theirs.as_secs_f64() / ours.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_take_turns_and_the_warm_up_does_not_count() {
        let turns = std::cell::RefCell::new(String::new());
        let mut slow_start = [9000, 5, 1, 3].into_iter();
        let mut first: [Timed; 2] = [
            Box::new(|| {
                turns.borrow_mut().push('a');
                Ok(Duration::from_millis(slow_start.next().unwrap_or_default()))
            }),
            Box::new(|| {
                turns.borrow_mut().push('b');
                Ok(Duration::from_millis(7))
            }),
        ];
        let medians = alternate(&mut first, 3).unwrap();
        assert_eq!(medians, [Duration::from_millis(3), Duration::from_millis(7)]);
        drop(first);
        assert_eq!(turns.into_inner(), "abababab");
    }

    #[test]
    fn above_one_ours_is_faster() {
        assert_eq!(times_as_fast(Duration::from_millis(2), Duration::from_millis(5)), "2.50");
    }
}
