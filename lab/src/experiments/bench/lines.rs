//! The lines of code of each strategy on a GPU, counted once: without blank lines, comments and
//! tests, and including code shared with a few other strategies.

/// The strategies and their lines, one row each, below the date of counting.
const LINES: &str = include_str!("lines.csv");

/// The lines of a strategy; `None` if not counted.
pub(super) fn lines_of(strategy: &str) -> Option<u32> {
    let rows = LINES.lines().filter_map(|row| row.split_once(','));
    let (_, lines) = rows.into_iter().find(|(name, _)| *name == strategy)?;
    lines.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_has_lines_where_it_was_counted() {
        assert!(
            lines_of("node") < lines_of("hierarchy"),
            "{:?} and {:?}",
            lines_of("node"),
            lines_of("hierarchy")
        );
        assert_eq!(lines_of("sorting"), None);
    }
}
