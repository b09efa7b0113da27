//! Verification on the device agrees with that on the host.

use cubecl::prelude::*;
use equipoise::{
    LoadedGraph, NONE, bfs::BfsOptions, device::OpenDevice, graph::Graph, sssp::SsspOptions,
};

use equipoise_schedule::device::{Buffer, GpuRuntime};

use crate::{
    common::{device, directed, generated_in_32_bits},
    graphs::{generated, graph},
};

#[cube(launch)]
fn overwrite(numbers: &mut Array<u32>, index: u32, value: u32) {
    numbers[index as usize] = value;
}

fn change(device: &OpenDevice, numbers: &Buffer<u32>, index: u32, value: u32) {
    let OpenDevice::Gpu(gpu) = device else { panic!("wgpu opened something else") };
    let (one, unit) = (CubeCount::new_single(), CubeDim::new_single());
    overwrite::launch::<GpuRuntime>(gpu.client(), one, unit, numbers.arg(), index, value);
}

/// Graphs with unreachable vertices, self-loops, parallel edges and edges of length 0.
fn graphs() -> Vec<Graph> {
    vec![
        generated("grid:width=9,height=7,weights=1..4"),
        generated("rmat:scale=7,seed=3"),
        generated_in_32_bits("rmat:scale=6,seed=1,weights=0.5..2.0"),
        directed(5, vec![(0, 1), (0, 2), (1, 3), (2, 3), (3, 3), (4, 0)]),
        graph(6, vec![(0, 1, 3u32), (0, 1, 1), (1, 2, 0), (2, 1, 0), (2, 3, 0), (0, 3, 9)], false),
    ]
}

/// Wrong values of a label or a parent.
fn wrong_numbers(vertices: u32) -> Vec<u32> {
    vec![
        0,
        1,
        2,
        3,
        vertices - 1,
        vertices,
        NONE - 1,
        NONE,
        1.0f32.to_bits(),
        f32::INFINITY.to_bits(),
    ]
}

#[test]
fn the_verdict_on_a_changed_result_is_that_of_the_host() {
    let device = device();
    let (mut wrong, mut right) = (0, 0);
    for (index, graph) in graphs().into_iter().enumerate() {
        let loaded = LoadedGraph::new(&device, &graph).unwrap();
        let vertices = graph.vertices();
        let (bfs, sssp) = (BfsOptions::default(), SsspOptions::default());
        loaded.bfs(0, &bfs).unwrap().verify(&bfs).unwrap();
        loaded.sssp(0, &sssp).unwrap().verify(&sssp).unwrap();
        for (number, value) in wrong_numbers(vertices).into_iter().enumerate() {
            for of_parents in [false, true] {
                let vertex = (number as u32 * 5) % vertices;
                let levels = loaded.bfs(0, &bfs).unwrap();
                let parents = levels.parents_on_device().unwrap().unwrap();
                let labels = levels.levels_on_device().unwrap();
                change(&device, if of_parents { parents } else { labels }, vertex, value);
                let (on_device, on_host) = (levels.verify(&bfs), levels.verify_on_host(&bfs));
                let what = format!("graph {index}: {vertex} has {value}, of parents: {of_parents}");
                assert_eq!(
                    on_device.is_ok(),
                    on_host.is_ok(),
                    "{what}: {on_device:?}, {on_host:?}"
                );

                let paths = loaded.sssp(0, &sssp).unwrap();
                let parents = paths.predecessors_on_device().unwrap().unwrap();
                let labels = paths.distances_on_device().unwrap();
                change(&device, if of_parents { parents } else { labels }, vertex, value);
                let (on_device, on_host) = (paths.verify(&sssp), paths.verify_on_host(&sssp));
                assert_eq!(
                    on_device.is_ok(),
                    on_host.is_ok(),
                    "{what}: {on_device:?}, {on_host:?}"
                );
                *(if on_device.is_ok() { &mut right } else { &mut wrong }) += 1;
            }
        }
    }
    assert!(wrong > 50 && right > 0, "{wrong} were wrong, {right} were right");
}

#[test]
fn searches_that_stop_early_are_verified() {
    let (device, graph) = (device(), generated("grid:width=9,height=7,weights=1..4"));
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    for target in [0, 5, 40, 62] {
        let bfs = BfsOptions { target: Some(target), ..BfsOptions::default() };
        loaded.bfs(3, &bfs).unwrap().verify(&bfs).unwrap();
        let sssp = SsspOptions { target: Some(target), ..SsspOptions::default() };
        loaded.sssp(3, &sssp).unwrap().verify(&sssp).unwrap();
    }
    for depth in [0, 1, 4] {
        let options = BfsOptions { max_depth: Some(depth), ..BfsOptions::default() };
        let search = loaded.bfs(3, &options).unwrap();
        search.verify(&options).unwrap();
        search.verify(&BfsOptions::default()).unwrap_err();
    }
}

#[test]
fn a_copy_must_equal_the_verified_result() {
    let (device, options) = (device(), BfsOptions::default());
    let graph = directed(4, vec![(0, 1), (0, 2), (1, 3), (2, 3)]);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    let search = loaded.bfs(0, &options).unwrap();
    search.copy().unwrap();
    search.verify(&options).unwrap();
    // A valid parent, but not that of the copy.
    let other = 3 - search.parents().unwrap()[3];
    change(&device, search.parents_on_device().unwrap().unwrap(), 3, other);
    let error = search.verify(&options).unwrap_err().to_string();
    assert!(error.contains("copy"), "{error}");
}
