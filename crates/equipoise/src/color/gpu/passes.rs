//! Recoloring, color by color in another order, as [on the cpu](super::super::passes).

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, GpuRuntime},
    engine::*,
    primitives::{MAX_CLASSES, sort_by_class},
    ranges::*,
};

use super::{
    super::{ColorOptions, passes},
    all_vertices::{gather_class, gather_class_by_lanes},
    graph::DeviceNeighbors,
    outcome::Outcome,
};
use crate::{NONE, Result, Step, kernels::UNITS};

/// The largest maximum degree for which one unit per vertex suffices.
const FEW: u32 = 64;
/// The mean degree from which on several units share a vertex.
const ENOUGH: u32 = 8;

/// The first free color in a window of 32.
#[derive(CubeType, CubeLaunch)]
struct FirstFit {
    /// The colors of this pass, `NONE` for uncolored vertices.
    colors: Array<u32>,
    /// The first color of the window.
    start: u32,
}

impl GatherOpKind for FirstFit {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl GatherOp for FirstFit {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let color = self.colors[neighbour as usize];
        let mut taken = 0u32;
        // The difference of a color before the window wraps around to a large number.
        if color != NONE && color - self.start < 32 {
            taken = 1u32 << (color - self.start);
        }
        taken
    }

    fn combine(a: u32, b: u32) -> u32 {
        a | b
    }

    fn apply(&mut self, vertex: u32, taken: u32) {
        if self.colors[vertex as usize] == NONE && taken != u32::MAX {
            self.colors[vertex as usize] = self.start + (!taken).trailing_zeros();
        }
    }
}

/// Runs all passes.
pub(super) fn improve(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    outcome: &mut Outcome,
) -> Result<()> {
    let clock = graph.gpu.stopwatch();
    let mut count = outcome.count(graph.gpu)?;
    let passes = passes::count(options, count);
    for pass in 0..passes {
        let order = passes::order(options, pass, count);
        let after = graph.gpu.filled(graph.vertices as usize, NONE)?;
        if graph.degrees.max <= FEW && count <= MAX_CLASSES {
            color_sorted(graph, &outcome.colors, &after, &order)?;
        } else {
            for (index, &color) in (0..).zip(&order) {
                color_class(graph, &outcome.colors, &after, color, index)?;
            }
        }
        outcome.colors = after;
        count = outcome.count(graph.gpu)?;
    }
    for _ in 0..passes {
        outcome.steps.push(Step {
            frontier: graph.vertices.into(),
            time: clock.elapsed() / passes,
            ..Step::new(outcome.steps.len() as u32, "again")
        });
    }
    Ok(())
}

/// Assigns all vertices their first free color, color by color, with one or several units per vertex.
fn color_sorted(
    graph: &DeviceNeighbors,
    before: &Buffer<u32>,
    after: &Buffer<u32>,
    order: &[u32],
) -> Result<()> {
    let sorted = sort_by_class(graph.gpu, before, order.len() as u32)?;
    let several = graph.graph.edges() / graph.vertices.max(1) >= ENOUGH;
    for &color in order {
        let client = graph.gpu.client();
        let (cubes, units) = (graph.cubes(), CubeDim::new_1d(UNITS));
        let (order, starts) = (sorted.order.arg(), sorted.offsets.arg());
        let (rows, op) = (graph.graph.rows(), FirstFitLaunch::new(after.arg(), 0));
        // SAFETY: the vertices of a color are a range of the sorted vertices, and have offsets. There are at most 32
        // colors, and no pass needs more than before.
        unsafe {
            if several {
                gather_class_by_lanes::launch_unchecked::<FirstFit, GpuRuntime>(
                    client, cubes, units, order, starts, rows, op, color,
                );
            } else {
                gather_class::launch_unchecked::<FirstFit, GpuRuntime>(
                    client, cubes, units, order, starts, rows, op, color,
                );
            }
        }
    }
    Ok(())
}

/// Assigns the vertices of a color their first free color, which is at most `index`, the index of `color` in the order.
fn color_class(
    graph: &DeviceNeighbors,
    before: &Buffer<u32>,
    after: &Buffer<u32>,
    color: u32,
    index: u32,
) -> Result<()> {
    let gpu = graph.gpu;
    let flags = gpu.empty(graph.vertices as usize)?;
    // SAFETY: each vertex has a flag and a color.
    unsafe {
        flag_color::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.cubes(),
            CubeDim::new_1d(UNITS),
            before.arg(),
            flags.arg(),
            color,
        );
    }
    let is_narrow = graph.degrees.max <= FEW;
    let schedule = if is_narrow { ScheduleName::ThreadMapped } else { ScheduleName::MergePath };
    let class = Frontier::from_flags(graph.graph, &flags)?;
    let class = FrontierGather::new(&class, schedule.into())?;
    for start in (0..=index).step_by(32) {
        // SAFETY: each vertex has a color.
        let op =
            unsafe { Operation::<FirstFit>::unchecked(|| FirstFitLaunch::new(after.arg(), start)) };
        class.run(&op)?;
    }
    Ok(())
}

#[cube(launch_unchecked)]
fn flag_color(colors: &Array<u32>, flags: &mut Array<u32>, color: u32) {
    for vertex in grid_stride_range(0, flags.len() as u32) {
        flags[vertex as usize] = u32::cast_from(colors[vertex as usize] == color);
    }
}
