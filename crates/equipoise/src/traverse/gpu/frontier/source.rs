//! The vertex that a search starts from.

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;

use super::{super::graph::DeviceGraph, WIDE_UNITS, parts::*};
use crate::NONE;

/// A vertex, and where its edges are.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Source {
    /// The vertex.
    pub vertex: u32,
    /// Its first edge.
    pub begin: u32,
    /// How many it has.
    pub degree: u32,
}

#[cube]
impl Source {
    /// The label with which a search starts that a vertex has: only the source has one.
    pub fn label_of(&self, vertex: u32) -> u32 {
        let mut label = NONE.runtime();
        if vertex == self.vertex {
            label = 0u32.runtime();
        }
        label
    }

    /// Makes it all there is in the first half of a list. The units of one wide cube call it
    /// together.
    pub fn list(&self, list: &mut Parts) {
        let units = comptime!(WIDE_UNITS);
        list.put_all(0u32, self.vertex, self.begin, self.degree, UNIT_POS, units);
    }
}

/// A source of a graph, for a kernel.
pub(crate) fn source_arg(graph: &DeviceGraph, vertex: u32) -> SourceLaunch<GpuRuntime> {
    let begin = graph.graph.csr().offsets()[vertex as usize] as u32;
    SourceLaunch::new(vertex, begin, graph.graph.degree(vertex) as u32)
}
