//! The device of the tests, and what several of them run.

use equipoise::{
    LoadedGraph, Result,
    apsp::{Apsp, ApspOptions, ApspOutput},
    bfs::{Bfs, BfsOptions, BfsSearch},
    color::{ColorOptions, Coloring},
    device::{Device, Gpu, OpenDevice},
    graph::{Edges, Graph, WeightType, io::ReadOptions, load},
    sssp::{Sssp, SsspOptions, SsspSearch},
    traversal::Strategy,
};

use crate::graphs::multigraph;

/// The software GPU that every machine can have.
pub fn device() -> OpenDevice {
    Device::Wgpu(0).open().unwrap_or_else(|error| {
        panic!(
            "these tests need a Vulkan device ({error}): on Debian and Ubuntu, apt-get install \
             mesa-vulkan-drivers gives one in software"
        )
    })
}

pub fn gpu() -> Gpu {
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    gpu
}

/// The device with a limit of memory that other tests do not share.
pub fn with_memory(bytes: u64) -> OpenDevice {
    let gpu = Gpu::new(gpu().client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(gpu)
}

/// A graph with decimal weights that every GPU adds up.
pub fn generated_in_32_bits(spec: &str) -> Graph {
    load(spec, &ReadOptions { weights: WeightType::F32, ..ReadOptions::default() }).unwrap()
}

/// A directed graph that keeps self-loops and parallel edges.
pub fn directed<W>(vertices: u32, edges: Vec<W>) -> Graph
where
    Edges: From<Vec<W>>,
{
    multigraph(vertices, edges, false)
}

/// The strategies that a GPU has for BFS.
pub fn bfs_strategies() -> impl Iterator<Item = Strategy> {
    Strategy::BFS.iter().copied()
}

/// The strategies that a GPU has for SSSP.
pub fn sssp_strategies() -> impl Iterator<Item = Strategy> {
    Strategy::SSSP.iter().copied().filter(|&strategy| strategy != Strategy::Dijkstra)
}

pub fn verified_bfs(graph: &Graph, source: u32, options: &BfsOptions) -> Bfs {
    let loaded = LoadedGraph::new(&device(), graph).unwrap();
    let search = loaded.bfs(source, options).and_then(BfsSearch::download);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

pub fn verified_sssp(graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let loaded = LoadedGraph::new(&device(), graph).unwrap();
    let search = loaded.sssp(source, options).and_then(SsspSearch::download);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

pub fn bfs_by(strategy: Strategy) -> BfsOptions {
    BfsOptions { strategy, ..BfsOptions::default() }
}

pub fn sssp_by(strategy: Strategy) -> SsspOptions {
    SsspOptions { strategy, ..SsspOptions::default() }
}

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
