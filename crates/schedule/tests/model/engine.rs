//! The operators of the engine.

use cubecl::prelude::*;
use equipoise_conformance::{
    operations::{Discover, DiscoverLaunch, NameAll, NameAllLaunch},
    run_operators,
};
use equipoise_graph::{Graph, io::ReadOptions, load};
use equipoise_schedule::{ScheduleName, atomics::*, engine::*};

use crate::gpu;

const GRAPHS: [&str; 4] = ["isolated:n=1", "path:n=700", "star:n=3000", "rmat:scale=11"];

pub fn graph(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// Runs the operators with every second spread from the `first`: two tests share the work.
fn operators_equal_plain_rust(first: usize) {
    let gpu = gpu();
    for spread in Spread::all().skip(first).step_by(2) {
        let mut cases = 0;
        run_operators(&gpu, &spread, |case| {
            cases += 1;
            assert_eq!(case.verdict, Ok(()), "{spread}, {}, {}", case.operator, case.graph);
        })
        .unwrap();
        // On each of seven graphs a search and an advance; a pull, representations and settling, or
        // two gathers.
        assert_eq!(cases, 7 * if spread == Spread::Parts { 5 } else { 4 });
    }
}

#[test]
fn operators_equal_plain_rust_by_parts_and_half_of_the_schedules() {
    operators_equal_plain_rust(0);
}

#[test]
fn operators_equal_plain_rust_by_the_other_schedules() {
    operators_equal_plain_rust(1);
}

#[test]
fn checked_or_not_the_levels_are_the_same() {
    let gpu = gpu();
    for (spec, depth) in [("path:n=60", 59), ("star:n=12000", 2), ("isolated:n=2", 0)] {
        let graph = DeviceGraph::upload(&gpu, &graph(spec)).unwrap();
        let mut start = vec![u32::MAX; graph.vertices() as usize];
        start[1] = 0;
        let search = |checked: bool, spread: Spread| {
            let levels = gpu.upload(&start).unwrap();
            let arg = || DiscoverLaunch::new(AtomicArray::bind(&gpu, &levels));
            let source = Frontier::from_vertices(&graph, &[1]).unwrap();
            // SAFETY: each vertex has a level.
            let unchecked = unsafe { Operation::<Discover>::unchecked(arg) };
            let iterations = if checked {
                until_empty(&source, spread, &Operation::<Discover>::checked(arg))
            } else {
                until_empty(&source, spread, &unchecked)
            };
            (gpu.download(&levels).unwrap(), iterations.unwrap())
        };
        for spread in [Spread::Parts, ScheduleName::MergePath.into()] {
            let (checked, some) = search(true, spread);
            let (unchecked, others) = search(false, spread);
            assert_eq!(checked, unchecked, "{spec}");
            // The last iteration finds an empty frontier.
            assert!(
                some.max(others) <= depth + 1 && some.min(others) > 0,
                "{spec}: {some}, {others}"
            );
        }
    }
}

/// Counts visits, and says whether a vertex is a multiple of three.
#[derive(CubeType, CubeLaunch)]
pub struct ByThree {
    pub visits: Array<u32>,
}

#[cube]
impl VertexOp for ByThree {
    fn apply(&mut self, vertex: u32) -> bool {
        self.visits[vertex as usize] += 1;
        vertex.is_multiple_of(3)
    }
}

#[test]
fn vertices_are_visited_once_and_filtered_by_the_operation() {
    let gpu = gpu();
    for spec in GRAPHS {
        let graph = graph(spec);
        let device_graph = DeviceGraph::upload(&gpu, &graph).unwrap();
        let visits = gpu.filled(graph.vertices() as usize, 0u32).unwrap();
        let op = Operation::<ByThree>::checked(|| ByThreeLaunch::new(visits.arg()));
        let all = Frontier::all(&device_graph).unwrap();
        assert_eq!((all.len(), u64::from(all.edges())), (graph.vertices(), graph.edges()));
        let filtered = filter(&all, &op).unwrap();
        let mut found = filtered.vertices().unwrap();
        found.sort_unstable();
        assert!(found.iter().copied().eq((0..graph.vertices()).step_by(3)), "{spec}");
        for_each(&filtered, &op);
        let expected = (0..graph.vertices()).map(|vertex| 1 + u32::from(vertex % 3 == 0));
        assert!(gpu.download(&visits).unwrap().into_iter().eq(expected), "{spec}");

        let flags = filtered.flags().unwrap();
        let again = Frontier::from_flags(&device_graph, &flags).unwrap();
        assert_eq!((again.len(), again.edges()), (filtered.len(), filtered.edges()));
        assert_eq!(again.vertices().unwrap(), found);
    }
}

#[test]
fn empty_frontiers_stay_empty() {
    let gpu = gpu();
    let graph = DeviceGraph::from_rows(&gpu, &[0], &[]).unwrap();
    let none = Frontier::all(&graph).unwrap();
    assert!(none.is_empty() && none.vertices().unwrap().is_empty());
    let counts = gpu.filled(1, 0u32).unwrap();
    let relax = Operation::<NameAll>::checked(|| NameAllLaunch::new(counts.arg()));
    let visit = Operation::<ByThree>::checked(|| ByThreeLaunch::new(counts.arg()));
    for spread in Spread::all() {
        assert!(advance(&none, spread, &relax).unwrap().is_empty());
        assert_eq!(until_empty(&none, spread, &relax).unwrap(), 0);
    }
    for_each(&none, &visit);
    assert!(filter(&none, &visit).unwrap().is_empty());
    assert_eq!(gpu.download(&counts).unwrap(), [0]);
}

/// Writes beyond a short buffer do not reach another one.
#[test]
fn checked_operations_keep_within_their_buffers() {
    let gpu = gpu();
    let device_graph = DeviceGraph::upload(&gpu, &graph("star:n=3000")).unwrap();
    let (short, other) = (gpu.filled(10, 0u32).unwrap(), gpu.filled(5000, 9u32).unwrap());
    let visit = Operation::<ByThree>::checked(|| ByThreeLaunch::new(short.arg()));
    for_each(&Frontier::all(&device_graph).unwrap(), &visit);
    gpu.finish().unwrap();
    assert_eq!(gpu.download(&other).unwrap(), [9; 5000]);
}

#[test]
fn invalid_frontiers_are_refused() {
    let gpu = gpu();
    let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2], &[1, 0]).unwrap();
    let problem = |result: equipoise_schedule::Result<Frontier>| result.unwrap_err().to_string();
    let beyond = problem(Frontier::from_vertices(&graph, &[1, 2]));
    assert!(beyond.contains("a frontier with vertex 2: the graph has 2 vertices"), "{beyond}");
    let twice = problem(Frontier::from_vertices(&graph, &[1, 0, 1]));
    assert!(twice.contains("a frontier in which vertex 1 is twice"), "{twice}");
    let flags = gpu.filled(3, 1).unwrap();
    let flags = problem(Frontier::from_flags(&graph, &flags));
    assert!(flags.contains("3 flags for a graph of 2 vertices"), "{flags}");
}

