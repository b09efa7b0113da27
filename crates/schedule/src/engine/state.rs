//! The state of a loop between launches.
//!
//! It is stored twice: a launch reads the state of the previous launch, and writes the other one. Both follow the
//! counters, in the same array of words.

use cubecl::prelude::*;

use super::{barrier::BARRIER_WORDS, counts::*};
use crate::atomics::*;

#[derive(CubeType)]
pub(crate) struct LoopState {
    /// The iteration, counted from 0.
    pub iteration: u32,
    /// The mode of the iteration: [`PUSH`], [`OTHER`] or [`DONE`].
    pub mode: u32,
    /// 1 if the previous launch ran an iteration of which only the counts are known.
    pub pending: u32,
    /// The half of the list with the frontier: 0 or 1.
    pub half: u32,
    pub parts: u32,
    pub vertices: u32,
    /// The edges that leave the frontier.
    pub edges: u32,
    /// The vertices of all earlier frontiers, modulo 2³².
    pub all_vertices: u32,
    /// The edges examined in all earlier iterations, modulo 2³².
    pub all_edges: u32,
    /// The iterations that one cube did.
    pub narrow_iterations: u32,
    /// Not 0 if some parts of the frontier have more than a few edges.
    pub long: u32,
    /// The words of the order.
    pub own: Array<u32>,
}

// The words of a state, in the order of its fields.
const ITERATION: u32 = 0;
const MODE: u32 = 1;
const PENDING: u32 = 2;
const HALF: u32 = 3;
const PARTS: u32 = 4;
const VERTICES: u32 = 5;
const EDGES: u32 = 6;
const ALL_VERTICES: u32 = 7;
const ALL_EDGES: u32 = 8;
const NARROW_ITERATIONS: u32 = 9;
const LONG: u32 = 10;
const OWN: u32 = 11;
/// The most words of an order.
const OWN_WORDS: usize = 6;
const WORDS: u32 = OWN + OWN_WORDS as u32;

/// The mode that relaxes the edges of the frontier.
pub(crate) const PUSH: u32 = 0;
/// The second mode, defined by the order.
pub(crate) const OTHER: u32 = 1;
/// The mode of a finished loop.
pub(crate) const DONE: u32 = 2;

/// The most edges of a narrow frontier.
const NARROW_EDGES: u32 = 1 << 13;
/// The most edges of a narrow frontier with parts of more than a few edges.
pub(crate) const NARROW_LONG: u32 = 1 << 10;
/// The most edges of a frontier per waiting cube: with more, additional units are faster.
const WIDE_EDGES: u32 = 1 << 15;

/// Words of the array: sets of counters, two states, and a barrier.
pub(crate) const ALL_WORDS: usize = BARRIER as usize + BARRIER_WORDS;
const STATES: u32 = COUNTERS as u32 * SLOTS;
/// The first word of the barrier, which has a cache line of its own.
pub(super) const BARRIER: u32 = (STATES + 2 * WORDS).next_multiple_of(BARRIER_WORDS as u32);

/// The part of a state that the host reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HostState {
    pub iteration: u32,
    pub is_over: bool,
    pub vertices: u32,
    pub all_vertices: u32,
    pub all_edges: u32,
    pub narrow_iterations: u32,
}

impl HostState {
    /// The state that this launch reads, from the words of a loop.
    pub fn before(launch: u32, words: &[u32]) -> Self {
        let start = STATES + launch % 2 * WORDS;
        let word = |word: u32| words[(start + word) as usize];
        Self {
            iteration: word(ITERATION),
            is_over: word(MODE) == DONE,
            vertices: word(VERTICES),
            all_vertices: word(ALL_VERTICES),
            all_edges: word(ALL_EDGES),
            narrow_iterations: word(NARROW_ITERATIONS),
        }
    }
}

