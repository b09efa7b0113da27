//! Device loops in one launch find the same as loops in launches.

use cubecl::prelude::*;
use equipoise_conformance::operations::{Discover, DiscoverLaunch, Leveled, LeveledLaunch};
use equipoise_schedule::{atomics::*, device::Gpu, engine::*, input::Input};

use crate::{engine::graph, gpu};

/// Shortest paths, for near and far worklists.
#[derive(CubeType, CubeLaunch)]
struct Relax {
    distances: AtomicArray,
    weights: Input<u32>,
}

impl EdgeOpKind for Relax {}

#[cube]
impl EdgeOp for Relax {
    fn label(&self, source: u32) -> u32 {
        self.distances.get(source)
    }

    fn along(&self, label: u32, edge: u32) -> u32 {
        label + self.weights[edge as usize]
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.distances.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        label < self.distances.fetch_min(target, label)
    }
}

#[cube]
impl SearchOp for Relax {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        let mut distance = u32::MAX.runtime();
        if is_source {
            distance = 0u32;
        }
        self.distances.set(vertex, distance);
    }

    fn is_at(&self, _vertex: u32, _iteration: u32) -> bool {
        false.runtime()
    }
}

#[cube]
impl DistanceOp for Relax {
    fn beyond(&self, label: u32, length: u32) -> u32 {
        label + min(length, u32::MAX - label)
    }
}

/// A single cube always completes. Of many, some give up at once on a software device, and the loop falls back to launches.
const MODES: [LoopMode; 3] =
    [LoopMode::Launches, LoopMode::OneLaunch { cubes: 1 }, LoopMode::OneLaunch { cubes: 64 }];

/// Runs a search in each mode, and requires the same result.
fn equal_in_all_modes<T: PartialEq>(
    gpu: &Gpu,
    spec: &str,
    run: impl Fn(&DeviceGraph, LoopMode) -> T,
) -> T {
    let [launches, one_cube, many_cubes] = MODES.map(|mode| {
        let device_graph = DeviceGraph::upload(gpu, &graph(spec)).unwrap();
        run(&device_graph.in_mode(mode), mode)
    });
    assert!(launches == one_cube, "{spec}: one cube");
    assert!(launches == many_cubes, "{spec}: launches after giving up");
    launches
}

/// The last has frontiers too wide for one cube, which fall back to launches.
const GRAPHS: [&str; 4] =
    ["path:n=700", "star:n=12000", "grid:width=40,height=30", "rmat:scale=13"];

#[test]
fn levels_in_one_launch_are_those_in_launches() {
    let gpu = gpu();
    for spec in GRAPHS {
        equal_in_all_modes(&gpu, spec, |graph, mode| {
            let vertices = graph.vertices() as usize;
            let levels = gpu.empty(vertices).unwrap();
            let arg = || LeveledLaunch::new(AtomicArray::bind(&gpu, &levels));
            let op = Operation::<Leveled>::checked(arg);
            let search = LevelSearch::new::<Leveled>(graph, None).unwrap();
            let batches = search.run(&op, 0, LevelLimits::default()).unwrap();
            let iterations: u32 = batches.iter().map(|batch| batch.iterations).sum();
            let edges: u32 = batches.iter().map(|batch| batch.edges).sum();
            let levels = gpu.download(&levels).unwrap();

            let deep_levels = gpu.empty(vertices).unwrap();
            let arg = || LeveledLaunch::new(AtomicArray::bind(&gpu, &deep_levels));
            let leveled = Operation::<Leveled>::checked(arg);
            let arg = || DiscoverLaunch::new(AtomicArray::bind(&gpu, &deep_levels));
            let deep = Operation::<Discover>::checked(arg);
            let search = LevelSearch::new::<Leveled>(graph, None).unwrap();
            let (_, went_deep) = search.run_deep(&leveled, &deep, 0).unwrap();
            assert_eq!(went_deep, mode != LoopMode::Launches && iterations > 32, "{spec}");
            let deep_levels = gpu.download(&deep_levels).unwrap();
            let differs = |&vertex: &usize| deep_levels[vertex] != levels[vertex];
            assert_eq!((0..vertices).find(differs), None, "{spec}, {mode:?}: deep");
            (iterations, edges, levels)
        });
    }
}

