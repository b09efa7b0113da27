//! Every level of a BFS by every strategy (Verstraaten et al., Figure 2).
//!
//! Which strategy a policy takes for a level is not told here: no policy is run.

use equipoise::{BfsOptions, BfsStrategy, Way};
use equipoise_report::data::LevelTime;

use super::{
    runner::{Bench, Trial},
    searches::bfs_strategies,
    suite::Subject,
};

pub fn run(bench: &mut Bench, subject: &Subject) {
    let Some(there) = bench.upload(subject, "bfs levels") else { return };
    let on_gpu = bench.on_gpu();
    for &strategy in bfs_strategies(on_gpu).iter().filter(|strategy| !on_gpu || looks(strategy)) {
        let trial = Trial { algorithm: "bfs levels", strategy: strategy.name() };
        let options = BfsOptions { strategy, ..BfsOptions::default() };
        let Some(measured) = bench.bfs(subject, trial, &there, &options) else { continue };
        let levels = measured.trace.steps.iter().map(|step| LevelTime {
            graph: subject.name.clone(),
            source: subject.graph.ids().id(subject.source),
            level: step.index,
            strategy: strategy.name().into(),
            seconds: step.time.as_secs_f64(),
            chosen: false,
        });
        bench.results.levels.extend(levels);
    }
}

/// Whether the host looks after every level, so that each has a time of its own.
fn looks(strategy: &BfsStrategy) -> bool {
    strategy.name().parse::<Way>().is_ok()
}