#[cube]
impl LoopState {
    /// A state of zeros.
    pub fn zero() -> LoopState {
        let mut own = Array::<u32>::new(OWN_WORDS);
        #[unroll]
        for word in 0..OWN_WORDS {
            own[word] = 0u32;
        }
        LoopState {
            iteration: 0u32.runtime(),
            mode: 0u32.runtime(),
            pending: 0u32.runtime(),
            half: 0u32.runtime(),
            parts: 0u32.runtime(),
            vertices: 0u32.runtime(),
            edges: 0u32.runtime(),
            all_vertices: 0u32.runtime(),
            all_edges: 0u32.runtime(),
            narrow_iterations: 0u32.runtime(),
            long: 0u32.runtime(),
            own,
        }
    }

    /// The state of a loop that starts with one vertex of this degree and number of parts. Clears all words. One unit
    /// calls it.
    pub fn first(words: &mut AtomicArray, degree: u32, parts: u32) -> LoopState {
        #[unroll]
        for word in 0..ALL_WORDS {
            words.set(comptime!(word as u32), 0u32);
        }
        let mut state = LoopState::zero();
        state.mode = PUSH.runtime();
        state.parts = parts;
        state.vertices = 1u32.runtime();
        state.edges = degree;
        state.long = 1u32.runtime();
        state
    }

    /// The state that the previous launch wrote.
    pub fn read(words: &AtomicArray, launch: u32) -> LoopState {
        let start = STATES + launch % 2 * WORDS;
        let mut own = Array::<u32>::new(OWN_WORDS);
        #[unroll]
        for word in 0..OWN_WORDS {
            own[word] = words.get(start + comptime!(OWN + word as u32));
        }
        LoopState {
            iteration: words.get(start + ITERATION),
            mode: words.get(start + MODE),
            pending: words.get(start + PENDING),
            half: words.get(start + HALF),
            parts: words.get(start + PARTS),
            vertices: words.get(start + VERTICES),
            edges: words.get(start + EDGES),
            all_vertices: words.get(start + ALL_VERTICES),
            all_edges: words.get(start + ALL_EDGES),
            narrow_iterations: words.get(start + NARROW_ITERATIONS),
            long: words.get(start + LONG),
            own,
        }
    }

    /// Writes the state for the next launch, and clears its counters. One unit calls it.
    pub fn write(&self, words: &mut AtomicArray, launch: u32) {
        let start = STATES + (launch + 1) % 2 * WORDS;
        words.set(start + ITERATION, self.iteration);
        words.set(start + MODE, self.mode);
        words.set(start + PENDING, self.pending);
        words.set(start + HALF, self.half);
        words.set(start + PARTS, self.parts);
        words.set(start + VERTICES, self.vertices);
        words.set(start + EDGES, self.edges);
        words.set(start + ALL_VERTICES, self.all_vertices);
        words.set(start + ALL_EDGES, self.all_edges);
        words.set(start + NARROW_ITERATIONS, self.narrow_iterations);
        words.set(start + LONG, self.long);
        #[unroll]
        for word in 0..OWN_WORDS {
            words.set(start + comptime!(OWN + word as u32), self.own[word]);
        }
        clear_counters(words, launch + 2);
    }

    /// Whether one cube relaxes the edges of the frontier as fast as all.
    pub fn is_narrow(&self) -> bool {
        let mut most = NARROW_EDGES.runtime();
        if self.long > 0 {
            most = NARROW_LONG.runtime();
        }
        self.edges <= most
    }

    /// Whether the frontier has more edges than suit cubes that wait for each other.
    pub fn is_wide(&self) -> bool {
        self.mode == PUSH && self.edges / WIDE_EDGES > CUBE_COUNT as u32
    }

    /// Makes the listed vertices the frontier, in the fields that all orders share.
    pub fn advance(&mut self, counted: &Counted) {
        self.all_vertices += self.vertices;
        if self.mode == PUSH {
            self.all_edges += self.edges;
        }
        self.all_edges += counted.looked;
        self.iteration += 1u32;
        self.half = 1 - self.half;
        self.parts = counted.parts;
        self.vertices = counted.vertices;
        self.edges = counted.edges;
        self.long = counted.long;
    }
}

/// The data of an iteration that all units share.
#[derive(CubeType)]
pub(crate) struct Iteration {
    pub state: LoopState,
    /// The counters of what it finds.
    pub counts: Counts,
    /// Units per cube.
    #[cube(comptime)]
    pub units: u32,
}
