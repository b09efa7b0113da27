//! Shortest paths with a GPU per rank.
//!
//! A rank relaxes its edges until no distance decreases, then offers decreased distances of mirrors to their owners, and
//! resumes from the vertices that offers improved. Distances are the minimum sums along paths, as on the CPU; predecessors are
//! found from final distances, along tight edges.

mod paths;

use std::time::Instant;

use bytemuck::cast_slice;
use cubecl::prelude::*;
use equipoise_graph::Weights;
use equipoise_schedule::{
    Result as DeviceResult,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
};

use super::{
    upload,
    values::{read_at, write_at},
};
use crate::{
    Comm, DistGraph, Error, Exchange, Reduction, Result, Sssp, SsspOptions, Step, Trace, Traffic,
    agree,
    bitmap::ascending,
    sssp::{Found, check_source, first_missed, ready, report},
};

/// No path, and no vertex.
const NONE: u32 = u32::MAX;
/// The bits of an infinite `f32`: those of all finite ones are smaller, and in their order.
const INFINITE: u32 = 0x7f80_0000;

/// The type of weights.
const ONES: u32 = 0;
const WHOLE: u32 = 1;
const REAL: u32 = 2;

/// The weights of edges. Those of `f32` are given by their bits, and so are distances then: they compare as whole numbers.
#[derive(CubeType, CubeLaunch)]
struct Lengths {
    weights: Input<u32>,
    kind: u32,
}

#[cube]
impl Lengths {
    /// The distance at the end of an edge, or [`NONE`] if it does not fit.
    fn along(&self, distance: u32, edge: u32) -> u32 {
        let mut sum = distance + 1;
        let mut fits = distance < u32::MAX;
        if self.kind == WHOLE {
            sum = distance + self.weights[edge as usize];
            fits = sum >= distance;
        }
        if self.kind == REAL {
            let weight = f32::reinterpret(self.weights[edge as usize]);
            sum = u32::reinterpret(f32::reinterpret(distance) + weight);
            fits = sum < INFINITE;
        }
        select(fits, sum, u32::MAX.runtime())
    }
}

/// Searches for shortest paths from many sources, each rank on its GPU: like [`ShortestPaths`](crate::ShortestPaths), with one
/// bucket for all distances.
///
/// ```no_run
/// use equipoise_cluster::{Alone, DistGraph, Distances, EdgeSlice, SsspOptions, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let weights = Some(vec![7u32, 1, 2].into());
/// let slice = EdgeSlice { sources: vec![0, 0, 2], targets: vec![1, 2, 1], weights, ..EdgeSlice::new(3) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     let paths = gpu::ShortestPaths::new(&Alone, &graph, &gpu, &SsspOptions::default())?;
///     assert_eq!(paths.search(0)?.distances, Distances::U32(vec![0, 3, 1]));
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub struct ShortestPaths<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    device_graph: DeviceGraph,
    weights: Buffer<u32>,
    /// Of all local vertices.
    distances: Buffer<u32>,
    /// The last sent distances of mirrors, and the last offers to owned vertices.
    sent: Buffer<u32>,
    /// The local predecessor of each vertex; itself if another rank owns the predecessor.
    before: Buffer<u32>,
}

impl<'a> ShortestPaths<'a> {
    /// Copies the graph to the GPUs. All ranks call it.
    ///
    /// Fails on all ranks if [`ShortestPaths`](crate::ShortestPaths) does, where weights have 64 bits, or where a rank's part
    /// does not fit its GPU.
    pub fn new(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        gpu: &Gpu,
        options: &SsspOptions,
    ) -> Result<Self> {
        // All ranks have weights of one type: none has to hear it from another.
        if let Some(Weights::F64(_)) = graph.local.weights() {
            return Err(Error::WeightsTooWide);
        }
        ready(comm, graph, options)?;
        agree(comm, Self::on(comm, graph, gpu))
    }

