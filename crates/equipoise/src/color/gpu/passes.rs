//! Coloring once more, color by color in another order: as [on the cpu](super::super::passes).

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
    all_vertices::{gather_class, gather_class_by_few},
    graph::{DeviceNeighbors, UNITS},
    outcome::Outcome,
};
use crate::{NONE, Result, Step};

/// Up to so many neighbours, a unit may take a vertex alone.
const FEW: u32 = 64;
/// From so many neighbours a vertex on, in the mean, a few units share one.
const ENOUGH: u32 = 8;

/// The first color that fits, of 32.
#[derive(CubeType, CubeLaunch)]
struct FirstFit {
    /// Those of this pass, `NONE` where there is none yet.
    colors: Array<u32>,
    /// The first of the 32.
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
        // One below the first is far beyond the last, too.
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

/// Colors once more, as often as wanted.
pub(super) fn improve(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    outcome: &mut Outcome,
) -> Result<()> {
    let clock = graph.gpu.stopwatch();
    let mut count = outcome.count(graph.gpu)?;
    let passes = passes::wanted(options, count);
    for pass in 0..passes {
        let order = passes::order(options, pass, count);
        let after = graph.gpu.filled(graph.vertices as usize, NONE)?;
        if graph.degrees.max <= FEW && count <= MAX_CLASSES {
            color_sorted(graph, &outcome.colors, &after, &order)?;
        } else {
            for (place, &color) in (0..).zip(&order) {
                color_class(graph, &outcome.colors, &after, color, place)?;
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

/// Gives all vertices the first color that fits, color by color, a unit or a few a vertex.
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
        // SAFETY: the vertices of a color are a part of those sorted, and all have offsets. No
        // more than 32 colors are ever given, as many as there were.
        unsafe {
            match several {
                true => gather_class_by_few::launch_unchecked::<FirstFit, GpuRuntime>(
                    client, cubes, units, order, starts, rows, op, color,
                ),
                false => gather_class::launch_unchecked::<FirstFit, GpuRuntime>(
                    client, cubes, units, order, starts, rows, op, color,
                ),
            }
        }
    }
    Ok(())
}

/// Gives those that had a color the first one that fits, which is at most their color's place in the
/// order.
fn color_class(
    graph: &DeviceNeighbors,
    before: &Buffer<u32>,
    after: &Buffer<u32>,
    color: u32,
    place: u32,
) -> Result<()> {
    let gpu = graph.gpu;
    let flags = gpu.empty(graph.vertices as usize)?;
    // SAFETY: there are a flag and a color for each vertex.
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
    let schedule = match graph.degrees.max <= FEW {
        true => ScheduleName::ThreadMapped,
        false => ScheduleName::MergePath,
    };
    let class = Frontier::from_flags(graph.graph, &flags)?;
    let class = FrontierGather::<FirstFit>::new(&class, schedule.into())?;
    for start in (0..=place).step_by(32) {
        // SAFETY: there is a color for each vertex.
        let op = unsafe { Operation::unchecked(|| FirstFitLaunch::new(after.arg(), start)) };
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
