//! Operations for tests of the engine.

// CubeCL's macros add types and functions without documentation.
#![allow(missing_docs)]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*};

/// The level of a vertex that no search reached.
pub(crate) const UNREACHED: u32 = u32::MAX;

macro_rules! search_by_levels {
    ($(#[$about:meta])* $name:ident { $($promise:item)* }) => {
        $(#[$about])*
        #[derive(CubeType, CubeLaunch)]
        pub struct $name {
            /// The level of each vertex.
            pub levels: AtomicArray,
        }

        impl EdgeOpKind for $name {
            $($promise)*
        }

        #[cube]
        impl EdgeOp for $name {
            fn label(&self, source: u32) -> u32 {
                self.levels.get(source)
            }

            fn along(&self, label: u32, _edge: u32) -> u32 {
                label + 1
            }

            fn improves(&self, target: u32, label: u32) -> bool {
                label < self.levels.get(target)
            }

            fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
                label < self.levels.fetch_min(target, label)
            }
        }

        #[cube]
        impl SearchOp for $name {
            fn reset(&mut self, vertex: u32, is_source: bool) {
                let mut level = UNREACHED.runtime();
                if is_source {
                    level = 0u32;
                }
                self.levels.set(vertex, level);
            }

            fn is_at(&self, vertex: u32, level: u32) -> bool {
                self.levels.get(vertex) == level
            }
        }

        #[cube]
        impl PullOp for $name {
            fn is_open(&self, vertex: u32) -> bool {
                self.levels.get(vertex) == UNREACHED
            }

            fn pull(&mut self, vertex: u32, level: u32, _parent: u32) {
                self.levels.set(vertex, level + 1);
            }
        }
    };
}

search_by_levels! {
    /// Searches by levels, in any order.
    Discover {}
}

search_by_levels! {
    /// Searches by levels, in ascending order.
    Leveled {
        const JOINS_ONCE: bool = true;
        const LABELS_ARE_ITERATIONS: bool = true;
    }
}

/// Puts the target of every edge into the next frontier, and counts how often each edge was relaxed.
#[derive(CubeType, CubeLaunch)]
pub struct NameAll {
    /// How often each edge was relaxed.
    pub relaxed: Array<Atomic<u32>>,
}

impl EdgeOpKind for NameAll {}

#[cube]
impl EdgeOp for NameAll {
    fn label(&self, source: u32) -> u32 {
        source
    }

    fn along(&self, _label: u32, edge: u32) -> u32 {
        edge
    }

    fn improves(&self, _target: u32, _label: u32) -> bool {
        true.runtime()
    }

    fn relax(&mut self, _target: u32, label: u32, _source: u32) -> bool {
        self.relaxed[label as usize].fetch_add(1u32);
        true.runtime()
    }
}
