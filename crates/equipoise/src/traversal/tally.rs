//! Counters of the vertices that a kernel finds: the three of Verstraaten et al., and one by one.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;

use super::options::Count;

/// The number of vertices that a unit has found.
#[derive(CubeType)]
pub(crate) struct Tally {
    found: u32,
}

#[cube]
impl Tally {
    pub fn new() -> Tally {
        Tally { found: 0u32.runtime() }
    }

    /// Counts one vertex.
    pub fn count(&mut self, total: &mut Array<Atomic<u32>>, #[comptime] how: Count) {
        if comptime!(how == Count::Atomic) {
            total[0].fetch_add(1u32);
        } else {
            self.found += 1;
        }
    }

    /// Adds the counts of all units to the total. All units of a cube call it together.
    pub fn finish(&self, total: &mut Array<Atomic<u32>>, #[comptime] how: Count) {
        if comptime!(how == Count::Thread) {
            if self.found > 0 {
                total[0].fetch_add(self.found);
            }
        }
        if comptime!(how == Count::Plane) {
            let of_plane = plane_sum(self.found);
            if UNIT_POS_PLANE == 0 && of_plane > 0 {
                total[0].fetch_add(of_plane);
            }
        }
        if comptime!(how == Count::Cube) {
            let of_planes = SharedMemory::<Atomic<u32>>::new(1usize);
            if UNIT_POS == 0 {
                of_planes[0].store(0u32);
            }
            let of_plane = plane_sum(self.found);
            sync_cube();
            if UNIT_POS_PLANE == 0 && of_plane > 0 {
                of_planes[0].fetch_add(of_plane);
            }
            sync_cube();
            if UNIT_POS == 0 {
                let found = of_planes[0].load();
                if found > 0 {
                    total[0].fetch_add(found);
                }
            }
        }
    }
}
