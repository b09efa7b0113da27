//! A graph that is loaded once: what is copied of it, and what results leave on the device.

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

use super::search::{device, directed, made, with_memory};

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
    let graph = made("grid:width=20,height=20,weights=1..9");
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
    assert_eq!(neighbors, 4 * (5 + 4), "0 and 1, 1 and 3, both ways; not the graph's own rows");
    assert_eq!(loaded.color(&ColorOptions::default()).unwrap().colors, colors);
    assert_eq!(held(&device), neighbors);
}

#[test]
fn what_a_search_found_stays_on_the_device_until_it_is_asked_for() {
    let graph = made("rmat:scale=8,weights=1..9");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let search = loaded.bfs(1, &BfsOptions::default()).unwrap();
    let levels = search.levels_on_device().unwrap().clone();
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    assert_eq!(gpu.download(&levels).unwrap(), search.levels().unwrap());
    let farthest = (0..graph.vertices())
        .max_by_key(|&vertex| search.level(vertex).unwrap().unwrap_or(0))
        .unwrap();
    assert_eq!(search.level(farthest).unwrap(), Some(search.depth()));
    let path = search.path_to(farthest).unwrap().unwrap();
    assert_eq!(path.len() as u32, search.depth() + 1);
    assert_eq!(search.times().tree, Duration::ZERO, "parents were recorded on the way");
    let parents = gpu.download(search.parents_on_device().unwrap().unwrap()).unwrap();
    assert_eq!(parents, search.parents().unwrap());
    search.download().unwrap().verify(&graph, &BfsOptions::default()).unwrap();

    let options = BfsOptions { levels_only: true, ..BfsOptions::default() };
    let search = loaded.bfs(1, &options).unwrap();
    assert_eq!(search.times().tree, Duration::ZERO, "nobody asked for parents");
    assert_eq!(search.path_to(farthest).unwrap().unwrap().len(), path.len());
    search.download().unwrap().verify(&graph, &options).unwrap();

    let paths = loaded.sssp(1, &SsspOptions::default()).unwrap();
    assert_eq!(paths.times().tree, Duration::ZERO, "nobody asked for predecessors");
    let distance = paths.distance(farthest).unwrap().unwrap();
    let bits = gpu.download(paths.distances_on_device().unwrap()).unwrap()[farthest as usize];
    assert_eq!(distance, f64::from(bits));
    assert_eq!(paths.distance(graph.vertices()).unwrap(), None, "it is no vertex");
    let predecessors = gpu.download(paths.predecessors_on_device().unwrap().unwrap()).unwrap();
    assert_eq!(predecessors, paths.predecessors().unwrap());
    paths.download().unwrap().verify(&graph, &SsspOptions::default()).unwrap();
}

#[test]
fn the_cpu_answers_the_same_questions() {
    let graph = made("rmat:scale=8,weights=1..9");
    let here = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let both = [&here, &there].map(|loaded| loaded.bfs(1, &BfsOptions::default()).unwrap());
    assert_eq!(both[0].levels().unwrap(), both[1].levels().unwrap());
    let facts = both.each_ref().map(|search| {
        (search.source(), search.reached(), search.depth(), search.edges(), search.is_complete())
    });
    assert_eq!(facts[0], facts[1]);
    assert!(both[0].levels_on_device().is_none());
    let both = [&here, &there].map(|loaded| loaded.sssp(1, &SsspOptions::default()).unwrap());
    assert_eq!(both[0].distances().unwrap(), both[1].distances().unwrap());
    let facts = both
        .each_ref()
        .map(|paths| (paths.source(), paths.reached(), paths.edges(), paths.is_complete()));
    assert_eq!(facts[0], facts[1]);
    assert!(both[0].predecessors_on_device().unwrap().is_none());
}
