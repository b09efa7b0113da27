//! The levels of breadth-first searches whose steps on the device were several levels each.

use equipoise::{Trace, graph::Graph, traversal::level_steps};
use serde::Serialize;

use crate::{
    failure::Result,
    numbers,
    screen::Screen,
    table::{Column, draw_shortened},
};

/// One level. Its time is unknown: the device runs several levels by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    pub level: usize,
    /// The vertices of the level.
    pub frontier: u64,
    /// The edges that leave them.
    pub edges: u64,
    /// The vertices of the next level.
    pub found: u64,
}

/// The levels of a search; none if each is a step of its trace.
pub fn of_search(graph: &Graph, levels: &[u32], trace: &Trace) -> Vec<Level> {
    if trace.steps.iter().all(|step| step.sub_steps <= 1) {
        return Vec::new();
    }
    let steps = level_steps(graph, levels);
    let next = |level: usize| steps.get(level + 1).map_or(0, |next| next.frontier);
    let levels = steps.iter().enumerate();
    levels
        .map(|(level, step)| Level {
            level,
            frontier: step.frontier,
            edges: step.frontier_edges,
            found: next(level),
        })
        .collect()
}

/// Prints the levels, if any, as a table: its first and last rows, or all if verbose.
pub fn print(screen: &mut Screen, levels: &[Level]) -> Result<()> {
    if levels.is_empty() {
        return Ok(());
    }
    let columns = ["level", "frontier", "edges", "found"].map(Column::Right);
    let table = draw_shortened(&columns, levels.len(), screen.is_verbose(), |index| {
        let Level { level, frontier, edges, found } = levels[index];
        let counts = [frontier, edges, found].map(numbers::count);
        std::iter::once(level.to_string()).chain(counts).collect()
    });
    screen.line(format_args!("\n{table}\n"))
}

#[cfg(test)]
mod tests {
    use equipoise::{
        Step,
        bfs::{BfsOptions, bfs},
        graph::{io::ReadOptions, load},
    };

    use super::*;

    #[test]
    fn steps_of_several_levels_are_taken_apart() {
        let star = load("star:n=5", &ReadOptions::default()).unwrap();
        let search = bfs(&star, 1, &BfsOptions::default()).unwrap();
        let together = Trace { steps: vec![Step { sub_steps: 3, ..Step::new(0, "learned") }] };
        let levels = of_search(&star, &search.levels, &together);
        let level = |level, frontier, edges, found| Level { level, frontier, edges, found };
        assert_eq!(levels, [level(0, 1, 1, 1), level(1, 1, 4, 3), level(2, 3, 3, 0)]);
        assert!(of_search(&star, &search.levels, &search.trace).is_empty());
    }
}
