//! The time of both directions at every level, on the cpu.

use std::time::Duration;

use equipoise::{
    Result,
    bfs::{Bfs, bfs_pulled_at},
    graph::Graph,
    traversal::level_steps,
};

use super::{MeasureOptions, MeasuredBfs, MeasuredLevel};
use crate::experiments::timing::median::median;

/// Times both directions at the levels of a search. The frontiers of a search are the same in
/// whichever direction they are found, so that two searches tell: one that pushes always, and one
/// that pulls where it is measured.
pub(super) fn measure(graph: &Graph, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
    let search = bfs_pulled_at(graph, &[source], &|_| false)?.remove(0);
    let levels = search.depth + 1;
    let wants = |level: u32| options.wants(level, levels);
    graph.transpose()?;
    let times = |pulls: &(dyn Fn(u32) -> bool + Sync)| -> Result<Vec<Vec<Duration>>> {
        // The first one takes memory, and does not count.
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
        let place = level as usize;
        let times = [&pushed[place], &pulled[place]].map(|times| Ok(told(times))).to_vec();
        MeasuredLevel { level, step: steps[place], times }
    });
    Ok(MeasuredBfs { levels: measured.collect(), search })
}

/// The median; at least a nanosecond, as a clock may tell nothing of less.
fn told(times: &[Duration]) -> Duration {
    median(times).unwrap_or_default().max(Duration::from_nanos(1))
}
