//! The operations of strongly connected components on a GPU.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use super::{BOTH, CLOSED};
use crate::{NONE, kernels::lower_bound};

/// Larger degrees count as this one, so that a product of two degrees fits 32 bits.
const MOST_EDGES: u32 = (1 << 16) - 1;

/// Keeps and closes the open vertices without edges behind them, and sets the degrees of the others. Loops do not count.
#[derive(CubeType, CubeLaunch)]
pub(super) struct TakeFirst {
    behind: Rows,
    labels: AtomicArray,
    counts: Array<u32>,
}

#[cube]
impl VertexOp for TakeFirst {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut is_first = false;
        if self.labels.get(vertex) == NONE {
            let start = self.behind.offsets[vertex as usize];
            let end = self.behind.offsets[vertex as usize + 1];
            let loops_start = lower_bound(&self.behind.targets, vertex, start, end);
            let loops_end = lower_bound(&self.behind.targets, vertex + 1, loops_start, end);
            let count = end - start - (loops_end - loops_start);
            self.counts[vertex as usize] = count;
            if count == 0 {
                self.labels.set(vertex, vertex);
                is_first = true;
            }
        }
        is_first
    }
}

/// Removes an edge, and closes its target if this was the last edge behind it.
#[derive(CubeType, CubeLaunch)]
pub(super) struct TakeAway {
    labels: AtomicArray,
    counts: AtomicArray,
}

impl EdgeOpKind for TakeAway {
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for TakeAway {
    fn label(&self, _source: u32) -> u32 {
        0u32.runtime()
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, _target: u32, _label: u32) -> bool {
        true.runtime()
    }

    fn relax(&mut self, target: u32, _label: u32, _source: u32) -> bool {
        let mut is_next = false;
        // Adding `u32::MAX` subtracts 1.
        if self.counts.fetch_add(target, u32::MAX) == 1 {
            if self.labels.get(target) == NONE {
                self.labels.set(target, target);
                is_next = true;
            }
        }
        is_next
    }
}

/// Finds the largest product of in-degree and out-degree or, once that is known, the smallest vertex with this product.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Pick {
    leaving: Input<u32>,
    entering: Input<u32>,
    /// The largest product, and the vertex.
    best: AtomicArray,
    is_score_known: u32,
}

#[cube]
impl VertexOp for Pick {
    fn apply(&mut self, vertex: u32) -> bool {
        let leave = self.leaving[vertex as usize + 1] - self.leaving[vertex as usize];
        let enter = self.entering[vertex as usize + 1] - self.entering[vertex as usize];
        let ways = min(leave, MOST_EDGES.runtime()) * min(enter, MOST_EDGES.runtime());
        let best = self.best.get(0u32);
        if self.is_score_known == 0 {
            // Load first: a contended `fetch_max` is expensive.
            if ways > best {
                self.best.fetch_max(0u32, ways);
            }
        } else if ways == best {
            if vertex < self.best.get(1u32) {
                self.best.fetch_min(1u32, vertex);
            }
        }
        true.runtime()
    }
}

/// Resets the searches of each vertex: none has reached an open vertex, and both have reached the pivot.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Start {
    labels: AtomicArray,
    searches: Array<u32>,
    pivot: u32,
}

#[cube]
impl VertexOp for Start {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut searches = CLOSED.runtime();
        if self.labels.get(vertex) == NONE {
            searches = select(vertex == self.pivot, BOTH.runtime(), 0u32.runtime());
        }
        self.searches[vertex as usize] = searches;
        true.runtime()
    }
}

/// Advances a search along an edge.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Reach {
    searches: AtomicArray,
    bit: u32,
}

impl EdgeOpKind for Reach {
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for Reach {
    fn label(&self, _source: u32) -> u32 {
        0u32.runtime()
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, target: u32, _label: u32) -> bool {
        self.searches.get(target) & self.bit == 0
    }

    fn relax(&mut self, target: u32, _label: u32, _source: u32) -> bool {
        self.searches.fetch_or(target, self.bit) & self.bit == 0
    }
}

/// Closes a vertex that both searches have reached.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Close {
    labels: AtomicArray,
    searches: Array<u32>,
    pivot: u32,
}