    /// Finds shortest paths from `source` to every vertex; all ranks call it.
    ///
    /// Fails on all ranks if the source is not a vertex of the graph, the distance of a vertex that can be reached needs
    /// more than 32 bits, or a GPU fails.
    pub fn search(&self, source: u64) -> Result<Sssp> {
        check_source(self.comm, self.graph, source)?;
        let found = self.run(source)?;
        let (comm, graph, one_bucket) = (self.comm, self.graph, f64::INFINITY);
        let Some(Weights::F32(_)) = graph.local.weights() else {
            return match first_missed(comm, graph, &found) {
                None => Ok(report(comm, graph, source, one_bucket, found)),
                Some(target) => Err(Error::Option(format!(
                    "the distance of vertex {target} needs more than the 32 bits that it has on a GPU: use the cpu"
                ))),
            };
        };
        let Found { distances, predecessors, trace, overflowed } = found;
        let real = |bits: u32| if bits == NONE { f32::INFINITY } else { f32::from_bits(bits) };
        let distances: Vec<f32> = distances.into_iter().map(real).collect();
        let found = Found { distances, predecessors, trace, overflowed };
        match first_missed(comm, graph, &found) {
            None => Ok(report(comm, graph, source, one_bucket, found)),
            Some(target_id) => Err(Error::TooFar { source_id: source, target_id }),
        }
    }

    fn on(comm: &'a dyn Comm, graph: &'a DistGraph, gpu: &Gpu) -> Result<Self> {
        let (vertices, edges) = (graph.local.vertices() as usize, graph.local.edges());
        let bits: &[u32] = match graph.local.weights() {
            None => &[],
            Some(Weights::U32(weights)) => weights,
            Some(Weights::F32(weights)) => cast_slice(weights),
            Some(Weights::F64(_)) => return Err(Error::WeightsTooWide),
        };
        gpu.require("the weights of edges", gpu.held_by(4 * edges.max(1)))?;
        Ok(Self {
            comm,
            graph,
            weights: gpu.upload(bits)?,
            // Three labels, marks, two frontiers with their parts, and what is read and written.
            device_graph: upload(gpu, graph, 16)?,
            distances: gpu.empty(vertices)?,
            sent: gpu.empty(vertices)?,
            before: gpu.empty(vertices)?,
        })
    }

    fn run(&self, source: u64) -> Result<Found<u32>> {
        let mut exchange = Exchange::new(self.comm, self.graph);
        let mut trace = Trace::default();
        let mut frontier = agree(self.comm, self.start(source).map_err(Error::from))?;
        loop {
            let start = Instant::now();
            let mut active = [u64::from(frontier.len())];
            exchange.all_reduce(&mut active, Reduction::Sum);
            if active == [0] {
                break;
            }
            let (active, edges) = (frontier.len().into(), frontier.edges().into());
            frontier = self.step(&frontier, &mut exchange)?;
            let Traffic { bytes, waited } = exchange.take_traffic();
            let time = start.elapsed();
            trace.steps.push(Step { active, edges, bytes, waited, time, ..Step::new("relax") });
        }
        self.finish(source, exchange, trace)
    }

    fn gpu(&self) -> &Gpu {
        self.device_graph.gpu()
    }

