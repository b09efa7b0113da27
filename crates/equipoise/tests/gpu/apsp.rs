//! All pairs on a GPU.

use equipoise::{
    Apsp, ApspOptions, ApspStrategy, apsp, apsp_on,
    device::{AnyGpu, OpenDevice},
    graph::Graph,
};
use equipoise_schedule::device::Gpu;

use super::search::{device, directed, made};

const STRATEGIES: [ApspStrategy; 3] =
    [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp];

fn by(strategy: ApspStrategy) -> ApspOptions {
    ApspOptions { strategy, ..ApspOptions::default() }
}

fn verified(graph: &Graph, strategy: ApspStrategy) -> Apsp {
    let result = apsp_on(&device(), graph, &by(strategy)).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert_eq!(result.strategy, strategy);
    result
}

#[test]
fn any_number_of_vertices_by_every_strategy() {
    // Around the sides of blocks and tiles, and several of them.
    for vertices in [0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 300] {
        let edges = (4 * vertices).min(vertices * vertices.max(1) - vertices);
        for weights in ["1..99", "0..2"] {
            let graph = match vertices {
                0 | 1 => made(&format!("isolated:n={vertices}")),
                _ => made(&format!("er:n={vertices},m={edges},directed=true,weights={weights}")),
            };
            for strategy in STRATEGIES {
                let result = verified(&graph, strategy);
                assert_eq!(result.distances, apsp(&graph, &by(strategy)).unwrap().distances);
            }
        }
    }
}

#[test]
fn paths_over_many_blocks_and_no_paths() {
    for strategy in STRATEGIES {
        let path = verified(&made("path:n=400"), strategy);
        assert_eq!(path.distance(0, 399), Some(399.0));
        let parts = verified(&made("components:n=150,weights=1..9"), strategy);
        assert!((0..150 * 150).any(|pair| parts.distances.get(pair).is_none()));
    }
}

#[test]
fn floating_point_weights() {
    let edges = (0..1500u32).map(|edge| {
        let (from, to) = (edge * 7 % 211, edge * edge % 211);
        (from, to, (edge % 13) as f32 / 3.0)
    });
    let graph = directed(220, edges.collect());
    for strategy in STRATEGIES {
        let result = verified(&graph, strategy);
        assert_eq!(result.distance(0, 219), None);
    }
}

#[test]
fn parallel_edges_loops_and_sums_near_the_limit() {
    let large = (1 << 29) - 1;
    let graph = directed(4, vec![(0, 1, 9), (0, 1, 4), (1, 1, 7), (1, 2, large), (2, 3, large)]);
    for strategy in STRATEGIES {
        let result = verified(&graph, strategy);
        assert_eq!(result.distance(0, 1), Some(4.0));
        assert_eq!(result.distance(0, 3), Some(4.0 + 2.0 * f64::from(large)));
        assert_eq!(result.distance(3, 0), None);
    }
}

#[test]
fn what_a_gpu_does_not_do_is_refused() {
    let long = directed(3, vec![(0, 1, u32::MAX), (1, 2, 5)]);
    let error = apsp_on(&device(), &long, &ApspOptions::default()).unwrap_err();
    assert!(error.to_string().contains("--device cpu"), "{error}");
    let many = made("path:n=70000");
    let error = apsp_on(&device(), &many, &ApspOptions::default()).unwrap_err();
    assert!(error.to_string().contains("65408"), "{error}");
}

/// The device with so many bytes of memory, and with accounts of its own, so that the limit is not
/// that of other tests.
fn small_device(bytes: u64) -> OpenDevice {
    let OpenDevice::Gpu(AnyGpu::Wgpu(gpu)) = device() else { panic!("wgpu opened something else") };
    let gpu = Gpu::new(gpu.client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(AnyGpu::Wgpu(gpu))
}

#[test]
fn searches_in_batches_as_large_as_memory_allows() {
    let graph = made("er:n=300,m=900,directed=true,weights=0..9");
    let expected = apsp(&graph, &by(ApspStrategy::Sssp)).unwrap().distances;
    // Room for 10, 4 and 1 searches of 16 bytes a vertex, beside the graph.
    for bytes in [60_000, 30_000, 15_000] {
        let result = apsp_on(&small_device(bytes), &graph, &by(ApspStrategy::Sssp)).unwrap();
        assert_eq!(result.distances, expected);
    }
    let error = apsp_on(&small_device(9_000), &graph, &by(ApspStrategy::Sssp)).unwrap_err();
    assert!(error.to_string().contains("1 searches of 300 vertices at once needs"), "{error}");
}

#[test]
fn a_matrix_without_memory_is_refused_with_the_numbers() {
    let there = small_device(300_000);
    let error = apsp_on(&there, &made("path:n=300"), &ApspOptions::default()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("all pairs of 300 vertices needs") && error.contains("300000"),
        "{error}"
    );
}
