//! Device loops in one launch find what loops in launches find.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use crate::{
    engine::{Discover, DiscoverLaunch, graph},
    gpu,
};

/// Levels, found in their order.
#[derive(CubeType, CubeLaunch)]
struct Leveled {
    levels: AtomicArray,
}

impl EdgeOpKind for Leveled {
    const JOINS_ONCE: bool = true;
    const LABELS_ARE_ITERATIONS: bool = true;
}

#[cube]
impl EdgeOp for Leveled {
    fn label(&self, source: u32) -> u32 {
        self.levels.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label + 1
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.levels.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        label < self.levels.fetch_min(target, label)
    }
}

#[cube]
impl SearchOp for Leveled {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        let mut level = u32::MAX.runtime();
        if is_source {
            level = 0u32;
        }
        self.levels.set(vertex, level);
    }

    fn is_at(&self, vertex: u32, level: u32) -> bool {
        self.levels.get(vertex) == level
    }
}

#[cube]
impl PullOp for Leveled {
    fn is_open(&self, vertex: u32) -> bool {
        self.levels.get(vertex) == u32::MAX
    }

    fn pull(&mut self, vertex: u32, level: u32, _parent: u32) {
        self.levels.set(vertex, level + 1);
    }
}

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

/// One cube alone is always complete. Of many, some give up at once here, and the loop is run in
/// launches.
const MODES: [LoopMode; 3] =
    [LoopMode::Launches, LoopMode::OneLaunch { cubes: 1 }, LoopMode::OneLaunch { cubes: 64 }];

#[test]
fn loops_in_one_launch_find_the_same() {
    let gpu = gpu();
    // The last has frontiers that are wide for one cube, which are left to launches.
    for spec in ["path:n=700", "star:n=12000", "grid:width=40,height=30", "rmat:scale=13"] {
        let graph = graph(spec);
        let weights: Vec<u32> = (0..graph.edges() as u32).map(|edge| edge % 7).collect();
        let weights = gpu.upload(&weights).unwrap();
        let found = MODES.map(|mode| {
            let there = DeviceGraph::upload(&gpu, &graph).unwrap().in_mode(mode);
            let levels = gpu.empty(graph.vertices() as usize).unwrap();
            let arg = || LeveledLaunch::new(AtomicArray::of(&gpu, &levels));
            let op = Operation::<Leveled>::checked(arg);
            let search = LevelSearch::new::<Leveled>(&there, None).unwrap();
            let batches = search.run(&op, 0, LevelLimits::default()).unwrap();

            let again = gpu.empty(graph.vertices() as usize).unwrap();
            let arg = || LeveledLaunch::new(AtomicArray::of(&gpu, &again));
            let leveled = Operation::<Leveled>::checked(arg);
            let arg = || DiscoverLaunch::new(AtomicArray::of(&gpu, &again));
            let deep = Operation::<Discover>::checked(arg);
            let search = LevelSearch::new::<Leveled>(&there, None).unwrap();
            let (_, went_deep) = search.run_deep(&leveled, &deep, 0).unwrap();
            let is_long = mode != LoopMode::Launches
                && batches.iter().map(|b| b.iterations).sum::<u32>() > 32;
            assert_eq!(went_deep, is_long, "{spec}");

            let distances = gpu.empty(graph.vertices() as usize).unwrap();
            let arg = || RelaxLaunch::new(AtomicArray::of(&gpu, &distances), weights.arg());
            let op = Operation::<Relax>::checked(arg);
            let search = NearFarSearch::new::<Relax>(&there, &[4, 100], 1).unwrap();
            search.run(&op, 0).unwrap();
            let iterations: u32 = batches.iter().map(|batch| batch.iterations).sum();
            let edges: u32 = batches.iter().map(|batch| batch.edges).sum();
            let levels = gpu.download(&levels).unwrap();
            let again = gpu.download(&again).unwrap();
            let wrong = again.iter().zip(&levels).position(|(a, b)| a != b);
            assert_eq!(wrong.map(|v| (v, again[v], levels[v])), None, "{spec}, {mode:?}: deep");
            (iterations, edges, levels, gpu.download(&distances).unwrap())
        });
        assert!(found[0] == found[1], "{spec}: one cube");
        assert!(found[0] == found[2], "{spec}: launches after giving up");
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

/// Some start with more vertices than one cube looks through, and go on with fewer.
#[test]
fn peeling_in_one_launch_finds_the_same() {
    let gpu = gpu();
    for spec in ["path:n=700", "grid:width=200,height=300,drop=0.1", "er:n=40000,m=90000"] {
        let graph = graph(spec);
        let degrees: Vec<u32> =
            (0..graph.vertices()).map(|vertex| graph.degree(vertex) as u32).collect();
        let found = MODES.map(|mode| {
            let there = DeviceGraph::upload(&gpu, &graph).unwrap().in_mode(mode);
            let (left, cores) =
                (gpu.upload(&degrees).unwrap(), gpu.filled(degrees.len(), u32::MAX).unwrap());
            let arg =
                || CoresLaunch::new(AtomicArray::of(&gpu, &left), AtomicArray::of(&gpu, &cores));
            peel(&there, &Operation::<Cores>::checked(arg))
                .unwrap_or_else(|error| panic!("{spec}, {mode:?}: {error}"));
            gpu.download(&cores).unwrap()
        });
        assert!(found[0].iter().all(|&core| core < 10), "{spec}");
        assert!(found[0] == found[1], "{spec}: one cube");
        assert!(found[0] == found[2], "{spec}: launches after giving up");
    }
}

/// The first frontier may be wide, too.
#[test]
fn searches_from_many_in_one_launch_find_the_same() {
    let gpu = gpu();
    let graph = graph("rmat:scale=14");
    let sources: Vec<u32> = (0..graph.vertices()).step_by(2).collect();
    let found = MODES.map(|mode| {
        let there = DeviceGraph::upload(&gpu, &graph).unwrap().in_mode(mode);
        let mut levels = vec![u32::MAX; graph.vertices() as usize];
        sources.iter().for_each(|&source| levels[source as usize] = 0);
        let levels = gpu.upload(&levels).unwrap();
        let arg = || DiscoverLaunch::new(AtomicArray::of(&gpu, &levels));
        let frontier = Frontier::of(&there, &sources).unwrap();
        until_empty_in_parts(&frontier, &Operation::<Discover>::checked(arg)).unwrap();
        gpu.download(&levels).unwrap()
    });
    assert!(found[0] == found[1] && found[0] == found[2]);
}
