//! [Refinement](super::super::refinement) on a GPU: communities are built anew from single vertices, so that each part is connected.

use std::ops::Range;

use cubecl::prelude::*;
use equipoise_graph::cancel;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    input::Input,
};

use super::{
    super::random_order::RandomOrder, arithmetic::*, choose::*, level::*, movers::*, row_op::*,
    visits::*,
};
use crate::{NONE, Result};

/// The parts of each community, labelled with vertices.
pub(super) fn refine(moved: &Movers, order: RandomOrder) -> Result<Buffer<u32>> {
    let refinement = Refinement::new(moved.level, &moved.labels, &moved.totals, moved.scale)?;
    let mut visits = refinement.movers.visits(order)?;
    refinement.sum_outside(&visits);
    while !visits.is_empty() {
        cancel::poll();
        refinement.visit_all(&visits)?;
        visits = refinement.movers.visits(order)?;
    }
    Ok(refinement.movers.labels)
}

struct Refinement<'g> {
    communities: &'g Buffer<u32>,
    masses: &'g WideSums,
    /// The labels are parts.
    movers: Movers<'g>,
    /// The weight from each part to the rest of its community.
    outside: WideSums,
}

impl<'g> Refinement<'g> {
    fn new(
        level: &'g Level<'g>,
        communities: &'g Buffer<u32>,
        masses: &'g WideSums,
        scale: f32,
    ) -> Result<Self> {
        let outside = WideSums::zeros(level.gpu(), communities.len())?;
        Ok(Self { communities, masses, movers: Movers::new(level, scale, None)?, outside })
    }

    /// The weight from each vertex to the rest of its community.
    fn sum_outside(&self, visits: &Visits) {
        let level = self.movers.level;
        for listed in visits.all() {
            let op = OutsideLaunch::new(
                self.communities.arg(),
                level.weights.arg(),
                self.outside.low.arg(),
            );
            // SAFETY: each vertex has a community and a sum, and each edge a weight.
            unsafe { for_rows::<Outside>(&level.graph, &listed, op) };
        }
    }

    fn visit_all(&self, visits: &Visits) -> Result<()> {
        let batches = visits.batches(self.movers.level.graph.vertices());
        batches.into_iter().try_for_each(|parts| self.visit(visits, parts))
    }

    /// Lets the vertices of a batch join parts.
    fn visit(&self, visits: &Visits, parts: Range<u32>) -> Result<()> {
        let (movers, level) = (&self.movers, self.movers.level);
        for listed in visits.listed(parts.clone()) {
            // SAFETY: each vertex has a part, a community and a strength, which have masses and weights to the rest.
            unsafe { movers.chooser.choose::<Refining>(&listed, self.rule())? };
        }
        movers.settle(visits, &parts);
        for listed in visits.listed(parts.clone()) {
            let op = RejoinLaunch::new(
                visits.batch(&parts),
                movers.chooser.wishes.from.arg(),
                movers.labels.arg(),
                self.communities.arg(),
                level.weights.arg(),
                self.outside.atomic(level.gpu()),
            );
            // SAFETY: as above.
            unsafe { for_rows::<Rejoin>(&level.graph, &listed, op) };
        }
        Ok(())
    }

    fn rule(&self) -> RefiningLaunch<GpuRuntime> {
        RefiningLaunch::new(
            self.movers.labels.arg(),
            self.communities.arg(),
            self.movers.totals.arg(),
            self.masses.arg(),
            self.outside.arg(),
            self.movers.level.strengths.arg(),
            self.movers.scale,
        )
    }
}

/// Vertices that are alone, and well connected to the rest of their community, join the well-connected part with the largest gain.
#[derive(CubeType, CubeLaunch)]
struct Refining {
    parts: Input<u32>,
    communities: Input<u32>,
    part_masses: Wide,
    masses: Wide,
    /// The weight from each part to the rest of its community.
    outside: Wide,
    strengths: Input<u32>,
    scale: f32,
}

