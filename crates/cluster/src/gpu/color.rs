//! Vertex coloring with a GPU for each rank.
//!
//! As on the CPU, a vertex takes the smallest color that none of its neighbours of higher priority has, once all of them are
//! colored: the colors are equal. The host lists these neighbours, and the GPU colors vertices until the rest waits for other
//! ranks. Then owners send colors to mirrors.

use std::time::Instant;

use cubecl::prelude::*;
use equipoise_graph::{MAX_ON_DEVICE, memory};
use equipoise_schedule::{
    Error as DeviceError, Result as DeviceResult,
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
};

use super::values::{read_at, write_at};
use crate::{
    ColorOptions, Coloring, Comm, DistGraph, Error, Exchange, Reduction, Result, Step, Trace,
    agree, bitmap::ascending, color::priority,
};

const NONE: u32 = u32::MAX;

/// Like [`color`](crate::color), on a GPU per rank.
///
/// Fails on all ranks if memory is short or a GPU fails.
///
/// ```no_run
/// use equipoise_cluster::{Alone, ColorOptions, DistGraph, EdgeSlice, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let slice = EdgeSlice { sources: vec![0, 0], targets: vec![1, 2], ..EdgeSlice::new(3) };
/// let star = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     assert_eq!(gpu::color(&Alone, &star, &gpu, &ColorOptions::default())?.count, 2);
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn color(
    comm: &dyn Comm,
    graph: &DistGraph,
    gpu: &Gpu,
    options: &ColorOptions,
) -> Result<Coloring> {
    let mut sides = vec![graph];
    if !graph.is_undirected() {
        sides.push(graph.reversed(comm)?);
    }
    let higher = agree(comm, Higher::of(&sides, options.seed))?;
    let rank = agree(comm, Rank::new(gpu, graph, &higher).map_err(Error::from))?;
    let mut exchanges: Vec<Exchange> = sides.iter().map(|side| Exchange::new(comm, side)).collect();
    let mut left = agree(comm, rank.all().map_err(Error::from))?;
    let mut trace = Trace::default();
    loop {
        let start = Instant::now();
        let mut on_all = [u64::from(left.len())];
        comm.all_reduce(&mut on_all, Reduction::Sum);
        if on_all == [0] {
            break;
        }
        let mut step = Step::new("color");
        let colored = rank.run(left, &mut step).map_err(Error::from);
        let colored = agree(comm, colored)?;
        left = colored.left;
        let sent = tell_mirrors(&mut exchanges, graph.owned(), &colored.vertices, &colored.colors);
        for exchange in &mut exchanges {
            let traffic = exchange.take_traffic();
            step.bytes += traffic.bytes;
            step.waited += traffic.waited;
        }
        agree(comm, write_at(gpu, &rank.colors, &sent.0, &sent.1).map_err(Error::from))?;
        trace.steps.push(Step { time: start.elapsed(), ..step });
    }
    let colors = gpu.download_first(&rank.colors, graph.owned() as usize);
    let colors = agree(comm, colors.map_err(Error::from))?;
    let mut count = [colors.iter().max().map_or(0, |&largest| u64::from(largest) + 1)];
    comm.all_reduce(&mut count, Reduction::Max);
    Ok(Coloring { colors, count: count[0] as u32, trace })
}

/// The mirrors that received colors, and the colors. Vertices are numbered by those of the first side with its mirrors, then
/// the mirrors of the second.
fn tell_mirrors(
    exchanges: &mut [Exchange],
    owned: u32,
    vertices: &[u32],
    colors: &[u32],
) -> (Vec<u32>, Vec<u32>) {
    let (mut mirrors, mut of_owners, mut skipped) = (Vec::new(), Vec::new(), 0);
    for exchange in exchanges {
        let index = |vertex: u32| vertices.partition_point(|&other| other < vertex);
        exchange.broadcast(
            vertices,
            |vertex| colors[index(vertex)],
            |mirror, color: u32| {
                mirrors.push(skipped + mirror);
                of_owners.push(color);
            },
        );
        skipped += exchange.graph().local.vertices() - owned;
    }
    (mirrors, of_owners)
}

/// For each owned vertex its neighbours of higher priority.
struct Higher {
    offsets: Vec<u32>,
    neighbors: Vec<u32>,
}

impl Higher {
    fn of(sides: &[&DistGraph], seed: u64) -> Result<Self> {
        let owned = sides.first().map_or(0, |side| side.owned());
        let edges: u64 = sides.iter().map(|side| side.local.edges()).sum();
        let mirrors: u64 = sides.iter().map(|side| side.mirrors.len() as u64).sum();
        let count = edges.saturating_add(mirrors).saturating_add(owned.into());
        if count >= MAX_ON_DEVICE {
            let what = "the neighbours of a rank's vertices".into();
            return Err(DeviceError::TooMany { what, count, limit: MAX_ON_DEVICE }.into());
        }
        let bytes = memory::bytes_of::<u32>(count);
        memory::check("the neighbours of higher priority", bytes)?;
        let (mut offsets, mut neighbors) = (vec![0], Vec::new());
        for vertex in 0..owned {
            let mut skipped = 0;
            for side in sides {
                let own = priority(seed, side.global(vertex));
                let all = side.local.neighbors(vertex).iter();
                let higher = all.filter(|&&other| priority(seed, side.global(other)) > own);
                neighbors.extend(
                    higher.map(|&other| if other < owned { other } else { skipped + other }),
                );
                skipped += side.mirrors.len() as u32;
            }
            offsets.push(neighbors.len() as u32);
        }
        // Mirrors have no rows here.
        offsets.resize(offsets.len() + mirrors as usize, neighbors.len() as u32);
        Ok(Self { offsets, neighbors })
    }
}

