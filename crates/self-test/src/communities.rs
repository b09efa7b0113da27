//! Communities by every strategy, each result verified: labels are the cpu's, and communities by louvain about as modular.

use equipoise::{
    Result,
    communities::{CommunitiesOptions, CommunitiesStrategy, communities},
};

use super::{Check, Target, whole_graphs};

/// By how much less modular communities are that vertices found in another order.
const NEAR: f64 = 0.05;

/// All strategies.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let names: Vec<_> = CommunitiesStrategy::ALL.iter().map(|strategy| strategy.name()).collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let strategy = name.parse().unwrap_or_default();
        let options = CommunitiesOptions { strategy, ..CommunitiesOptions::default() };
        let found = there.communities(&options)?;
        found.verify(graph, &options)?;
        let here = communities(graph, &options)?;
        let differs = match strategy {
            CommunitiesStrategy::LabelPropagation => found.communities != here.communities,
            _ => found.modularity < here.modularity - NEAR,
        };
        Ok(differs.then(|| "other communities than on the cpu".into()))
    })
}
