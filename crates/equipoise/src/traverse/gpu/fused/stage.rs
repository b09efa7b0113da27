//! The vertices that a cube finds in a wide level: gathered in shared memory, written out together.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{super::field::*, control::*};

/// Units of a cube of wide levels.
pub(crate) const WIDE_UNITS: u32 = 256;
/// Room for vertices, so that they are written out once for several found by each unit.
const ROOM: u32 = 4 * WIDE_UNITS;

/// Vertices found by a cube.
#[derive(CubeType)]
pub(super) struct Stage {
    vertices: SharedMemory<u32>,
    /// How many are staged, the edges of all that were found, and where to write.
    counts: SharedMemory<Atomic<u32>>,
    place: SharedMemory<u32>,
}

#[cube]
impl Stage {
    /// All units of the cube call it together, as all functions but `add`.
    pub fn new() -> Stage {
        let counts = SharedMemory::<Atomic<u32>>::new(2usize);
        if UNIT_POS < 2 {
            counts[UNIT_POS as usize].store(0u32);
        }
        let vertices = SharedMemory::<u32>::new(comptime!(ROOM as usize));
        let place = SharedMemory::<u32>::new(1usize);
        sync_cube();
        Stage { vertices, counts, place }
    }

    /// Takes note of a vertex. A unit may add one between two calls of `write_if_full`.
    pub fn add(
        &mut self,
        rows: &Rows,
        lists: &mut Lists,
        found: &mut Array<Atomic<u32>>,
        vertex: u32,
        large_start: u32,
    ) {
        let degree = rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
        self.counts[1].fetch_add(degree);
        if degree > LARGE_DEGREE {
            let place = large_start + found[FOUND_LARGE].fetch_add(1u32);
            lists.large[place as usize] = vertex;
        } else {
            let place = self.counts[0].fetch_add(1u32);
            self.vertices[place as usize] = vertex;
        }
    }

    /// Writes out what is staged, if there might not be room for one more of each unit.
    pub fn write_if_full(
        &mut self,
        lists: &mut Lists,
        found: &mut Array<Atomic<u32>>,
        small_start: u32,
    ) {
        sync_cube();
        let is_full = self.counts[0].load() > comptime!(ROOM - WIDE_UNITS);
        // Nobody adds before all have looked.
        sync_cube();
        if is_full {
            self.write(lists, found, small_start);
        }
    }

    /// Writes out what is staged.
    pub fn write(&mut self, lists: &mut Lists, found: &mut Array<Atomic<u32>>, small_start: u32) {
        sync_cube();
        let count = self.counts[0].load();
        if UNIT_POS == 0 {
            self.place[0] = found[FOUND].fetch_add(count);
        }
        sync_cube();
        let start = small_start + self.place[0];
        for index in cube_stride_range(0, count) {
            lists.small[(start + index) as usize] = self.vertices[index as usize];
        }
        sync_cube();
        if UNIT_POS == 0 {
            self.counts[0].store(0u32);
        }
        sync_cube();
    }

    /// Writes out what is left, and adds up the edges.
    pub fn finish(&mut self, lists: &mut Lists, found: &mut Array<Atomic<u32>>, small_start: u32) {
        self.write(lists, found, small_start);
        if UNIT_POS == 0 {
            found[FOUND_EDGES].fetch_add(self.counts[1].load());
        }
    }
}
