//! PageRank under every schedule, each result verified and compared with the cpu's.

use equipoise::{
    Result,
    device::OpenDevice,
    pagerank::{PageRankOptions, pagerank},
};
use equipoise_schedule::ScheduleName;

use super::{Check, Target, whole_graphs};

/// How much ranks may differ from the cpu's, all of them together: both are within this of the exact ones.
const APART: f64 = 1e-3;

/// All schedules of a GPU, or the one way of the cpu.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let mut names = vec!["auto"];
    if let OpenDevice::Gpu(_) = target.device {
        names.extend(ScheduleName::ALL.iter().map(|schedule| schedule.name()));
    }
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let options = PageRankOptions { schedule: name.parse().ok(), ..PageRankOptions::default() };
        let found = there.pagerank(&options)?;
        found.verify(graph, &options)?;
        let here = pagerank(graph, &PageRankOptions::default())?;
        let ranks = found.ranks.iter().zip(&here.ranks);
        let apart: f64 = ranks.map(|(there, here)| f64::from((there - here).abs())).sum();
        Ok((apart > APART).then(|| format!("ranks differ by {apart} from the cpu's")))
    })
}
