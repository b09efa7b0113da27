//! Results whose arrays stay on a GPU, next to their copies on the host.

use equipoise::{
    LoadedGraph,
    algorithm::{Algorithm, GpuArray, OnGpu},
    bfs::{Bfs, BfsOptions},
    graph::Graph,
    sssp::{Sssp, SsspOptions},
};

use crate::common::{device, directed, generated_in_32_bits};

fn on_gpu<A: Algorithm>(loaded: &LoadedGraph<'_>, options: &A::Options) -> OnGpu<A> {
    A::find_from(loaded, &[0], options).unwrap().remove(0).on_gpu().unwrap().unwrap()
}

#[test]
fn levels_and_parents_are_those_on_the_host() {
    let graph = generated_in_32_bits("rmat:scale=8,edge-factor=4,seed=3");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let OnGpu { gpu, summary, arrays } = on_gpu::<Bfs>(&loaded, &BfsOptions::default());
    let search = loaded.bfs(0, &BfsOptions::default()).unwrap().download().unwrap();
    assert_eq!(
        (summary.reached, summary.depth, summary.edges),
        (search.reached, search.depth, search.edges)
    );
    assert!(summary.complete && summary.levels.is_empty() && summary.parents.is_empty());
    let [("levels", GpuArray::U32(levels)), ("parents", GpuArray::U32(parents))] = &arrays[..]
    else {
        panic!("{arrays:?}")
    };
    assert_eq!(gpu.download(levels).unwrap(), search.levels);
    let (levels, parents) = (search.levels, gpu.download(parents).unwrap());
    Bfs { levels, parents, ..summary }.verify(&graph, &BfsOptions::default()).unwrap();
}

fn assert_distances(graph: &Graph, expected: &[f64]) {
    let loaded = LoadedGraph::new(&device(), graph).unwrap();
    let OnGpu { gpu, summary, arrays } = on_gpu::<Sssp>(&loaded, &SsspOptions::default());
    assert_eq!((summary.reached, summary.distances.len()), (3, 0));
    let [("distances", GpuArray::F64(distances)), ("predecessors", GpuArray::U32(before))] =
        &arrays[..]
    else {
        panic!("{arrays:?}")
    };
    assert_eq!(gpu.download(distances).unwrap(), expected);
    assert_eq!(gpu.download(before).unwrap(), [0, 0, 1, u32::MAX]);
}

#[test]
fn distances_are_wide_and_infinite_without_a_path() {
    let large = 4_000_000_001;
    let whole = directed(4, vec![(0, 1, large), (1, 2, 7u32)]);
    assert_distances(&whole, &[0.0, 4_000_000_001.0, 4_000_000_008.0, f64::INFINITY]);
    let real = directed(4, vec![(0, 1, 0.5f32), (1, 2, 0.25)]);
    assert_distances(&real, &[0.0, 0.5, 0.75, f64::INFINITY]);
}

#[test]
fn results_on_the_host_stay_there() {
    let graph = directed(2, vec![(0, 1)]);
    let loaded = LoadedGraph::new(&equipoise::device::OpenDevice::Cpu, &graph).unwrap();
    let result = Bfs::find_from(&loaded, &[0], &BfsOptions::default()).unwrap().remove(0);
    assert!(result.on_gpu().unwrap().is_none());
}
