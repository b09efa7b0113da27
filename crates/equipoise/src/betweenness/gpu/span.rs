//! The pairs of a level.

use cubecl::prelude::*;

use super::lists::*;

/// The pairs of a level: their first positions in the lists, and their numbers.
#[derive(CubeType)]
pub(super) struct Span {
    pub starts: Array<u32>,
    pub counts: Array<u32>,
}

#[cube]
impl Span {
    pub fn new() -> Span {
        let mut starts = Array::<u32>::new(CLASSES);
        let mut counts = Array::<u32>::new(CLASSES);
        #[unroll]
        for class in 0..CLASSES {
            starts[class] = 0u32;
            counts[class] = 0u32;
        }
        Span { starts, counts }
    }

    /// The number of pairs of all classes.
    pub fn count(&self) -> u32 {
        let mut count = 0u32;
        #[unroll]
        for class in 0..CLASSES {
            count += self.counts[class];
        }
        count
    }

    /// The number of pairs up to this level.
    pub fn end(&self) -> u32 {
        let mut end = self.count();
        #[unroll]
        for class in 0..CLASSES {
            end += self.starts[class];
        }
        end
    }

    /// Moves on to the next level, `level`, which is listed.
    pub fn advance(&mut self, lists: &Lists, level: u32) {
        #[unroll]
        for class in 0..CLASSES {
            self.starts[class] += self.counts[class];
        }
        lists.count_level(self, level);
    }
}
