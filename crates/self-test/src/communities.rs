//! Communities by every strategy, each result verified and compared with the cpu's.

use equipoise::{
    Result,
    communities::{CommunitiesOptions, CommunitiesStrategy, communities},
};

use super::{Check, Target, whole_graphs};

/// All strategies.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let names: Vec<_> = CommunitiesStrategy::ALL.iter().map(|strategy| strategy.name()).collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let strategy = name.parse().unwrap_or_default();
        let options = CommunitiesOptions { strategy, ..CommunitiesOptions::default() };
        let found = there.communities(&options)?;
        found.verify(graph, &options)?;
        let here = communities(graph, &options)?;
        let differs = found.communities != here.communities;
        Ok(differs.then(|| "other communities than on the cpu".into()))
    })
}