#[test]
fn invalid_representations_are_refused() {
    let gpu = gpu();
    let graph = DeviceGraph::from_rows(&gpu, &[0; 41], &[]).unwrap();
    let short = Frontier::from_bitmap(&graph, &gpu.filled(1, 0).unwrap()).unwrap_err();
    assert!(short.to_string().contains("1 words for a graph of 40 vertices: 2 are"), "{short}");
    // Bits beyond the last vertex do not count.
    let all = Frontier::from_bitmap(&graph, &gpu.filled(2, u32::MAX).unwrap()).unwrap();
    assert_eq!(all.len(), 40);
    let [vertices, begins, lengths] = [40, 0, 0].map(|number| gpu.filled(1, number).unwrap());
    let parts = FrontierParts { vertices, begins, lengths };
    let beyond = Frontier::from_parts(&graph, &parts).unwrap_err();
    assert!(beyond.to_string().contains("a vertex that the graph of 40 vertices"), "{beyond}");
}

#[test]
fn a_pull_of_a_directed_graph_needs_the_entering_edges() {
    let gpu = gpu();
    let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 1], &[1]).unwrap();
    let levels = gpu.upload(&[0, u32::MAX]).unwrap();
    let arg = || DiscoverLaunch::new(AtomicArray::bind(&gpu, &levels));
    let discover = Operation::<Discover>::checked(arg);
    let source = Frontier::from_vertices(&graph, &[0]).unwrap();
    let missing = pull(&source, 0, &discover).unwrap_err();
    assert!(missing.to_string().contains("edges that enter vertices were not copied"), "{missing}");
}

#[derive(CubeType, CubeLaunch)]
struct CountEdges {
    degrees: Array<u32>,
}

impl GatherOpKind for CountEdges {}

#[cube]
impl GatherOp for CountEdges {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }
    fn gather(&mut self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
        1u32.runtime()
    }
    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }
    fn apply(&mut self, vertex: u32, total: u32) {
        self.degrees[vertex as usize] = total;
    }
}

#[test]
fn an_operation_gathers_the_same_under_every_schedule() {
    let gpu = gpu();
    let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0]).unwrap();
    let degrees = gpu.filled(3, 7u32).unwrap();
    let count = Operation::<CountEdges>::checked(|| CountEdgesLaunch::new(degrees.arg()));
    for &schedule in ScheduleName::ALL {
        gpu.fill(&degrees, 7).unwrap();
        gather(&graph, schedule.into(), &count).unwrap();
        assert_eq!(gpu.download(&degrees).unwrap(), [2, 0, 1], "{schedule}");
    }
}
