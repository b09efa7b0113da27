//! The pairs of each level, in a list per class of vertices by their number of edges.
//!
//! A cube queues the pairs that it reaches, and lists them at the end of the level. If the queue of any cube is too short,
//! all pairs are examined for those of the next level instead, and listed in the order of their vertices.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, input::Input, ranges::*};

use super::{count::Count, pairs::Pairs, span::Span};
use crate::kernels::inclusive_sum;

/// The classes: vertices whose edges a few units share, those whose edges a plane shares, and hubs.
pub(super) const CLASSES: usize = 3;
pub(super) const FEW: usize = 0;
pub(super) const MANY: usize = 1;
pub(super) const HUBS: usize = 2;
/// A vertex with more edges is a hub.
pub(super) const MOST_OF_PLANE: u32 = 2048;
/// Pairs that a unit lists at once.
const ITEMS: usize = 4;
/// Bits of the number of pairs of a class that a plane of up to 128 units lists at once.
const CLASS_BITS: u32 = 10;

/// The counters of a level: pairs that were queued and pairs that were examined, by class, and whether a queue was too short.
const QUEUED: u32 = 0;
const EXAMINED: u32 = 3;
const OVERFLOWED: u32 = 6;
const COUNTERS: u32 = 8;
/// The counters of four levels in turn: one is cleared while others still read those of the previous level.
const SLOTS: u32 = 4;
/// The first level not visited, its pairs, and all pairs up to it.
pub(super) const STATE: u32 = SLOTS * COUNTERS;
pub(super) const ALL_WORDS: u32 = STATE + 3;

/// The lists, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// Where the edges that leave each vertex start; in a directed graph, those that enter it, too.
    offsets: Input<u32>,
    entering_offsets: ComptimeOption<Input<u32>>,
    list: Array<u32>,
    /// Where the pairs of each level and class start in the list of the class.
    starts: Array<u32>,
    words: AtomicArray,
    /// Where the lists of the later classes start.
    first_of_many: u32,
    first_hub: u32,
    /// The most edges of a vertex of the first class.
    most_of_few: u32,
}

/// The pairs that a cube has reached, and shared memory to list them.
#[derive(CubeType)]
pub(super) struct Found {
    queue: SharedMemory<u32>,
    /// The length of the queue, and the number of pairs of each class.
    counts: SharedMemory<Atomic<u32>>,
    /// The same, for all units to read; then the positions of the pairs of each class.
    read: SharedMemory<u32>,
    #[cube(comptime)]
    units: u32,
}

/// The index of a counter of a level.
#[cube]
fn counter(level: u32, #[comptime] which: u32) -> u32 {
    level % SLOTS * COUNTERS + which
}

#[cube]
impl Lists {
    /// The pairs of a level, which were just listed.
    pub fn last_span(&self, level: u32) -> Span {
        let mut span = Span::new();
        #[unroll]
        for class in 0..CLASSES {
            span.starts[class] = self.starts[start_of(level, class)];
        }
        self.count_level(&mut span, level);
        span
    }

    /// Reads the numbers of the pairs of a level from its counters.
    pub fn count_level(&self, span: &mut Span, level: u32) {
        let overflowed = self.has_overflowed(level);
        #[unroll]
        for class in 0..CLASSES {
            let queued = self.words.get(counter(level, comptime!(QUEUED + class as u32)));
            let examined = self.words.get(counter(level, comptime!(EXAMINED + class as u32)));
            span.counts[class] = select(overflowed, examined, queued);
        }
    }

    /// The pairs of a level, from the starts of the next.
    pub fn span(&self, level: u32) -> Span {
        let mut span = Span::new();
        #[unroll]
        for class in 0..CLASSES {
            let start = self.starts[start_of(level, class)];
            span.starts[class] = start;
            span.counts[class] = self.starts[start_of(level + 1, class)] - start;
        }
        span
    }

    /// A pair of a class.
    pub fn pair(&self, position: u32, #[comptime] class: usize) -> u32 {
        self.list[(self.first_of(class) + position) as usize]
    }

    /// Whether the queue of a cube was too short for its pairs of a level.
    pub fn has_overflowed(&self, level: u32) -> bool {
        self.words.get(counter(level, OVERFLOWED)) != 0
    }

