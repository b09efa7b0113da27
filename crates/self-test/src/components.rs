//! Components by every strategy, each result verified and compared with the cpu's.

use equipoise::{
    Result,
    components::{ComponentsOptions, ComponentsStrategy, components},
};

use super::{Check, Target, whole_graphs};

/// All strategies.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let names: Vec<_> = ComponentsStrategy::ALL.iter().map(|strategy| strategy.name()).collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let strategy = name.parse().unwrap_or_default();
        let strong = strategy == ComponentsStrategy::ForwardBackward;
        let found = there.components(&ComponentsOptions { strategy, strong })?;
        found.verify(graph)?;
        let here =
            components(graph, &ComponentsOptions { strong, ..ComponentsOptions::default() })?;
        Ok((found.labels != here.labels).then(|| "other labels than on the cpu".into()))
    })
}
