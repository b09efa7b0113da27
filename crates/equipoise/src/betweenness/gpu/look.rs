//! How units share the edges of pairs.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, ranges::*};

use super::{pairs::*, paths::*};

/// Edges that a unit looks at together.
pub(super) const LOOKS: usize = 4;

/// The edges of both directions; in an undirected graph they are the same.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Edges {
    pub leaving: Rows,
    pub entering: ComptimeOption<Rows>,
    pub weighing: ComptimeOption<Weighing>,
}

/// The levels that a launch visits.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Visit {
    /// The barrier of launches that visit several levels.
    pub barrier: ComptimeOption<BarrierWords>,
    pub level: u32,
    /// The most levels.
    pub levels: u32,
    /// The number of units that share the edges of a vertex with few.
    pub lanes: u32,
}

/// The units that share the edges of a vertex.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Team {
    pub rank: u32,
    pub size: u32,
}

/// Neighbours of the vertex of a pair, as pairs of the same source. The pair itself takes the place of missing ones.
#[derive(CubeType)]
pub(super) struct Looks {
    pub pairs: Array<u32>,
    pub distances: Array<u32>,
    pub weights: Array<u32>,
}

/// A pair and its distance.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Viewer {
    pub pair: u32,
    pub vertex: u32,
    pub distance: u32,
}

#[cube]
impl Viewer {
    pub fn new(pairs: &Pairs, edges: &Edges, pair: u32, level: u32) -> Viewer {
        let mut distance = level;
        #[comptime]
        if edges.weighing.is_some() {
            distance = distance_of(pairs, &edges.weighing, pair);
        }
        Viewer { pair, vertex: pair % pairs.vertices, distance }
    }

    /// The neighbours along edges from `first` on of the vertex, which has `degree` edges from `begin` on.
    #[allow(clippy::too_many_arguments)]
    pub fn look(
        &self,
        pairs: &Pairs,
        edges: &Edges,
        team: Team,
        begin: u32,
        degree: u32,
        first: u32,
        #[comptime] leaves: bool,
    ) -> Looks {
        let mut others = Array::<u32>::new(LOOKS);
        let mut distances = Array::<u32>::new(LOOKS);
        let mut weights = Array::<u32>::new(LOOKS);
        let row = self.pair - self.vertex;
        #[unroll]
        for look in 0..LOOKS {
            let index = first + comptime!(look as u32) * team.size;
            others[look] = self.pair;
            weights[look] = 1u32;
            if index < degree {
                others[look] = row + edges.target(begin + index, leaves);
                weights[look] = edges.weight(begin + index, leaves);
            }
        }
        #[unroll]
        for look in 0..LOOKS {
            distances[look] = distance_of(pairs, &edges.weighing, others[look]);
        }
        Looks { pairs: others, distances, weights }
    }
}

#[cube]
impl Edges {
    fn target(&self, edge: u32, #[comptime] leaves: bool) -> u32 {
        let mut target = 0u32;
        if comptime!(leaves) {
            target = self.leaving.targets[edge as usize];
        }
        #[comptime]
        if let ComptimeOption::Some(entering) = &self.entering {
            if comptime!(!leaves) {
                target = entering.targets[edge as usize];
            }
        }
        target
    }

    fn weight(&self, edge: u32, #[comptime] leaves: bool) -> u32 {
        if comptime!(leaves) {
            weight_of(&self.weighing, edge)
        } else {
            weight_of_entering(&self.weighing, edge)
        }
    }
}

/// The first of the pairs that a plane visits at a time, with `lanes` units each. Neighbouring planes are of different
/// cubes, so that few pairs are spread over all of them.
#[cube]
pub(super) fn teams(lanes: u32, count: u32) -> StepRange {
    let groups = PLANE_DIM / lanes;
    let plane = UNIT_POS / PLANE_DIM * CUBE_COUNT as u32 + CUBE_POS as u32;
    let planes = CUBE_DIM / PLANE_DIM * CUBE_COUNT as u32;
    step_range(plane * groups, count, planes * groups)
}