#[test]
fn distances_in_one_launch_are_those_in_launches() {
    let gpu = gpu();
    for spec in GRAPHS {
        let edges = graph(spec).edges() as u32;
        let weights = gpu.upload(&(0..edges).map(|edge| edge % 7).collect::<Vec<u32>>()).unwrap();
        equal_in_all_modes(&gpu, spec, |graph, _| {
            let distances = gpu.empty(graph.vertices() as usize).unwrap();
            let arg = || RelaxLaunch::new(AtomicArray::bind(&gpu, &distances), weights.arg());
            let op = Operation::<Relax>::checked(arg);
            let search = NearFarSearch::new::<Relax>(graph, &[4, 100], 1).unwrap();
            search.run(&op, 0).unwrap();
            gpu.download(&distances).unwrap()
        });
    }
}

#[derive(CubeType, CubeLaunch)]
struct Cores {
    left: AtomicArray,
    cores: AtomicArray,
}

impl EdgeOpKind for Cores {
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for Cores {
    fn label(&self, source: u32) -> u32 {
        self.cores.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        self.left.get(target) > label
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        let joins = self.left.fetch_add(target, u32::MAX.runtime()) == label + 1;
        if joins {
            self.cores.set(target, label);
        }
        joins
    }
}

#[cube]
impl PeelOp for Cores {
    fn is_peeled(&self, vertex: u32) -> bool {
        self.cores.get(vertex) != u32::MAX.runtime()
    }

    fn left(&self, vertex: u32) -> u32 {
        self.left.get(vertex)
    }

    fn peel(&mut self, vertex: u32, level: u32) {
        self.cores.set(vertex, level);
    }
}

/// Some start with more vertices than one cube examines, and continue with fewer.
#[test]
fn peeling_in_one_launch_finds_the_same() {
    let gpu = gpu();
    for spec in ["path:n=700", "grid:width=200,height=300,drop=0.1", "er:n=40000,m=90000"] {
        let graph = graph(spec);
        let degrees: Vec<u32> =
            (0..graph.vertices()).map(|vertex| graph.degree(vertex) as u32).collect();
        let cores = equal_in_all_modes(&gpu, spec, |graph, mode| {
            let (left, cores) =
                (gpu.upload(&degrees).unwrap(), gpu.filled(degrees.len(), u32::MAX).unwrap());
            let arg = || {
                CoresLaunch::new(AtomicArray::bind(&gpu, &left), AtomicArray::bind(&gpu, &cores))
            };
            peel(graph, &Operation::<Cores>::checked(arg))
                .unwrap_or_else(|error| panic!("{spec}, {mode:?}: {error}"));
            gpu.download(&cores).unwrap()
        });
        assert!(cores.iter().all(|&core| core < 10), "{spec}");
    }
}

/// The first frontier is wide.
#[test]
fn searches_from_many_in_one_launch_find_the_same() {
    let gpu = gpu();
    equal_in_all_modes(&gpu, "rmat:scale=14", |graph, _| {
        let sources: Vec<u32> = (0..graph.vertices()).step_by(2).collect();
        let mut levels = vec![u32::MAX; graph.vertices() as usize];
        sources.iter().for_each(|&source| levels[source as usize] = 0);
        let levels = gpu.upload(&levels).unwrap();
        let arg = || DiscoverLaunch::new(AtomicArray::bind(&gpu, &levels));
        let frontier = Frontier::from_vertices(graph, &sources).unwrap();
        until_empty(&frontier, Spread::Parts, &Operation::<Discover>::checked(arg)).unwrap();
        gpu.download(&levels).unwrap()
    });
}
