//! The kernels of a batch of searches.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::super::edges::*;

/// The searches of a batch, in a kernel. What is there twice is atomic to be changed, and plain to
/// be looked at: a plain look at a label can be out of date, never too small.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Searches {
    labels: Array<Atomic<u32>>,
    labels_seen: Array<u32>,
    /// The last turn that each vertex is listed for.
    turns: Array<Atomic<u32>>,
    list: Array<u32>,
    next: Array<u32>,
    counts: Array<Atomic<u32>>,
    counts_seen: Array<u32>,
    alive: Array<Atomic<u32>>,
    alive_seen: Array<u32>,
}

#[cube]
impl Searches {
    /// Puts a vertex into the list of the next turn, unless it is there.
    fn list(&mut self, search: u32, searches: u32, row: u32, vertex: u32, turn: u32) {
        let next = turn + 1;
        if self.turns[(row + vertex) as usize].fetch_max(next) < next {
            let count = next % 3 * searches + search;
            let place = self.counts[count as usize].fetch_add(1u32);
            self.next[(row + place) as usize] = vertex;
            if place == 0 {
                self.alive[(next % 3) as usize].fetch_add(1u32);
            }
        }
    }
}

/// The first turn's lists. A unit takes a search.
#[cube(launch_unchecked)]
pub(super) fn begin(
    sources: &Array<u32>,
    state: &mut Searches,
    searches: u32,
    vertices: u32,
    turn: u32,
) {
    for search in grid_stride_range(0, searches) {
        let row = search * vertices;
        let source = sources[search as usize];
        state.labels_seen[(row + source) as usize] = 0u32;
        state.list[row as usize] = source;
        state.counts_seen[(turn % 3 * searches + search) as usize] = 1u32;
    }
    if ABSOLUTE_POS == 0 {
        state.alive_seen[(turn % 3) as usize] = searches;
    }
}

/// A turn of all searches. `parts` cubes share the list of each, and `lanes` units the edges of each
/// vertex of it.
#[cube(launch_unchecked)]
pub(super) fn turn<L: Numeric>(
    edges: &Edges<L>,
    state: &mut Searches,
    searches: u32,
    parts: u32,
    lanes: u32,
    vertices: u32,
    turn: u32,
) {
    let after_next = (turn + 2) % 3;
    for search in grid_stride_range(0, searches) {
        state.counts_seen[(after_next * searches + search) as usize] = 0u32;
    }
    if ABSOLUTE_POS == 0 {
        state.alive_seen[after_next as usize] = 0u32;
    }
    if state.alive_seen[(turn % 3) as usize] != 0 {
        let (group, lane) = (UNIT_POS / lanes, UNIT_POS % lanes);
        let groups = CUBE_DIM / lanes;
        for share in cube_grid_stride_range(0, searches * parts) {
            let (search, part) = (share / parts, share % parts);
            let row = search * vertices;
            let count = state.counts_seen[(turn % 3 * searches + search) as usize];
            for index in step_range(part * groups + group, count, parts * groups) {
                let vertex = state.list[(row + index) as usize];
                let length = L::reinterpret(state.labels_seen[(row + vertex) as usize]);
                let end = edges.offsets[vertex as usize + 1];
                for edge in step_range(edges.offsets[vertex as usize] + lane, end, lanes) {
                    let target = edges.targets[edge as usize];
                    let new = u32::reinterpret(length + edges.weights[edge as usize]);
                    let place = (row + target) as usize;
                    if new < state.labels_seen[place] {
                        let old = state.labels[place].fetch_min(new);
                        if new < old {
                            state.list(search, searches, row, target, turn);
                        }
                    }
                }
            }
        }
    }
}
