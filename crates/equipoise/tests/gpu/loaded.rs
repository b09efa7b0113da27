//! A loaded graph: copies to the device, and results that stay on it.

use std::time::Duration;

use equipoise::{
    LoadedGraph,
    apsp::{ApspOptions, ApspStrategy},
    bfs::BfsOptions,
    color::ColorOptions,
    device::OpenDevice,
    graph::{Graph, Weights},
    sssp::SsspOptions,
};

use crate::{
    common::{device, directed, gpu, with_memory},
    graphs::generated,
};

/// The bytes that buffers hold.
fn held(device: &OpenDevice) -> u64 {
    let OpenDevice::Gpu(gpu) = device else { panic!("wgpu opened something else") };
    gpu.memory().held
}

fn rows(graph: &Graph) -> u64 {
    4 * (u64::from(graph.vertices()) + 1 + graph.edges())
}

#[test]
fn a_graph_is_copied_once_for_all_algorithms_and_weights_when_they_are_read() {
    let graph = generated("grid:width=20,height=20,weights=1..9");
    assert!(graph.is_undirected() && matches!(graph.weights(), Some(Weights::U32(_))));
    let device = with_memory(u64::MAX);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    assert_eq!(held(&device), 0, "nothing is read yet");
    drop(loaded.bfs(0, &BfsOptions::default()).unwrap());
    let (rows, weights) = (rows(&graph), 4 * graph.edges());
    assert_eq!(held(&device), rows, "a search by levels reads no weights");
    loaded.color(&ColorOptions::default()).unwrap();
    assert_eq!(held(&device), rows, "the neighbours of an undirected graph are its rows");
    drop(loaded.sssp(0, &SsspOptions::default()).unwrap());
    assert_eq!(held(&device), rows + weights);
    for strategy in [ApspStrategy::Blocked, ApspStrategy::Naive, ApspStrategy::Sssp] {
        loaded.apsp(&ApspOptions { strategy, ..ApspOptions::default() }).unwrap();
        assert_eq!(held(&device), rows + weights, "{strategy}");
    }
    drop(loaded);
    assert_eq!(held(&device), 0);
}

#[test]
fn a_directed_graph_has_its_neighbours_copied_once() {
    let graph = directed(4, vec![(0, 1), (1, 0), (2, 2), (3, 1)]);
    let device = with_memory(u64::MAX);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    let colors = loaded.color(&ColorOptions::default()).unwrap().colors;
    let neighbors = held(&device);
    assert_eq!(
        neighbors,
        4 * (5 + 4),
        "0 and 1, 1 and 3, in both directions; not the rows of the graph"
    );
    assert_eq!(loaded.color(&ColorOptions::default()).unwrap().colors, colors);
    assert_eq!(held(&device), neighbors);
}

#[test]
fn the_result_of_a_search_stays_on_the_device_until_requested() {
    let graph = generated("rmat:scale=8,weights=1..9");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let search = loaded.bfs(1, &BfsOptions::default()).unwrap();
    let levels = search.levels_on_device().unwrap().clone();
    let gpu = gpu();
    assert_eq!(gpu.download(&levels).unwrap(), search.levels().unwrap());
    let farthest = (0..graph.vertices())
        .max_by_key(|&vertex| search.level(vertex).unwrap().unwrap_or(0))
        .unwrap();
    assert_eq!(search.level(farthest).unwrap(), Some(search.depth()));
    let path = search.path_to(farthest).unwrap().unwrap();
    assert_eq!(path.len() as u32, search.depth() + 1);
    assert_eq!(search.times().tree, Duration::ZERO, "the search recorded parents");
    let parents = gpu.download(search.parents_on_device().unwrap().unwrap()).unwrap();
    assert_eq!(parents, search.parents().unwrap());
    search.download().unwrap().verify(&graph, &BfsOptions::default()).unwrap();

    let options = BfsOptions { levels_only: true, ..BfsOptions::default() };
    let search = loaded.bfs(1, &options).unwrap();
    assert_eq!(search.times().tree, Duration::ZERO, "parents were not requested");
    assert_eq!(search.path_to(farthest).unwrap().unwrap().len(), path.len());
    search.download().unwrap().verify(&graph, &options).unwrap();

    let paths = loaded.sssp(1, &SsspOptions::default()).unwrap();
    assert_eq!(paths.times().tree, Duration::ZERO, "predecessors were not requested");
    let distance = paths.distance(farthest).unwrap().unwrap();
    let bits = gpu.download(paths.distances_on_device().unwrap()).unwrap()[farthest as usize];
    assert_eq!(distance, f64::from(bits));
    assert_eq!(paths.distance(graph.vertices()).unwrap(), None, "it is no vertex");
    let predecessors = gpu.download(paths.predecessors_on_device().unwrap().unwrap()).unwrap();
    assert_eq!(predecessors, paths.predecessors().unwrap());
    paths.download().unwrap().verify(&graph, &SsspOptions::default()).unwrap();
}

#[test]
fn the_cpu_has_the_same_results() {
    let graph = generated("rmat:scale=8,weights=1..9");
    let on_cpu = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
    let on_gpu = LoadedGraph::new(&device(), &graph).unwrap();
    let both = [&on_cpu, &on_gpu].map(|loaded| loaded.bfs(1, &BfsOptions::default()).unwrap());
    assert_eq!(both[0].levels().unwrap(), both[1].levels().unwrap());
    let facts = both.each_ref().map(|search| {
        (search.source(), search.reached(), search.depth(), search.edges(), search.is_complete())
    });
    assert_eq!(facts[0], facts[1]);
    assert!(both[0].levels_on_device().is_none());
    let both = [&on_cpu, &on_gpu].map(|loaded| loaded.sssp(1, &SsspOptions::default()).unwrap());
    assert_eq!(both[0].distances().unwrap(), both[1].distances().unwrap());
    let facts = both
        .each_ref()
        .map(|paths| (paths.source(), paths.reached(), paths.edges(), paths.is_complete()));
    assert_eq!(facts[0], facts[1]);
    assert!(both[0].predecessors_on_device().unwrap().is_none());
}