    /// The source, on the rank that owns it.
    fn start(&self, source: u64) -> DeviceResult<Frontier<'_>> {
        for labels in [&self.distances, &self.sent, &self.before] {
            self.gpu().fill(labels, NONE)?;
        }
        let here = self.graph.local(source).filter(|&local| local < self.graph.owned());
        let here: Vec<u32> = here.into_iter().collect();
        write_at(self.gpu(), &self.distances, &here, &vec![0; here.len()])?;
        write_at(self.gpu(), &self.before, &here, &here)?;
        Frontier::from_vertices(&self.device_graph, &here)
    }

    fn lengths(&self) -> LengthsLaunch<GpuRuntime> {
        let kind = match self.graph.local.weights() {
            None => ONES,
            Some(Weights::F32(_)) => REAL,
            Some(_) => WHOLE,
        };
        LengthsLaunch::new(self.weights.arg(), kind)
    }

    /// Relaxes until the rank needs others. Returns the vertices that offers of other ranks improved.
    fn step<'s>(&'s self, frontier: &Frontier, exchange: &mut Exchange) -> Result<Frontier<'s>> {
        let (mirrors, distances) = agree(self.comm, self.relax(frontier).map_err(Into::into))?;
        let mut offers = Vec::new();
        let index = |mirror: u32| mirrors.partition_point(|&other| other < mirror);
        exchange.reduce(
            &mirrors,
            |mirror| distances[index(mirror)],
            |vertex, distance: u32| offers.push((vertex, distance)),
        );
        // The least offer of each vertex comes first.
        offers.sort_unstable();
        offers.dedup_by_key(|offer| offer.0);
        agree(self.comm, self.lower(&offers).map_err(Into::into))
    }

    /// The mirrors with decreased distances, ascending, and the distances.
    fn relax(&self, frontier: &Frontier) -> DeviceResult<(Vec<u32>, Vec<u32>)> {
        let gpu = self.gpu();
        let relax = || RelaxLaunch::new(AtomicArray::bind(gpu, &self.distances), self.lengths());
        until_empty(frontier, Spread::Parts, &Operation::<Relax>::checked(relax))?;
        if self.graph.mirrors.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let owned = self.graph.owned();
        let nearer = || NearerLaunch::new(self.distances.arg(), self.sent.arg(), owned);
        let nearer =
            filter(&Frontier::all(&self.device_graph)?, &Operation::<Nearer>::checked(nearer))?;
        let mirrors = ascending(nearer.vertices()?, self.device_graph.vertices());
        let distances = read_at(gpu, &self.distances, &mirrors)?;
        Ok((mirrors, distances))
    }

    /// The vertices that accept a smaller offered distance.
    fn lower(&self, offers: &[(u32, u32)]) -> DeviceResult<Frontier<'_>> {
        let (vertices, distances): (Vec<u32>, Vec<u32>) = offers.iter().copied().unzip();
        write_at(self.gpu(), &self.sent, &vertices, &distances)?;
        let lower = || LowerLaunch::new(self.sent.arg(), self.distances.arg());
        filter(
            &Frontier::from_vertices(&self.device_graph, &vertices)?,
            &Operation::<Lower>::checked(lower),
        )
    }
}

/// Offers a target the distance over an edge.
#[derive(CubeType, CubeLaunch)]
struct Relax {
    distances: AtomicArray,
    lengths: Lengths,
}

impl EdgeOpKind for Relax {}

#[cube]
impl EdgeOp for Relax {
    fn label(&self, source: u32) -> u32 {
        self.distances.get(source)
    }

    fn along(&self, label: u32, edge: u32) -> u32 {
        self.lengths.along(label, edge)
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.distances.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        label < self.distances.fetch_min(target, label)
    }
}

/// Keeps mirrors whose distance decreased since it was sent, and marks it as sent.
#[derive(CubeType, CubeLaunch)]
struct Nearer {
    distances: Input<u32>,
    sent: Array<u32>,
    owned: u32,
}

#[cube]
impl VertexOp for Nearer {
    fn apply(&mut self, vertex: u32) -> bool {
        let distance = self.distances[vertex as usize];
        let nearer = vertex >= self.owned && distance < self.sent[vertex as usize];
        if nearer {
            self.sent[vertex as usize] = distance;
        }
        nearer
    }
}

/// Lets a vertex accept a smaller offered distance, and keeps it then.
#[derive(CubeType, CubeLaunch)]
struct Lower {
    offered: Input<u32>,
    distances: Array<u32>,
}

#[cube]
impl VertexOp for Lower {
    fn apply(&mut self, vertex: u32) -> bool {
        let offered = self.offered[vertex as usize];
        let lower = offered < self.distances[vertex as usize];
        if lower {
            self.distances[vertex as usize] = offered;
        }
        lower
    }
}
