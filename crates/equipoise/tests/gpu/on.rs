//! One algorithm on a device, for tests that load a graph for nothing else.

use equipoise::{
    LoadedGraph, Result,
    apsp::{Apsp, ApspOptions, ApspOutput},
    color::{ColorOptions, Coloring},
    device::OpenDevice,
    graph::Graph,
};

pub fn apsp_on(device: &OpenDevice, graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    LoadedGraph::new(device, graph)?.apsp(options)
}

pub fn apsp_to(
    device: &OpenDevice,
    graph: &Graph,
    options: &ApspOptions,
    output: &ApspOutput,
) -> Result<Apsp> {
    LoadedGraph::new(device, graph)?.apsp_to(options, output)
}

pub fn color_on(device: &OpenDevice, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    LoadedGraph::new(device, graph)?.color(options)
}
