//! The levels of a breadth-first search whose steps on the device were several levels each.

use equipoise::{Trace, bfs::Bfs, graph::Graph, traversal::level_steps};
use serde::Serialize;

use crate::{
    failure::Result,
    numbers,
    screen::Screen,
    table::{Column, draw_shortened},
};

/// One level. How long it took is not known: the device goes from one to the next by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    pub level: usize,
    /// The vertices of the level.
    pub frontier: u64,
    /// The edges that leave them.
    pub edges: u64,
    /// The vertices of the next one.
    pub found: u64,
}

/// The levels of a search; none where each is a step of its trace.
pub fn of(graph: &Graph, bfs: &Bfs, trace: &Trace) -> Vec<Level> {
    if trace.steps.iter().all(|step| step.sub_steps <= 1) {
        return Vec::new();
    }
    let steps = level_steps(graph, &bfs.levels);
    let found = |level: usize| steps.get(level + 1).map_or(0, |next| next.frontier);
    let levels = steps.iter().enumerate();
    levels
        .map(|(level, step)| Level {
            level,
            frontier: step.frontier,
            edges: step.frontier_edges,
            found: found(level),
        })
        .collect()
}

/// Prints the levels as a table, if there are any: its first and last rows, or all that are wanted.
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
    fn a_step_of_several_levels_is_told_apart() {
        let star = load("star:n=5", &ReadOptions::default()).unwrap();
        let found = bfs(&star, 1, &BfsOptions::default()).unwrap();
        let together = Trace { steps: vec![Step { sub_steps: 3, ..Step::new(0, "learned") }] };
        let levels = of(&star, &found, &together);
        let level = |level, frontier, edges, found| Level { level, frontier, edges, found };
        assert_eq!(levels, [level(0, 1, 1, 1), level(1, 1, 4, 3), level(2, 3, 3, 0)]);
        assert!(of(&star, &found, &found.trace).is_empty());
    }
}
