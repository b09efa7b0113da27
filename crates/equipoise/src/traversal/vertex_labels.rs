//! Labels of vertices and lists of frontiers in kernels, for strategies that the host chooses.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use crate::NONE;

/// The labels of all vertices, which kernels improve.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct VertexLabels {
    /// The operation along edges.
    pub op: AnySearchOp,
    /// The last iteration in which each vertex is in the frontier, counted from 1; 0 for never. For operations by which a
    /// vertex can join more than once.
    pub joined: AtomicArray,
    /// This iteration.
    pub iteration: u32,
    /// See [`EdgeOpKind::JOINS_ONCE`].
    #[cube(comptime)]
    pub joins_once: bool,
}

#[cube]
impl VertexLabels {
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

    /// Relaxes an edge whose source has this label. Returns whether this edge put the target into the next frontier: it is
    /// true for exactly one of all edges that improve the target.
    pub fn relax(&mut self, label: u32, edge: u32, target: u32) -> bool {
        let mut joins = false;
        // Not by `&&`: a kernel evaluates both sides.
        if self.improve(label, edge, target) {
            joins = self.joins(target);
        }
        joins
    }

    /// Relaxes an edge whose source has this label. Returns whether the target was improved.
    pub fn improve(&mut self, label: u32, edge: u32, target: u32) -> bool {
        let new = self.op.along(label, edge);
        let mut is_improved = false;
        if self.op.improves(target, new) {
            // Parents are found after the search.
            is_improved = self.op.relax(target, new, NONE.runtime());
        }
        is_improved
    }

    /// Whether a vertex that was improved joins the next frontier: once per iteration.
    pub fn joins(&mut self, vertex: u32) -> bool {
        if comptime!(self.joins_once) {
            true.runtime()
        } else {
            let next = self.iteration + 2;
            self.joined.fetch_max(vertex, next) < next
        }
    }
}

/// The initial label: 0 at the source, otherwise [`NONE`].
#[cube]
pub(crate) fn start_label(is_source: bool) -> u32 {
    let mut label = NONE.runtime();
    if is_source {
        label = 0u32.runtime();
    }
    label
}

/// The vertices of the next frontier.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NextList {
    pub vertices: Array<u32>,
    /// Their number, in an array of length one.
    pub count: Array<Atomic<u32>>,
}

#[cube]
impl NextList {
    /// Appends a vertex.
    pub fn add(&mut self, vertex: u32) {
        let index = self.count[0].fetch_add(1u32);
        self.vertices[index as usize] = vertex;
    }
}

/// The vertices of the frontier.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ThisList {
    pub vertices: Input<u32>,
    pub count: u32,
}
