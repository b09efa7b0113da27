//! The operators of the engine on a device, against plain Rust.

use cubecl::prelude::*;
use equipoise_graph::{Graph, io::ReadOptions, load};
use equipoise_schedule::{
    Error, Result, atomics::*, device::Gpu, engine::*, input::Input, plan::ScheduleOptions,
};

use crate::{
    operations::{Discover, DiscoverLaunch, NameAll, NameAllLaunch, UNREACHED},
    settle,
    verdict::{Tried, compared},
};

/// Graphs whose frontiers are empty, narrow in many iterations, wide in one, and uneven.
fn graphs(spread: &Spread) -> [(&'static str, &'static str); 7] {
    // Parts put many iterations into a launch; the host waits after each iteration of a schedule.
    let path = if *spread == Spread::Parts { "path:n=700" } else { "path:n=60" };
    [
        ("one-vertex", "isolated:n=1"),
        ("no-edges", "isolated:n=40"),
        ("path", path),
        ("star", "star:n=12000"),
        ("two-parts", "components:n=60"),
        ("power-law", "rmat:scale=11"),
        ("directed", "er:n=900,m=4000,directed=true"),
    ]
}

/// The verdict on an operator with a schedule on one graph.
///
/// ```
/// use equipoise_conformance::OperatorCase;
/// use equipoise_schedule::engine::Spread;
///
/// let verdict = Err("number 3 is 7, not 8".into());
/// let case = OperatorCase { spread: Spread::Parts, operator: "search", graph: "path", verdict };
/// assert_eq!(format!("{} by {}", case.operator, case.spread), "search by parts");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorCase {
    /// How edges were spread.
    pub spread: Spread,
    /// `search`, `advance`, `pull`, `representations`, `settle`, `gather` or `gather-some`.
    pub operator: &'static str,
    /// The shape of the graph.
    pub graph: &'static str,
    /// The difference from plain Rust, if any.
    pub verdict: Result<(), String>,
}

/// Compares the operators of the [engine](equipoise_schedule::engine) with plain Rust and reports each case.
///
/// All spreads run a search and an advance to every neighbour. Parts also run a search that pulls every level, frontiers
/// converted to bitmaps and parts and back, and vertices that settle; schedules run gathers of all vertices and of some.
///
/// A wrong result is reported in the case's verdict. Fails only if the device is lost.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, engine::Spread};
///
/// fn passes(gpu: &Gpu) -> Result<bool> {
///     let mut right = true;
///     for spread in Spread::all() {
///         equipoise_conformance::run_operators(gpu, &spread, |case| right &= case.verdict.is_ok())?;
///     }
///     Ok(right)
/// }
/// ```
pub fn run_operators(
    gpu: &Gpu,
    spread: &Spread,
    mut report: impl FnMut(&OperatorCase),
) -> Result<()> {
    for (name, spec) in graphs(spread) {
        let graph = load(spec, &ReadOptions::default());
        let graph = graph.map_err(|error| Error::Schedule(error.to_string()))?;
        let device_graph = DeviceGraph::upload(gpu, &graph)?;
        let both = [
            ("search", search(&graph, &device_graph, spread)),
            ("advance", advance_to_all(&graph, &device_graph, *spread)),
        ];
        let more = match spread {
            Spread::Parts => vec![
                ("pull", pull_levels(&graph, &device_graph)),
                ("representations", through_representations(&graph, &device_graph)),
                ("settle", settle::ranks(&graph, &device_graph)),
            ],
            Spread::Schedule(schedule) => vec![
                ("gather", gather_sums(&graph, &device_graph, *schedule, 1)),
                ("gather-some", gather_sums(&graph, &device_graph, *schedule, 3)),
            ],
        };
        for (operator, tried) in both.into_iter().chain(more) {
            let verdict = match tried {
                Err(error @ Error::Lost(_)) => return Err(error),
                Err(error) => Err(error.to_string()),
                Ok(verdict) => verdict,
            };
            report(&OperatorCase { spread: *spread, operator, graph: name, verdict });
        }
    }
    Ok(())
}

fn pull_levels(graph: &Graph, device_graph: &DeviceGraph) -> Tried {
    let transpose = graph.transpose().map_err(|error| Error::Schedule(error.to_string()))?;
    device_graph.upload_entering(transpose)?;
    let mut start = vec![UNREACHED; graph.vertices() as usize];
    start[0] = 0;
    let levels = device_graph.gpu().upload(&start)?;
    let discover = Operation::<Discover>::checked(|| {
        DiscoverLaunch::new(AtomicArray::bind(device_graph.gpu(), &levels))
    });
    let (mut frontier, mut level) = (Frontier::from_vertices(device_graph, &[0])?, 0);
    while !frontier.is_empty() {
        frontier = pull(&frontier, level, &discover)?;
        level += 1;
    }
    Ok(compared(&device_graph.gpu().download(&levels)?, &levels_of(graph, start)))
}

