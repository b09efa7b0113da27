//! Times both directions at every level, on the cpu.

use std::time::Duration;

use equipoise::{
    Result,
    bfs::{Bfs, bfs_pulled_at},
    graph::Graph,
    traversal::level_steps,
};

use super::levels::{MeasureOptions, MeasuredBfs, MeasuredLevel};
use crate::experiments::timing::median::median;

/// Times both directions at the levels of a search. The frontiers do not depend on the directions,
/// so two searches suffice: one that always pushes, and one that pulls at the measured levels.
pub(super) fn measure(graph: &Graph, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
    let search = bfs_pulled_at(graph, &[source], &|_| false)?.remove(0);
    let levels = search.depth + 1;
    let wants = |level: u32| options.wants(level, levels);
    graph.transpose()?;
    let times = |pulls: &(dyn Fn(u32) -> bool + Sync)| -> Result<Vec<Vec<Duration>>> {
        // The first one allocates memory and is not timed.
        let sources = vec![source; 1 + options.repeat as usize];
        let searches = bfs_pulled_at(graph, &sources, pulls)?;
        let time = |search: &Bfs, level: usize| search.trace.steps[level].time;
        let of_level =
            |level: usize| searches[1..].iter().map(|search| time(search, level)).collect();
        Ok((0..levels as usize).map(of_level).collect())
    };
    let (pushed, pulled) = (times(&|_| false)?, times(&wants)?);
    let steps = level_steps(graph, &search.levels);
    let measured = (0..levels).filter(|&level| wants(level)).map(|level| {
        let index = level as usize;
        let times =
            [&pushed[index], &pulled[index]].map(|times| Ok(reported_median(times))).to_vec();
        MeasuredLevel { level, step: steps[index], times }
    });
    Ok(MeasuredBfs { levels: measured.collect(), search })
}

/// The median, at least one nanosecond: a clock may report zero.
fn reported_median(times: &[Duration]) -> Duration {
    median(times).unwrap_or_default().max(Duration::from_nanos(1))
}
