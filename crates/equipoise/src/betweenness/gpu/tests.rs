//! Tests of launches in which cubes wait for each other, on a device where a single cube does.

use equipoise_graph::{Graph, io::ReadOptions, load};
use equipoise_schedule::{
    device::{Device, Gpu, OpenDevice},
    engine::LoopMode,
};

use super::*;

fn sums(gpu: &Gpu, graph: &Graph, mode: LoopMode) -> Result<(u32, Vec<f32>)> {
    let graph = GpuGraph::new(gpu, graph);
    let mut batch = Batch::new(&graph, 3, false, mode)?;
    let reached = batch.search(&[0, 1, 4])?;
    assert_eq!(batch.waiting.is_some(), mode != LoopMode::Launches);
    let sums = gpu.empty(graph.vertices() as usize)?;
    batch.add_vertices(3, true, &sums);
    Ok((reached, gpu.download(&sums)?))
}

/// Of these graphs, the grid has more levels than a launch may visit here, the tree more pairs in a level than a cube queues,
/// and the star a hub.
#[test]
fn one_launch_finds_what_a_launch_per_level_does() {
    let Ok(OpenDevice::Gpu(gpu)) = Device::Wgpu(0).open() else {
        panic!("this test needs a Vulkan device: mesa-vulkan-drivers has one in software")
    };
    for spec in ["grid:width=150,height=5", "tree:n=12000", "star:n=3000", "rmat:scale=10"] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        let (reached, expected) = sums(&gpu, &graph, LoopMode::Launches).unwrap();
        let (also_reached, found) = sums(&gpu, &graph, LoopMode::OneLaunch { cubes: 1 }).unwrap();
        assert_eq!(reached, also_reached, "{spec}");
        assert!(reached > graph.vertices());
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-5 * b, "{spec}: {a}, not {b}");
        }
    }
}
