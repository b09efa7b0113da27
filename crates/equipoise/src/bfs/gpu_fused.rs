//! `fused-push` and `fused-pull`: one level of direction-optimising, where the host chooses.

use equipoise_schedule::{
    device::Buffer,
    engine::{Direction, LevelSearch, parts_words},
};

use super::gpu::Discover;
use crate::{
    Result,
    traversal::{GraphOp, GraphSizes, Iterate, Listed, SearchState, Strategy},
};

/// Both directions, which share the list of the frontier.
#[derive(Default)]
pub(super) struct Fused<'g> {
    levels: Option<LevelSearch<'g>>,
}

impl<'g> Fused<'g> {
    fn levels(&mut self, search: &SearchState<'g, Discover>) -> Result<&LevelSearch<'g>> {
        let levels = match self.levels.take() {
            Some(levels) => levels,
            None => {
                search.graph.entering()?;
                LevelSearch::new::<Discover>(search.graph.engine_graph()?, None)?
            }
        };
        Ok(self.levels.insert(levels))
    }
}

impl<'g> Iterate<'g, Discover> for Fused<'g> {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::FusedPush, Strategy::FusedPull]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        sizes.entering + parts_words(sizes.vertices, sizes.edges) + sizes.vertices / 16 + 512
    }

    fn prepare(&mut self, _: Strategy, search: &SearchState<'g, Discover>) -> Result<()> {
        self.levels(search).map(drop)
    }

    /// Lists the parts of the frontier, unless they are listed, which [`Listed::Own`] tells with the number of the next
    /// launch.
    fn make_list(&mut self, search: &mut SearchState<'g, Discover>) -> Result<()> {
        if !matches!(search.listed, Listed::Own(name, _) if name.is_fused()) {
            let op = Discover::operation(search.graph, &search.labels)?;
            let launch = self.levels(search)?.list_level(&op, search.iteration)?;
            search.listed = Listed::Own(Strategy::FusedPush, launch);
        }
        Ok(())
    }

    fn launch(&mut self, name: Strategy, search: &mut SearchState<'g, Discover>) -> Result<u32> {
        self.make_list(search)?;
        let Listed::Own(_, launch) = search.listed else { return Ok(0) };
        let direction = match name {
            Strategy::FusedPull => Direction::Pull,
            _ => Direction::Push,
        };
        let op = Discover::operation(search.graph, &search.labels)?;
        let levels = self.levels(search)?;
        levels.one_level(&op, launch, direction, search.iteration, search.frontier.edges)?;
        let next = launch + 1;
        search.examined = Some((levels.words().clone(), LevelSearch::looked(next)));
        search.listed = Listed::Own(Strategy::FusedPush, next);
        Ok(1)
    }

    fn state(&self) -> Option<&Buffer<u32>> {
        self.levels.as_ref().map(LevelSearch::words)
    }
}
