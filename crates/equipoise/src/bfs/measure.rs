//! The time of both directions at every level, on the cpu.

use std::time::Duration;

use equipoise_graph::Graph;

use super::{
    Bfs, BfsOptions, MeasureOptions, MeasuredBfs, MeasuredLevel,
    cpu::Searcher,
    direction::{CANDIDATES, Decide},
};
use crate::{Result, learned, level_steps, tree::check_vertex};

impl MeasuredBfs {
    /// What is timed on the cpu, whatever candidates the options have.
    ///
    /// ```
    /// assert_eq!(equipoise::MeasuredBfs::candidates_of_cpu(), ["push", "pull"]);
    /// ```
    pub fn candidates_of_cpu() -> [&'static str; 2] {
        CANDIDATES
    }
}

/// Times both directions at the levels of a search. The frontiers of a search are the same in
/// whichever direction they are found, so that two searches tell: one that pushes always, and one
/// that pulls where it is measured.
pub(crate) fn measure(graph: &Graph, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
    options.check()?;
    graph.check()?;
    check_vertex(graph, source)?;
    let plain = BfsOptions::default();
    let search = rayon::scope(|_| Searcher::new(graph, &plain, Decide::Push).run(source))?;
    let levels = search.depth + 1;
    let wants = |level: u32| options.wants(level, levels);
    graph.transpose()?;
    let times = |decide: Decide| -> Result<Vec<Vec<Duration>>> {
        let searches = rayon::scope(|_| -> Result<Vec<Bfs>> {
            let mut searcher = Searcher::new(graph, &plain, decide);
            searcher.run(source)?;
            (0..options.repeat).map(|_| searcher.run(source)).collect()
        })?;
        let time = |search: &Bfs, level: usize| search.trace.steps[level].time;
        let of_level = |level: usize| searches.iter().map(|search| time(search, level)).collect();
        Ok((0..levels as usize).map(of_level).collect())
    };
    let (pushed, pulled) = (times(Decide::Push)?, times(Decide::PullAt(&wants))?);
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
    learned::median(times).unwrap_or_default().max(Duration::from_nanos(1))
}
