//! Times every candidate at every level of a search on a GPU.

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    bfs::{BfsOptions, Candidate, LevelStepper},
    traversal::TraversalSettings,
};

use super::{
    contest::{Contestant, time_all},
    levels::{MeasureOptions, MeasuredBfs, MeasuredLevel},
};
use crate::experiments::timing::median::unless_too_large;

/// Measures a search in which all candidates are timed at each level. If the candidates of `auto`
/// can run, the search is in the state that they leave: the conversion of the frontier to another
/// candidate's representation is part of that candidate's time.
pub(super) fn measure(
    device_graph: &LoadedGraph,
    source: u32,
    options: &MeasureOptions,
) -> Result<MeasuredBfs> {
    let last_level = match options.most_levels {
        Some(_) => device_graph.bfs(source, &BfsOptions::default())?.download()?.depth,
        None => u32::MAX - 1,
    };
    let base = TraversalSettings::default();
    let settings = |candidate: &Candidate| candidate.settings(&base);
    let settings: Vec<TraversalSettings> = options.candidates.iter().map(settings).collect();
    let mut stepper = device_graph.bfs_stepper(source, &base)?;
    let mut contestants = Vec::with_capacity(settings.len());
    for (candidate, settings) in options.candidates.iter().zip(&settings) {
        let strategy = candidate.strategy;
        let refused = unless_too_large(stepper.prepare(strategy))?.err();
        contestants.push(Contestant { strategy, settings, refused });
    }
    let levels = all_levels(&mut stepper, &contestants, options, last_level)?;
    Ok(MeasuredBfs { levels, search: stepper.finish()? })
}

/// Times all candidates at the selected levels.
fn all_levels<'g>(
    stepper: &mut LevelStepper<'g>,
    contestants: &[Contestant<'g>],
    options: &MeasureOptions,
    last_level: u32,
) -> Result<Vec<MeasuredLevel>> {
    let (mut levels, mut next) = (Vec::new(), 0);
    while !stepper.is_done() {
        let level = stepper.level();
        if options.wants(level, last_level + 1) {
            let times = time_all(stepper, contestants, options.repeat)?;
            next = next_candidate(contestants, &times)?;
            levels.push(MeasuredLevel { level, step: stepper.step(), times });
        }
        let Contestant { strategy, settings, .. } = contestants[next];
        stepper.advance(strategy, settings)?;
    }
    Ok(levels)
}

/// The candidate to continue with: the fastest that can be fused, or else the fastest of all. Fails if no candidate ran.
fn next_candidate(contestants: &[Contestant], times: &[Result<Duration, String>]) -> Result<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((time.as_ref().ok()?, at)));
    let rank = |&(time, at): &(&Duration, usize)| (!contestants[at].strategy.is_fused(), *time);
    let reasons = || times.iter().filter_map(|time| time.as_ref().err());
    timed.min_by_key(rank).map(|(_, at)| at).ok_or_else(|| {
        let reason = reasons().next().map_or("", String::as_str);
        Error::Option(format!("no candidate can run: {reason}"))
    })
}
