//! Independent sets by every priority, each verified and compared with the cpu's.

use equipoise::{
    Result,
    mis::{MisOptions, MisPriority, mis},
};

use super::{Check, Target, whole_graphs};

/// All priorities.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let names: Vec<_> = MisPriority::ALL.iter().map(|priority| priority.name()).collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let options = MisOptions { priority: name.parse().unwrap_or_default(), seed: 3 };
        let found = there.mis(&options)?;
        found.verify(graph, &options)?;
        let here = mis(graph, &options)?;
        Ok((found.in_set != here.in_set).then(|| "another set than on the cpu".into()))
    })
}