    /// Prepares the counters of the level after the next, and records where the pairs of the next level start.
    pub fn prepare(&mut self, span: &Span, level: u32) {
        if CUBE_POS == 0 {
            if UNIT_POS < COUNTERS {
                self.words.set((level + 2) % SLOTS * COUNTERS + UNIT_POS, 0u32);
            }
            if UNIT_POS == 0 {
                #[unroll]
                for class in 0..CLASSES {
                    let start = span.starts[class] + span.counts[class];
                    self.starts[start_of(level + 1, class)] = start;
                }
            }
        }
    }

    /// Records the first level not visited, its pairs, and all pairs up to it.
    pub fn record(&mut self, level: u32, count: u32, all: u32) {
        if ABSOLUTE_POS == 0 {
            self.words.set(STATE, level);
            self.words.set(comptime!(STATE + 1), count);
            self.words.set(comptime!(STATE + 2), all);
        }
    }

    fn first_of(&self, #[comptime] class: usize) -> u32 {
        if comptime!(class == FEW) {
            0u32.runtime()
        } else if comptime!(class == MANY) {
            self.first_of_many
        } else {
            self.first_hub
        }
    }

    fn class_of(&self, vertex: u32) -> u32 {
        let mut edges = self.offsets[vertex as usize + 1] - self.offsets[vertex as usize];
        #[comptime]
        if let ComptimeOption::Some(offsets) = &self.entering_offsets {
            edges = max(edges, offsets[vertex as usize + 1] - offsets[vertex as usize]);
        }
        let mut class = comptime!(FEW as u32).runtime();
        if edges > self.most_of_few {
            class = comptime!(MANY as u32).runtime();
        }
        if edges > MOST_OF_PLANE {
            class = comptime!(HUBS as u32).runtime();
        }
        class
    }

    /// Lists the pairs that the cube has queued for the level after this one. All units of the cube call it together.
    pub fn list_queued(&mut self, pairs: &Pairs, found: &mut Found, span: &Span, level: u32) {
        sync_cube();
        if UNIT_POS == 0 {
            found.read[0] = found.counts[0].load();
            found.counts[0].store(0u32);
        }
        sync_cube();
        let length = found.read[0];
        let capacity = comptime!(found.units * ITEMS as u32);
        if length > capacity {
            if UNIT_POS == 0 {
                self.words.set(counter(level + 1, OVERFLOWED), 1u32);
            }
        } else if length > 0 {
            let mut items = Array::<u32>::new(ITEMS);
            let mut classes = Array::<u32>::new(ITEMS);
            #[unroll]
            for item in 0..ITEMS {
                let index = comptime!(item as u32 * found.units) + UNIT_POS;
                items[item] = found.queue[min(index, length - 1) as usize];
                classes[item] = comptime!(CLASSES as u32);
                if index < length {
                    classes[item] = self.class_of(items[item] % pairs.vertices);
                }
            }
            self.list_all(&items, &classes, found, span, level, QUEUED);
        }
    }

    /// Lists the pairs of the level after this one, whether they were queued or not. All units of all cubes call it
    /// together.
    pub fn examine(&mut self, pairs: &Pairs, found: &mut Found, span: &Span, level: u32) {
        let all = pairs.levels.len();
        let at_once = comptime!(found.units * ITEMS as u32);
        for first in step_range(CUBE_POS as u32 * at_once, all, CUBE_COUNT as u32 * at_once) {
            let mut items = Array::<u32>::new(ITEMS);
            let mut levels = Array::<u32>::new(ITEMS);
            let mut classes = Array::<u32>::new(ITEMS);
            #[unroll]
            for item in 0..ITEMS {
                items[item] = first + comptime!(item as u32 * found.units) + UNIT_POS;
                levels[item] = 0u32;
                if items[item] < all {
                    levels[item] = pairs.levels.get(items[item]);
                }
            }
            #[unroll]
            for item in 0..ITEMS {
                classes[item] = comptime!(CLASSES as u32);
                if levels[item] == level + 1 {
                    classes[item] = self.class_of(items[item] % pairs.vertices);
                }
            }
            self.list_all(&items, &classes, found, span, level, EXAMINED);
        }
    }