#[cube]
impl Refining {
    /// Whether a part has no less weight to the rest of its community than chance would have.
    fn is_well_connected(&self, part: u32) -> bool {
        let mass = self.part_masses.get(part);
        let rest = self.masses.get(self.communities[part as usize]) - mass;
        self.outside.get(part) >= self.scale * mass * rest
    }
}

#[cube]
impl Rule for Refining {
    fn own(&self, vertex: u32) -> u32 {
        self.parts[vertex as usize]
    }

    fn may_leave(&self, vertex: u32) -> bool {
        let strength = self.strengths[vertex as usize];
        // Others that had joined would add to the mass.
        let is_alone = self.parts[vertex as usize] == vertex
            && self.part_masses.low[vertex as usize] == strength
            && self.part_masses.high[vertex as usize] == 0;
        is_alone && strength > 0 && self.is_well_connected(vertex)
    }

    fn around(&self, vertex: u32, neighbour: u32) -> u32 {
        let is_inside = self.communities[neighbour as usize] == self.communities[vertex as usize];
        select(is_inside, self.parts[neighbour as usize], NONE)
    }

    fn gain(&self, vertex: u32, _to_own: u32, label: u32, to_label: u32) -> u32 {
        let strength = f32::cast_from(self.strengths[vertex as usize]);
        let by_chance = self.scale * strength * self.part_masses.get(label);
        let gain = ordered(f32::cast_from(to_label) - by_chance);
        let is_possible = to_label > 0 && gain >= ORDERED_ZERO && self.is_well_connected(label);
        select(is_possible, gain, 0u32)
    }
}

/// Sums the weight from each vertex to the rest of its community.
#[derive(CubeType, CubeLaunch)]
struct Outside {
    communities: Input<u32>,
    weights: Input<u32>,
    sums: Array<u32>,
}

#[cube]
impl RowOp for Outside {
    fn is_due(&self, _vertex: u32) -> bool {
        true.runtime()
    }

    fn first(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let is_inside = self.communities[neighbour as usize] == self.communities[vertex as usize];
        select(is_inside, self.weights[edge as usize], 0u32)
    }

    fn second(&self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
        0u32.runtime()
    }

    fn apply(&mut self, vertex: u32, sum: u32, _second: u32) {
        self.sums[vertex as usize] = sum;
    }
}

/// Changes the weight of parts to the rest of their community by the vertices of a batch that have joined them: it gains their edges
/// to others, and loses those that led from the part to them.
#[derive(CubeType, CubeLaunch)]
struct Rejoin {
    batch: Batch,
    from: Input<u32>,
    parts: Input<u32>,
    communities: Input<u32>,
    weights: Input<u32>,
    outside: AtomicWide,
}

#[cube]
impl RowOp for Rejoin {
    fn is_due(&self, vertex: u32) -> bool {
        self.from[vertex as usize] != self.parts[vertex as usize]
    }

    fn first(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let is_inside = self.communities[neighbour as usize] == self.communities[vertex as usize];
        let is_other = self.parts[neighbour as usize] != self.parts[vertex as usize];
        select(is_inside && is_other, self.weights[edge as usize], 0u32)
    }

    fn second(&self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let mut before = self.parts[neighbour as usize];
        if self.batch.has(neighbour) {
            before = self.from[neighbour as usize];
        }
        select(before == self.parts[vertex as usize], self.weights[edge as usize], 0u32)
    }

    fn apply(&mut self, vertex: u32, gained: u32, lost: u32) {
        let part = self.parts[vertex as usize];
        self.outside.add(part, gained);
        self.outside.subtract(part, lost);
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_schedule::{engine::DeviceGraph, lower};

    use super::*;
    use crate::{lower::assert_compiles, permute::identity};

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2], &[1, 0]).unwrap();
        let level = Level::of_ones(&graph).unwrap();
        let communities = identity(&gpu, 2).unwrap();
        let masses = WideSums::zeros(&gpu, 2).unwrap();
        let refinement = Refinement::new(&level, &communities, &masses, 0.5).unwrap();
        let visits = Visits::assumed(&gpu).unwrap();
        refinement.sum_outside(&visits);
        refinement.visit_all(&visits).unwrap();
        assert_compiles(&gpu, "choose_alone choose_together visit_rows");
    }
}