#[cube]
impl VertexOp for Close {
    fn apply(&mut self, vertex: u32) -> bool {
        if self.searches[vertex as usize] == BOTH {
            self.labels.set(vertex, self.pivot);
        }
        true.runtime()
    }
}

/// Keeps the open vertices.
#[derive(CubeType, CubeLaunch)]
pub(super) struct KeepOpen {
    labels: AtomicArray,
}

#[cube]
impl VertexOp for KeepOpen {
    fn apply(&mut self, vertex: u32) -> bool {
        self.labels.get(vertex) == NONE
    }
}

/// Sets the first color of a vertex.
#[derive(CubeType, CubeLaunch)]
pub(super) struct SetColor {
    colors: Array<u32>,
    multiplier: u32,
}

#[cube]
impl VertexOp for SetColor {
    fn apply(&mut self, vertex: u32) -> bool {
        self.colors[vertex as usize] = vertex * self.multiplier;
        true.runtime()
    }
}

/// Propagates the color of a vertex to an open vertex of the same part.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Offer {
    labels: Input<u32>,
    parts: Input<u32>,
    colors: AtomicArray,
}

impl EdgeOpKind for Offer {}

#[cube]
impl EdgeOp for Offer {
    fn label(&self, source: u32) -> u32 {
        self.colors.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label > self.colors.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool {
        let mut is_taken = false;
        if self.parts[source as usize] == self.parts[target as usize] {
            if self.labels[target as usize] == NONE {
                is_taken = self.colors.fetch_max(target, label) < label;
            }
        }
        is_taken
    }
}

/// Keeps and closes the open vertices that have kept their first color.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FindRoots {
    labels: AtomicArray,
    colors: Input<u32>,
    multiplier: u32,
}

#[cube]
impl VertexOp for FindRoots {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut is_root = false;
        if self.labels.get(vertex) == NONE {
            is_root = self.colors[vertex as usize] == vertex * self.multiplier;
            if is_root {
                self.labels.set(vertex, vertex);
            }
        }
        is_root
    }
}

/// Closes an open vertex with an edge to the component of the root of its color.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Claim {
    labels: AtomicArray,
    colors: Input<u32>,
    multiplier: u32,
}

impl EdgeOpKind for Claim {
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for Claim {
    fn label(&self, source: u32) -> u32 {
        self.labels.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, target: u32, _label: u32) -> bool {
        self.labels.get(target) == NONE
    }

    fn relax(&mut self, target: u32, root: u32, _source: u32) -> bool {
        let mut is_claimed = false;
        // The colors of closed vertices are from previous rounds.
        if self.labels.get(target) == NONE {
            if self.colors[target as usize] == root * self.multiplier {
                is_claimed = self.labels.fetch_min(target, root) == NONE;
            }
        }
        is_claimed
    }
}

/// Finds the smallest vertex of each label.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lower {
    labels: Input<u32>,
    smallest: AtomicArray,
}

#[cube]
impl VertexOp for Lower {
    fn apply(&mut self, vertex: u32) -> bool {
        let label = self.labels[vertex as usize];
        if vertex < self.smallest.get(label) {
            self.smallest.fetch_min(label, vertex);
        }
        true.runtime()
    }
}

/// Replaces the label of a vertex by the smallest vertex with this label.
#[derive(CubeType, CubeLaunch)]
pub(super) struct TakeSmallest {
    labels: Array<u32>,
    smallest: Input<u32>,
}

#[cube]
impl VertexOp for TakeSmallest {
    fn apply(&mut self, vertex: u32) -> bool {
        let label = self.labels[vertex as usize];
        self.labels[vertex as usize] = self.smallest[label as usize];
        true.runtime()
    }
}
