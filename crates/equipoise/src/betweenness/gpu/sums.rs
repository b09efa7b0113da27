//! Sums of dependencies over the sources.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{count::*, look::*, pairs::*, paths::*};
use crate::NONE;

/// Sums the dependencies of each vertex. The dependency on the source itself counts only as an endpoint.
#[cube(launch_unchecked)]
pub(super) fn add_vertices(
    levels: &Array<u32>,
    dependencies: &Array<f32>,
    sums: &mut Array<f32>,
    vertices: u32,
    sources: u32,
    #[comptime] endpoints: bool,
) {
    for vertex in grid_stride_range(0, vertices) {
        let mut sum = 0.0f32;
        for search in 0..sources {
            let pair = (search * vertices + vertex) as usize;
            let level = levels[pair];
            if level != NONE {
                let dependency = dependencies[pair];
                if level != 0 {
                    sum += dependency;
                }
                if comptime!(endpoints) {
                    sum += select(level == 0, dependency, 1.0f32);
                }
            }
        }
        sums[vertex as usize] = sum;
    }
}

/// Sums the dependencies of each edge. `lanes` units share the edges of a vertex.
#[cube(launch_unchecked)]
pub(super) fn add_edges(
    edges: &Edges,
    pairs: &Pairs,
    sums: &mut Array<f32>,
    sources: u32,
    lanes: u32,
) {
    let groups = CUBE_DIM / lanes;
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for vertex in step_range(first, pairs.vertices, CUBE_COUNT as u32 * groups) {
        let end = edges.leaving.offsets[vertex as usize + 1];
        let start = edges.leaving.offsets[vertex as usize] + UNIT_POS % lanes;
        for edge in step_range(start, end, lanes) {
            let target = edges.leaving.targets[edge as usize];
            let mut sum = 0.0f32;
            for search in 0..sources {
                let pair = search * pairs.vertices + vertex;
                let other = search * pairs.vertices + target;
                let distance = distance_of(pairs, &edges.weighing, pair);
                let other_distance = distance_of(pairs, &edges.weighing, other);
                if is_on_path(distance, other_distance, weight_of(&edges.weighing, edge)) {
                    sum += share(pairs, pair, other);
                }
            }
            sums[edge as usize] = sum;
        }
    }
}

/// The contribution of a pair to the dependency of a pair before it, once both are known.
#[cube]
fn share(pairs: &Pairs, pair: u32, other: u32) -> f32 {
    let (paths, beyond) = (pairs.paths[pair as usize], pairs.paths[other as usize]);
    let dependency = f32::reinterpret(pairs.dependencies.get(pair));
    // The number, of which only the ratio is left.
    let number = (1.0f32 + dependency) / f32::reinterpret(paths[0]);
    number * halved(f32::reinterpret(beyond[0]), beyond[1] - paths[1])
}