    /// Lists pairs with their classes; those without one are left out. All units of a cube call it together.
    fn list_all(
        &mut self,
        items: &Array<u32>,
        classes: &Array<u32>,
        found: &mut Found,
        span: &Span,
        level: u32,
        #[comptime] first_counter: u32,
    ) {
        let mut counts = 0u32;
        #[unroll]
        for item in 0..ITEMS {
            if classes[item] < CLASSES as u32 {
                counts += 1u32 << (classes[item] * CLASS_BITS);
            }
        }
        let up_to = inclusive_sum(counts);
        let mut before = up_to - counts;
        let totals = plane_shuffle(up_to, PLANE_DIM - 1);
        let mut positions = Array::<u32>::new(CLASSES);
        #[unroll]
        for class in 0..CLASSES {
            let total = of_class(totals, class as u32);
            let mut position = 0u32;
            if UNIT_POS_PLANE == 0 && total > 0 {
                position = found.counts[comptime!(class + 1)].fetch_add(total);
            }
            positions[class] = plane_shuffle(position, 0u32);
        }
        sync_cube();
        if UNIT_POS == 0 {
            #[unroll]
            for class in 0..CLASSES {
                let total = found.counts[comptime!(class + 1)].load();
                let mut position = 0u32;
                if total > 0 {
                    let word = counter(level + 1, comptime!(first_counter + class as u32));
                    position = self.words.fetch_add(word, total);
                }
                found.counts[comptime!(class + 1)].store(0u32);
                let start = span.starts[class] + span.counts[class];
                found.read[comptime!(class + 1)] = self.first_of(class) + start + position;
            }
        }
        sync_cube();
        #[unroll]
        for class in 0..CLASSES {
            positions[class] += found.read[comptime!(class + 1)];
        }
        #[unroll]
        for item in 0..ITEMS {
            #[unroll]
            for class in 0..CLASSES {
                if classes[item] == class as u32 {
                    let position = positions[class] + of_class(before, class as u32);
                    self.list[position as usize] = items[item];
                    before += comptime!(1u32 << (class as u32 * CLASS_BITS));
                }
            }
        }
    }
}

/// The number of pairs of a class among those of all classes.
#[cube]
fn of_class(counts: u32, #[comptime] class: u32) -> u32 {
    (counts >> comptime!(class * CLASS_BITS)) & comptime!((1u32 << CLASS_BITS) - 1)
}

/// The index of the start of a level in the list of a class.
#[cube]
fn start_of(level: u32, #[comptime] class: usize) -> usize {
    (level * comptime!(CLASSES as u32) + comptime!(class as u32)) as usize
}

#[cube]
impl Found {
    /// All units of a cube call it together.
    pub fn new(#[comptime] units: u32) -> Found {
        let queue = SharedMemory::<u32>::new(comptime!(units as usize * ITEMS));
        let counts = SharedMemory::<Atomic<u32>>::new(comptime!(CLASSES + 1));
        let read = SharedMemory::<u32>::new(comptime!(CLASSES + 1));
        if UNIT_POS < comptime!(CLASSES as u32 + 1) {
            counts[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        Found { queue, counts, read, units }
    }

    /// Queues a pair.
    pub fn push(&mut self, pair: u32) {
        let index = self.counts[0].fetch_add(1u32);
        if index < comptime!(self.units * ITEMS as u32) {
            self.queue[index as usize] = pair;
        }
    }
}

/// Lists the source of each search as the first level.
#[cube(launch_unchecked)]
pub(super) fn begin(sources: &Array<u32>, pairs: &mut Pairs, lists: &mut Lists, count: u32) {
    for search in grid_stride_range(0, count) {
        let source = sources[search as usize];
        let pair = search * pairs.vertices + source;
        pairs.levels.set(pair, 0u32);
        pairs.paths[pair as usize] = Count::one();
        let class = lists.class_of(source);
        let position = lists.words.fetch_add(comptime!(QUEUED) + class, 1u32);
        #[unroll]
        for each in 0..CLASSES {
            if class == each as u32 {
                let index = lists.first_of(each) + position;
                lists.list[index as usize] = pair;
            }
        }
    }
    if ABSOLUTE_POS == 0 {
        #[unroll]
        for class in 0..CLASSES {
            lists.starts[class] = 0u32;
        }
    }
}
