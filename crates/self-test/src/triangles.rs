//! Triangles by every strategy, each result verified and compared with the cpu's.

use equipoise::{
    Result,
    triangles::{TrianglesOptions, TrianglesStrategy, triangles},
};

use super::{Check, Target, whole_graphs};

/// All strategies that the device has.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let is_on_gpu = matches!(target.device, equipoise::device::OpenDevice::Gpu(_));
    let has = |strategy: &&TrianglesStrategy| !is_on_gpu || **strategy != TrianglesStrategy::Bitmap;
    let names = TrianglesStrategy::ALL.iter().filter(has).map(|strategy| strategy.name());
    let names: Vec<_> = names.collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let strategy = name.parse().unwrap_or_default();
        let found = there.triangles(&TrianglesOptions { strategy })?;
        found.verify(graph)?;
        let here = triangles(graph, &TrianglesOptions::default())?;
        Ok((found.counts != here.counts).then(|| "other counts than on the cpu".into()))
    })
}