/// What a rank has on its GPU.
struct Rank<'a> {
    graph: &'a DistGraph,
    higher: DeviceGraph,
    /// Of owned vertices, then mirrors.
    colors: Buffer<u32>,
}

/// The vertices that a rank colored by itself.
struct Colored<'r> {
    /// Ascending.
    vertices: Vec<u32>,
    colors: Vec<u32>,
    /// The vertices that wait for other ranks.
    left: Frontier<'r>,
}

impl<'a> Rank<'a> {
    fn new(gpu: &Gpu, graph: &'a DistGraph, higher: &Higher) -> DeviceResult<Self> {
        let vertices = higher.offsets.len() - 1;
        // Colors, marks, and the lists of three frontiers.
        let extra_bytes = gpu.held_by(4 * vertices.max(1) as u64).saturating_mul(8);
        let rows = gpu.held_by(4 * higher.neighbors.len().max(1) as u64);
        let what = format!("coloring {} vertices", graph.owned());
        gpu.require(&what, rows.saturating_add(extra_bytes))?;
        let colors = gpu.filled(vertices, NONE)?;
        let higher = DeviceGraph::from_rows(gpu, &higher.offsets, &higher.neighbors)?;
        Ok(Self { graph, higher, colors })
    }

    fn all(&self) -> DeviceResult<Frontier<'_>> {
        let owned: Vec<u32> = (0..self.graph.owned()).collect();
        Frontier::from_vertices(&self.higher, &owned)
    }

    /// Colors vertices until the rest waits for other ranks.
    fn run<'r>(&'r self, mut left: Frontier<'r>, step: &mut Step) -> DeviceResult<Colored<'r>> {
        let gpu = self.higher.gpu();
        let colors = || AtomicArray::bind(gpu, &self.colors);
        let first_fit = || FirstFitLaunch::new(self.higher.rows(), colors());
        let first_fit = Operation::<FirstFit>::checked(first_fit);
        let uncolored = Operation::<Uncolored>::checked(|| UncoloredLaunch::new(colors()));
        let mut vertices = Vec::new();
        loop {
            let colored = filter(&left, &first_fit)?;
            if colored.is_empty() {
                break;
            }
            step.active += u64::from(colored.len());
            step.edges += u64::from(left.edges());
            vertices.extend(colored.vertices()?);
            left = filter(&left, &uncolored)?;
        }
        let vertices = ascending(vertices, self.graph.owned());
        let colors = read_at(gpu, &self.colors, &vertices)?;
        Ok(Colored { vertices, colors, left })
    }
}

/// Colors a vertex with the smallest color that none of its listed neighbours has, and keeps it, unless one of them is
/// uncolored.
///
/// Other units color vertices meanwhile. A color is final: it does not matter whether this launch or the next sees it.
#[derive(CubeType, CubeLaunch)]
struct FirstFit {
    higher: Rows,
    colors: AtomicArray,
}

#[cube]
impl VertexOp for FirstFit {
    fn apply(&mut self, vertex: u32) -> bool {
        let begin = self.higher.offsets[vertex as usize];
        let end = self.higher.offsets[vertex as usize + 1];
        let mut waits = false.runtime();
        for edge in begin..end {
            let color = self.colors.get(self.higher.targets[edge as usize]);
            waits = waits || color == u32::MAX;
        }
        if !waits {
            // In windows of 32 colors, until one has a color that is not taken.
            let mut first = 0u32.runtime();
            let mut taken = u32::MAX.runtime();
            while taken == u32::MAX {
                taken = 0u32.runtime();
                for edge in begin..end {
                    let color = self.colors.get(self.higher.targets[edge as usize]);
                    if color >= first && color - first < 32 {
                        taken |= 1u32 << (color - first);
                    }
                }
                first += 32u32;
            }
            let mut color = first - 32;
            while taken & 1 == 1 {
                taken >>= 1;
                color += 1;
            }
            self.colors.set(vertex, color);
        }
        !waits
    }
}

/// Keeps vertices without a color.
#[derive(CubeType, CubeLaunch)]
struct Uncolored {
    colors: AtomicArray,
}

#[cube]
impl VertexOp for Uncolored {
    fn apply(&mut self, vertex: u32) -> bool {
        self.colors.get(vertex) == u32::MAX
    }
}
