//! Vertex coloring: no two neighbours of one color, with few colors.
//!
//! By Jones and Plassmann, "A Parallel Graph Coloring Heuristic" (1993): each vertex has a priority, a hash of its global
//! id, and takes the smallest color that none of its neighbours of higher priority has, once all of them are colored. The
//! result is that of coloring sequentially by priority, and does not depend on the number of ranks. A rank colors as many
//! vertices as it can before it sends colors to mirrors.
//!
//! A rank uses one thread: start one rank per core.

mod order;
mod side;
mod verify;

use std::time::Instant;

use equipoise_graph::{Palette, memory};

pub(crate) use self::order::priority;
use self::{order::NONE, side::Side};
use crate::{Comm, DistGraph, Reduction, Result, Step, Trace, Traffic, agree};

/// The options of a coloring.
///
/// ```
/// assert_eq!(equipoise_cluster::ColorOptions::default().seed, 1);
/// ```
#[derive(Clone, Debug)]
pub struct ColorOptions {
    /// The seed of the priorities.
    pub seed: u64,
}

impl Default for ColorOptions {
    fn default() -> Self {
        Self { seed: 1 }
    }
}

/// The colors of the vertices of this rank.
#[derive(Clone, Debug)]
pub struct Coloring {
    /// The colors of the vertices that this rank owns, each one of `0..count`.
    pub colors: Vec<u32>,
    /// The number of colors, on all ranks.
    pub count: u32,
    /// The steps of this rank: colored vertices and their edges.
    pub trace: Trace,
}

/// Colors the vertices so that no edge joins two of one color; all ranks call it.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops. The coloring depends on the
/// graph and the seed, but not on the number of ranks. There is at most one color more than the largest number of
/// neighbours.
///
/// In addition to the graph, and its reverse if it is directed, needs 4 bytes per edge and about 40 bytes per vertex and
/// mirror.
///
/// ```
/// use equipoise_cluster::{Alone, ColorOptions, DistGraph, EdgeSlice, color};
///
/// let slice = EdgeSlice { sources: vec![0, 0, 0], targets: vec![1, 2, 3], ..EdgeSlice::new(4) };
/// let star = DistGraph::build(&Alone, slice)?;
/// let coloring = color(&Alone, &star, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 2);
/// assert_eq!(coloring.colors[1], coloring.colors[3]);
/// coloring.verify(&Alone, &star)?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn color(comm: &dyn Comm, graph: &DistGraph, options: &ColorOptions) -> Result<Coloring> {
    let what = format_args!("coloring {} vertices of this rank", graph.owned());
    let bytes = memory::bytes_of::<[u32; 7]>(graph.owned().into());
    agree(comm, memory::check(what, bytes).map_err(Into::into))?;
    // Neighbours over edges of either direction; an undirected graph has all of them in its own rows.
    let mut sides = vec![Side::new(comm, graph)?];
    if !graph.is_undirected() {
        sides.push(Side::new(comm, graph.reversed(comm)?)?);
    }
    let mut work = Work::new(graph, options.seed, sides);
    let mut trace = Trace::default();
    loop {
        let start = Instant::now();
        let mut left = [work.left];
        comm.all_reduce(&mut left, Reduction::Sum);
        if left == [0] {
            break;
        }
        let mut step = Step::new("color");
        let colored = work.run(&mut step);
        let Traffic { bytes, waited } = work.tell_mirrors(&colored);
        trace.steps.push(Step { bytes, waited, time: start.elapsed(), ..step });
    }
    let mut count = [work.colors.iter().max().map_or(0, |&largest| u64::from(largest) + 1)];
    comm.all_reduce(&mut count, Reduction::Max);
    Ok(Coloring { colors: work.colors, count: count[0] as u32, trace })
}

/// The state of a rank.
struct Work<'a> {
    sides: Vec<Side<'a>>,
    seed: u64,
    /// The global id of the first owned vertex.
    start: u64,
    /// Of owned vertices.
    colors: Vec<u32>,
    /// The number of edges to uncolored neighbours of higher priority, per owned vertex.
    waits: Vec<u64>,
    /// Uncolored vertices that wait for none.
    ready: Vec<u32>,
    /// The number of uncolored vertices.
    left: u64,
    palette: Palette,
}

impl<'a> Work<'a> {
    fn new(graph: &DistGraph, seed: u64, sides: Vec<Side<'a>>) -> Self {
        let (owned, start) = (graph.owned(), graph.partition.range(graph.rank()).start);
        let mut waits = vec![0; owned as usize];
        for side in &sides {
            side.count_higher(seed, &mut waits);
        }
        let ready = (0..owned).filter(|&vertex| waits[vertex as usize] == 0).collect();
        let (colors, palette) = (vec![NONE; owned as usize], Palette::default());
        Self { sides, seed, start, colors, waits, ready, left: owned.into(), palette }
    }

    /// Colors vertices until the rest waits for other ranks. Returns the colored ones, ascending.
    fn run(&mut self, step: &mut Step) -> Vec<u32> {
        let mut colored = Vec::new();
        while let Some(vertex) = self.ready.pop() {
            step.active += 1;
            step.edges += self.sides.iter().map(|side| side.degree(vertex) as u64).sum::<u64>();
            self.colors[vertex as usize] = self.first_free(vertex);
            colored.push(vertex);
            let priority = priority(self.seed, self.start + u64::from(vertex));
            for side in &self.sides {
                let waiting = side.waiting_for(vertex);
                release(waiting, self.start, self.seed, priority, &mut self.waits, &mut self.ready);
            }
        }
        self.left -= colored.len() as u64;
        colored.sort_unstable();
        colored
    }

    /// The smallest color that no neighbour has.
    fn first_free(&mut self, vertex: u32) -> u32 {
        let degree = self.sides.iter().map(|side| side.degree(vertex)).sum();
        self.palette.reset(degree);
        for side in &self.sides {
            side.for_colors(vertex, &self.colors, |color| self.palette.take(color));
        }
        self.palette.first_free()
    }

    /// Sends colors to mirrors, and releases vertices that waited for received ones.
    fn tell_mirrors(&mut self, colored: &[u32]) -> Traffic {
        let Self { sides, seed, start, colors, waits, ready, .. } = self;
        let mut traffic = Traffic::default();
        for side in sides {
            for mirror in side.hear(colored, colors) {
                let priority = priority(*seed, side.global(mirror));
                release(side.waiting_for(mirror), *start, *seed, priority, waits, ready);
            }
            let of_side = side.take_traffic();
            traffic.bytes += of_side.bytes;
            traffic.waited += of_side.waited;
        }
        traffic
    }
}

/// A neighbour of priority `of` got its color: those of `vertices` that waited for it wait for one less.
fn release(
    vertices: &[u32],
    start: u64,
    seed: u64,
    of: (u64, u64),
    waits: &mut [u64],
    ready: &mut Vec<u32>,
) {
    for &vertex in vertices {
        if priority(seed, start + u64::from(vertex)) < of {
            let left = &mut waits[vertex as usize];
            *left -= 1;
            if *left == 0 {
                ready.push(vertex);
            }
        }
    }
}
