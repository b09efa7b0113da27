//! Timing every candidate at every level of a search on a GPU.

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    bfs::{BfsOptions, Candidate, LevelStepper},
    traversal::TraversalSettings,
};

use super::{
    MeasureOptions, MeasuredBfs, MeasuredLevel,
    contest::{Contestant, time_all},
};
use crate::experiments::timing::median::unless_too_large;

/// A search at each level of which all candidates are timed. Where those that `auto` chooses from can
/// run, it stands as a search of theirs does: what another one makes of the frontier before it can
/// start is in its time.
pub(super) fn measure(
    there: &LoadedGraph,
    source: u32,
    options: &MeasureOptions,
) -> Result<MeasuredBfs> {
    let last_level = match options.most_levels {
        Some(_) => there.bfs(source, &BfsOptions::default())?.download()?.depth,
        None => u32::MAX - 1,
    };
    let base = TraversalSettings::default();
    let settings = |candidate: &Candidate| candidate.settings(&base);
    let settings: Vec<TraversalSettings> = options.candidates.iter().map(settings).collect();
    let mut stepper = there.bfs_stepper(source, &base)?;
    let mut contestants = Vec::with_capacity(settings.len());
    for (candidate, settings) in options.candidates.iter().zip(&settings) {
        let strategy = candidate.strategy;
        let refused = unless_too_large(stepper.prepare(strategy))?.err();
        contestants.push(Contestant { strategy, settings, refused });
    }
    let levels = all_levels(&mut stepper, &contestants, options, last_level)?;
    Ok(MeasuredBfs { levels, search: stepper.finish()? })
}

/// Times all candidates at the levels that are wanted.
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
            next = place_of_next(contestants, &times)?;
            levels.push(MeasuredLevel { level, step: stepper.step(), times });
        }
        let Contestant { strategy, settings, .. } = contestants[next];
        stepper.advance(strategy, settings)?;
    }
    Ok(levels)
}

/// The candidate to go on with: of those that can be fused, if there are some, the one with the
/// least time; else of all. Fails where none has one.
fn place_of_next(contestants: &[Contestant], times: &[Result<Duration, String>]) -> Result<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((time.as_ref().ok()?, at)));
    let rank = |&(time, at): &(&Duration, usize)| (!contestants[at].strategy.is_fused(), *time);
    let reasons = || times.iter().filter_map(|time| time.as_ref().err());
    timed.min_by_key(rank).map(|(_, at)| at).ok_or_else(|| {
        let reason = reasons().next().map_or("", String::as_str);
        Error::Option(format!("no candidate can run: {reason}"))
    })
}
