//! `two-phase`: costs and updating costs, in two launches per iteration (Harish and Narayanan, as corrected by Pathak et
//! al.).
//!
//! In the first launch, vertices whose cost was lowered lower their neighbours' updating costs by an atomic minimum. In the
//! second, every vertex adopts a lower updating cost. A unit does `coarsening` vertices one after the other.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
    ranges::*,
};

use crate::{
    NONE, Result,
    traversal::{GraphOp, GraphSizes, Iterate, Listed, SearchState, Strategy, UNITS},
};

#[derive(CubeType, CubeLaunch)]
struct Costs {
    costs: Array<u32>,
    updating: Array<u32>,
    /// The last iteration in which each vertex propagates its cost, counted from 1.
    offers: Array<u32>,
}

/// Initializes updating costs with the costs, after another strategy.
#[cube(launch_unchecked)]
fn copy_costs(costs: &mut Costs, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        costs.updating[vertex as usize] = costs.costs[vertex as usize];
    }
}

/// The first launch: the vertices of this iteration propagate their costs.
#[cube(launch_unchecked)]
fn offer(
    rows: &Rows,
    op: &mut AnySearchOp,
    updating: &mut AtomicArray,
    offers: &Array<u32>,
    vertices: u32,
    iteration: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        if offers[vertex as usize] == iteration + 1 {
            let cost = op.label(vertex);
            let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
            for edge in begin..end {
                let target = rows.targets[edge as usize];
                let new = op.along(cost, edge);
                if new < updating.get(target) {
                    updating.fetch_min(target, new);
                }
            }
        }
    }
}

/// The second launch: vertices adopt lower updating costs, and propagate them in the next iteration; `found` counts them.
#[cube(launch_unchecked)]
fn take_over(costs: &mut Costs, found: &mut Array<Atomic<u32>>, vertices: u32, iteration: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let index = vertex as usize;
        let updating = costs.updating[index];
        if updating < costs.costs[index] {
            costs.costs[index] = updating;
            costs.offers[index] = iteration + 2;
            found[0].fetch_add(1u32);
        }
    }
}

#[derive(Default)]
pub(super) struct TwoPhase {
    /// The updating costs, and the iteration for which they are valid.
    updating: Option<(Buffer<u32>, u32)>,
}

impl<'g, Op: GraphOp> Iterate<'g, Op> for TwoPhase {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::TwoPhase]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        sizes.vertices
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let (gpu, vertices) = (search.gpu(), search.graph.vertices());
        let (updating, ready) = match self.updating.take() {
            Some(updating) => updating,
            None => (gpu.empty(vertices as usize)?, NONE),
        };
        let iteration = search.iteration;
        let one_each = (search.cubes(vertices), CubeDim::new_1d(UNITS));
        let some_each = || {
            let units = vertices.div_ceil(search.settings.coarsening);
            (search.cubes(units), CubeDim::new_1d(UNITS))
        };
        let costs = || CostsLaunch::new(search.labels.arg(), updating.arg(), search.joined().arg());
        // SAFETY: each vertex has a cost, an updating cost, an iteration and an offset.
        unsafe {
            if ready != iteration {
                let (cubes, units) = one_each;
                let client = gpu.client();
                copy_costs::launch_unchecked::<GpuRuntime>(client, cubes, units, costs(), vertices);
            }
            let (cubes, units) = some_each();
            offer::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                search.rows.arg(),
                erase_search::<Op>(Op::arg(gpu, search.rows, &search.labels)),
                AtomicArray::bind(gpu, &updating),
                search.joined().arg(),
                vertices,
                iteration,
            );
            let (cubes, units) = some_each();
            take_over::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                costs(),
                search.found.arg(),
                vertices,
                iteration,
            );
        }
        self.updating = Some((updating, iteration + 1));
        search.listed = Listed::Nothing;
        Ok(1)
    }
}
