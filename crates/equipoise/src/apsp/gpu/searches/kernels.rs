//! The kernels of a batch of searches.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use crate::apsp::gpu::edges::*;

/// The searches of a batch, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Searches {
    /// A plain read can return an old label, which is never too small.
    labels: AtomicArray,
    /// The last iteration that each vertex is listed for.
    listed: Array<Atomic<u32>>,
    list: Array<u32>,
    next: Array<u32>,
    /// The lengths of lists, then the number of active searches: for this iteration, the next one, and
    /// zeros.
    counts: AtomicArray,
}

#[cube]
impl Searches {
    /// Puts a vertex into the list of the next iteration, once.
    fn list(&mut self, search: u32, searches: u32, row: u32, vertex: u32, iteration: u32) {
        let next = iteration + 1;
        if self.listed[(row + vertex) as usize].fetch_max(next) < next {
            let index = self.counts.fetch_add(count_at(next, searches, search), 1u32);
            self.next[(row + index) as usize] = vertex;
            if index == 0 {
                self.counts.fetch_add(count_at(next, searches, searches), 1u32);
            }
        }
    }
}

/// The index of the length of a search's list; after those of all searches, of the number of active
/// ones.
#[cube]
fn count_at(iteration: u32, searches: u32, search: u32) -> u32 {
    iteration % 3 * (searches + 1) + search
}

/// Makes the lists of the first iteration. One unit per search.
#[cube(launch_unchecked)]
pub(super) fn begin(
    sources: &Array<u32>,
    state: &mut Searches,
    searches: u32,
    vertices: u32,
    iteration: u32,
) {
    for search in grid_stride_range(0, searches) {
        let row = search * vertices;
        let source = sources[search as usize];
        state.labels.set(row + source, 0u32);
        state.list[row as usize] = source;
        state.counts.set(count_at(iteration, searches, search), 1u32);
    }
    if ABSOLUTE_POS == 0 {
        state.counts.set(count_at(iteration, searches, searches), searches);
    }
}

/// An iteration of all searches. `parts` cubes share the list of each, and `lanes` units the edges of
/// each of its vertices.
#[cube(launch_unchecked)]
pub(super) fn iterate<L: Numeric>(
    edges: &Edges<L>,
    state: &mut Searches,
    searches: u32,
    parts: u32,
    lanes: u32,
    vertices: u32,
    iteration: u32,
) {
    for search in grid_stride_range(0, searches + 1) {
        state.counts.set(count_at(iteration + 2, searches, search), 0u32);
    }
    if state.counts.get(count_at(iteration, searches, searches)) != 0 {
        let (group, lane) = (UNIT_POS / lanes, UNIT_POS % lanes);
        let groups = CUBE_DIM / lanes;
        for share in cube_grid_stride_range(0, searches * parts) {
            let (search, part) = (share / parts, share % parts);
            let row = search * vertices;
            let count = state.counts.get(count_at(iteration, searches, search));
            for index in step_range(part * groups + group, count, parts * groups) {
                let vertex = state.list[(row + index) as usize];
                let length = L::reinterpret(state.labels.get(row + vertex));
                let end = edges.offsets[vertex as usize + 1];
                for edge in step_range(edges.offsets[vertex as usize] + lane, end, lanes) {
                    let target = edges.targets[edge as usize];
                    let new = u32::reinterpret(length + edges.weights[edge as usize]);
                    if new < state.labels.get(row + target) {
                        let old = state.labels.fetch_min(row + target, new);
                        if new < old {
                            state.list(search, searches, row, target, iteration);
                        }
                    }
                }
            }
        }
    }
}
