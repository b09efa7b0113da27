//! Every level of a BFS by every strategy, and the choices of a policy (Verstraaten et al., Figure
//! 2).

use std::time::Duration;

use equipoise::{
    bfs::BfsOptions,
    select::{CandidateSet, Chooser, Model, features::GraphShape},
};

use super::{
    runner::{Bench, Trial},
    searches::bfs_strategies,
    subject::Subject,
};
use crate::{
    experiments::{MeasureOptions, MeasuredLevel, measure_bfs},
    report::data::LevelTime,
};

/// The maximum number of measured levels per search, evenly spread.
const MOST_LEVELS: u32 = 60;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    if bench.on_gpu() { candidates(bench, subject) } else { traces(bench, subject) }
}

/// On a GPU, times all candidates from the same state of a search.
fn candidates(bench: &mut Bench, subject: &Subject) {
    let trial = Trial { algorithm: "bfs levels", strategy: "all" };
    let Some(device_graph) = bench.upload(subject, trial.algorithm) else { return };
    let options = MeasureOptions {
        repeat: bench.repeat,
        most_levels: Some(MOST_LEVELS),
        ..MeasureOptions::default()
    };
    let measured = bench.once(
        &subject.name,
        trial,
        || Ok((measure_bfs(&device_graph, subject.source, &options)?, *device_graph.shape()?)),
        |(measured, _)| measured.search.verify(&subject.graph, &BfsOptions::default()),
    );
    let Some((measured, shape)) = measured else { return };
    let levels = measured.levels;
    let chosen = bench.model.map(|model| chosen_path(model, &shape, &levels)).unwrap_or_default();
    for (at, level) in levels.iter().enumerate() {
        let chosen = chosen.get(at).copied();
        let timed = options.candidates.iter().zip(&level.times).enumerate();
        for (number, (candidate, time)) in timed {
            let Ok(time) = time else { continue };
            let (strategy, is_chosen) = (candidate.to_string(), chosen == Some(number));
            add(bench, subject, level.level, strategy, *time, is_chosen);
        }
    }
}

/// The candidates that a model chooses at each level, among those with a time.
fn chosen_path(model: &Model, shape: &GraphShape, levels: &[MeasuredLevel]) -> Vec<usize> {
    let available = |level: &MeasuredLevel| {
        let timed = level.times.iter().enumerate().filter(|(_, time)| time.is_ok());
        timed.fold(CandidateSet::default(), |set, (number, _)| set.with(number))
    };
    let Some(Ok(mut chooser)) = levels.first().map(|first| Chooser::new(model, available(first)))
    else {
        return Vec::new();
    };
    levels.iter().map(|level| chooser.choose(&shape.features(&level.step)).candidate).collect()
}

/// On the cpu, takes the time of each level from traces of whole searches.
fn traces(bench: &mut Bench, subject: &Subject) {
    let Some(device_graph) = bench.upload(subject, "bfs levels") else { return };
    for &strategy in bfs_strategies(false) {
        let trial = Trial { algorithm: "bfs levels", strategy: strategy.name() };
        let options = BfsOptions { strategy, ..BfsOptions::default() };
        let Some(measured) = bench.bfs(subject, trial, &device_graph, &options) else { continue };
        for step in &measured.trace.steps {
            add(bench, subject, step.index, strategy.name().into(), step.time, false);
        }
    }
}

fn add(
    bench: &mut Bench,
    subject: &Subject,
    level: u32,
    strategy: String,
    time: Duration,
    chosen: bool,
) {
    bench.results.levels.push(LevelTime {
        graph: subject.name.clone(),
        source: subject.source.into(),
        level,
        strategy,
        seconds: time.as_secs_f64(),
        chosen,
    });
}
