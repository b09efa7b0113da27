//! The labels of vertices, and who is in the frontier, for strategies that the host chooses.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use crate::NONE;

/// The labels of all vertices, which kernels improve.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Field {
    /// What is done along edges.
    pub op: AnySearchOp,
    /// The last iteration in which each vertex is in the frontier, counted from 1; 0 for never.
    /// For operations by which a vertex can join more than once.
    pub joined: AtomicArray,
    /// This iteration.
    pub iteration: u32,
    /// See [`EdgeOpKind::JOINS_ONCE`].
    #[cube(comptime)]
    pub joins_once: bool,
}

#[cube]
impl Field {
    /// The label of a vertex.
    pub fn label(&self, vertex: u32) -> u32 {
        self.op.label(vertex)
    }

    /// Whether a vertex is in this iteration's frontier.
    pub fn is_active(&self, vertex: u32) -> bool {
        if comptime!(self.joins_once) {
            self.op.is_at(vertex, self.iteration)
        } else {
            self.joined.get(vertex) == self.iteration + 1
        }
    }

    /// Relaxes an edge from a vertex with that label. Whether the target is in the next iteration's
    /// frontier, and only because of this: of all edges that lead to it, one says so.
    pub fn relax(&mut self, label: u32, edge: u32, target: u32) -> bool {
        let mut joins = false;
        // Not by `&&`, of which a kernel does both sides.
        if self.improve(label, edge, target) {
            joins = self.joins(target);
        }
        joins
    }

    /// The same, but every edge says so that has improved the target.
    pub fn improve(&mut self, label: u32, edge: u32, target: u32) -> bool {
        let new = self.op.along(label, edge);
        let mut is_improved = false;
        if self.op.improves(target, new) {
            // Parents are looked for afterwards.
            is_improved = self.op.relax(target, new, NONE.runtime());
        }
        is_improved
    }

    /// Whether a vertex that was improved joins: once an iteration.
    pub fn joins(&mut self, vertex: u32) -> bool {
        if comptime!(self.joins_once) {
            true.runtime()
        } else {
            let next = self.iteration + 2;
            self.joined.fetch_max(vertex, next) < next
        }
    }
}

/// The label with which a search starts that a vertex has: only the source has one.
#[cube]
pub(crate) fn start_label(is_source: bool) -> u32 {
    let mut label = NONE.runtime();
    if is_source {
        label = 0u32.runtime();
    }
    label
}

/// Vertices of the next frontier, in a list.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NextList {
    /// The vertices.
    pub vertices: Array<u32>,
    /// How many they are, in an array of length one.
    pub count: Array<Atomic<u32>>,
}

#[cube]
impl NextList {
    /// Puts a vertex into the list.
    pub fn add(&mut self, vertex: u32) {
        let place = self.count[0].fetch_add(1u32);
        self.vertices[place as usize] = vertex;
    }
}

/// Vertices of the frontier, in a list.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ThisList {
    /// The vertices.
    pub vertices: Input<u32>,
    /// How many they are.
    pub count: u32,
}