/// Converts frontiers of no vertex, the first and last, every third, and all of them to a bitmap, to parts, and back.
fn through_representations(graph: &Graph, device_graph: &DeviceGraph) -> Tried {
    let last = graph.vertices() - 1;
    let ends = if last > 0 { vec![0, last] } else { vec![0] };
    let every_third = (0..=last).step_by(3).collect();
    for vertices in [vec![], ends, every_third, (0..=last).collect::<Vec<u32>>()] {
        let frontier = Frontier::from_vertices(device_graph, &vertices)?;
        let from_bits = Frontier::from_bitmap(device_graph, &frontier.bitmap()?)?;
        let parts = frontier.parts()?;
        let from_parts = Frontier::from_parts(device_graph, &parts)?;
        let edges = device_graph.gpu().download(&parts.lengths)?.iter().sum::<u32>();
        let same = compared(&from_bits.vertices()?, &vertices)
            .and(compared(&from_parts.vertices()?, &vertices))
            .and(compared(&[from_bits.edges(), from_parts.edges(), edges], &[frontier.edges(); 3]));
        if same.is_err() {
            return Ok(same);
        }
    }
    Ok(Ok(()))
}

fn search(graph: &Graph, device_graph: &DeviceGraph, spread: &Spread) -> Tried {
    let mut start = vec![UNREACHED; graph.vertices() as usize];
    start[0] = 0;
    let levels = device_graph.gpu().upload(&start)?;
    // SAFETY: each vertex has a level.
    let discover = unsafe {
        Operation::<Discover>::unchecked(|| {
            DiscoverLaunch::new(AtomicArray::bind(device_graph.gpu(), &levels))
        })
    };
    until_empty(&Frontier::from_vertices(device_graph, &[0])?, *spread, &discover)?;
    Ok(compared(&device_graph.gpu().download(&levels)?, &levels_of(graph, start)))
}

/// Levels from vertex 0, by a search in plain Rust.
fn levels_of(graph: &Graph, mut levels: Vec<u32>) -> Vec<u32> {
    let mut frontier = vec![0];
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for source in frontier {
            for &target in graph.csr().row(source) {
                if levels[target as usize] == UNREACHED {
                    levels[target as usize] = levels[source as usize] + 1;
                    next.push(target);
                }
            }
        }
        frontier = next;
    }
    levels
}

fn advance_to_all(graph: &Graph, device_graph: &DeviceGraph, spread: Spread) -> Tried {
    // Every third vertex, the last first.
    let sources: Vec<u32> = (0..graph.vertices()).rev().step_by(3).collect();
    let relaxed = device_graph.gpu().filled(graph.edges() as usize, 0u32)?;
    let name_all = Operation::<NameAll>::checked(|| NameAllLaunch::new(relaxed.arg()));
    let next = advance(&Frontier::from_vertices(device_graph, &sources)?, spread, &name_all)?;
    let mut vertices = next.vertices()?;
    vertices.sort_unstable();
    let mut expected: Vec<u32> =
        sources.iter().flat_map(|&source| graph.csr().row(source)).copied().collect();
    let edges = expected.len();
    expected.sort_unstable();
    expected.dedup();
    let relaxed = device_graph.gpu().download(&relaxed)?;
    let once = relaxed.iter().all(|&times| times <= 1);
    let all = relaxed.iter().filter(|&&times| times > 0).count() == edges;
    let relaxations =
        if once && all { Ok(()) } else { Err("not every edge was relaxed once".to_owned()) };
    Ok(compared(&vertices, &expected).and(relaxations))
}

/// Adds up the numbers of neighbours and edges.
#[derive(CubeType, CubeLaunch)]
struct AddUp {
    numbers: Input<u32>,
    sums: Array<u32>,
}

impl GatherOpKind for AddUp {}

#[cube]
impl GatherOp for AddUp {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        self.numbers[neighbour as usize] + edge + vertex
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.sums[vertex as usize] = total + 1;
    }
}

/// Sums of one vertex of every `step`.
fn gather_sums(
    graph: &Graph,
    device_graph: &DeviceGraph,
    schedule: ScheduleOptions,
    step: usize,
) -> Tried {
    let numbers: Vec<u32> = (0..graph.vertices()).map(|vertex| vertex * 7 % 31).collect();
    let sum = |vertex: u32| {
        let first = graph.csr().offsets()[vertex as usize] as u32;
        let edges = (first..).zip(graph.csr().row(vertex));
        edges.fold(1u32, |sum, (edge, &neighbour)| {
            sum.wrapping_add(numbers[neighbour as usize] + edge + vertex)
        })
    };
    let mut expected = vec![0; numbers.len()];
    let wanted: Vec<u32> = (0..graph.vertices()).step_by(step).collect();
    wanted.iter().for_each(|&vertex| expected[vertex as usize] = sum(vertex));
    let gpu = device_graph.gpu();
    let (numbers, sums) = (gpu.upload(&numbers)?, gpu.filled(expected.len(), 0u32)?);
    let add_up = Operation::<AddUp>::checked(|| AddUpLaunch::new(numbers.arg(), sums.arg()));
    if step == 1 {
        gather(device_graph, schedule, &add_up)?;
    } else {
        FrontierGather::new(&Frontier::from_vertices(device_graph, &wanted)?, schedule)?
            .run(&add_up)?;
    }
    Ok(compared(&gpu.download(&sums)?, &expected))
}
