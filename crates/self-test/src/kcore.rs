//! Core numbers, verified and compared with the cpu's.

use equipoise::{Result, kcore::kcore};

use super::{Check, Target, whole_graphs};

/// All shapes.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    whole_graphs::check_all(target, &["peel"], report, |_, there, graph| {
        let found = there.kcore()?;
        found.verify(graph)?;
        Ok((found.cores != kcore(graph)?.cores).then(|| "other cores than on the cpu".into()))
    })
}
