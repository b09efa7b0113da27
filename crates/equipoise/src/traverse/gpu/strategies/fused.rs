//! The ways of direction-optimising, a level at a time.

use super::super::{
    fused::Fused,
    metric_on::MetricOn,
    search::{Listed, Search},
};
use crate::{Result, Way};

impl<'g, M: MetricOn> Search<'g, M> {
    /// What they need beside labels, made when it is asked for first.
    pub fn prepare_fused(&mut self) -> Result<&Fused<'g>> {
        let fused = match self.fused.take() {
            Some(fused) => fused,
            None => Fused::along(self.graph, self.labels.clone())?,
        };
        Ok(self.fused.insert(fused))
    }

    /// Lists the frontier's parts, unless they are listed. The number of the next launch.
    pub fn list_fused(&mut self) -> Result<u32> {
        if let Listed::Fused(launch) = self.listed {
            return Ok(launch);
        }
        let level = self.turn;
        let launch = self.prepare_fused()?.list_level(level)?;
        self.listed = Listed::Fused(launch);
        Ok(launch)
    }

    pub fn fused_level(&mut self, way: Way) -> Result<()> {
        let launch = self.list_fused()?;
        let (level, edges) = (self.turn, self.frontier.edges);
        self.prepare_fused()?.one_level(launch, way, level, edges)?;
        self.listed = Listed::Fused(launch + 1);
        Ok(())
    }
}
