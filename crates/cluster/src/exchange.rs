//! The two exchanges that carry every algorithm: from mirrors to owners, and from owners to mirrors.

mod bits;
mod encoding;

use std::time::{Duration, Instant};

use bytemuck::Pod;

use crate::{Comm, DistGraph, Reduction};

/// The cost of exchanges.
///
/// ```
/// assert_eq!(equipoise_cluster::Traffic::default().bytes, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The bytes that this rank sent to others.
    pub bytes: u64,
    /// The time in calls that wait for other ranks.
    pub waited: Duration,
}

/// Sends values from mirrors to owners ([`reduce`](Self::reduce)) and from owners to mirrors
/// ([`broadcast`](Self::broadcast)).
///
/// Vertices are encoded as positions in lists that two ranks share, in the shortest of three forms: gaps between positions,
/// one bit per position, or a mark for all. All ranks call each method.
///
/// ```
/// use equipoise_cluster::{DistGraph, EdgeSlice, Exchange, run_threads};
///
/// // A ring of four vertices on two ranks: each rank has a mirror of the other's first vertex.
/// let firsts = run_threads(2, 64, |comm| {
///     let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(4) };
///     let slice = match equipoise_cluster::Comm::rank(comm) {
///         0 => slice,
///         _ => EdgeSlice { sources: vec![2, 3], targets: vec![3, 0], ..EdgeSlice::new(4) },
///     };
///     let graph = DistGraph::build(comm, slice)?;
///     let mut exchange = Exchange::new(comm, &graph);
///     let mut names = Vec::new();
///     exchange.broadcast(&[0], |owned| graph.global(owned), |mirror, name| {
///         assert_eq!(graph.global(mirror), name);
///         names.push(name);
///     });
///     Ok(names)
/// });
/// let firsts: Vec<Vec<u64>> = firsts.into_iter().collect::<equipoise_cluster::Result<_>>()?;
/// assert_eq!(firsts, [[2], [0]]);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub struct Exchange<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    positions: Vec<u32>,
    changed: Vec<u64>,
    traffic: Traffic,
}

impl<'a> Exchange<'a> {
    /// Exchanges along the mirrors of a graph.
    pub fn new(comm: &'a dyn Comm, graph: &'a DistGraph) -> Self {
        let (positions, changed) = (Vec::new(), Vec::new());
        Self { comm, graph, positions, changed, traffic: Traffic::default() }
    }

    /// The communicator.
    pub fn comm(&self) -> &'a dyn Comm {
        self.comm
    }

    /// The graph with the mirrors.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    pub(crate) fn graph(&self) -> &'a DistGraph {
        self.graph
    }

    /// Sends values from mirrors to owners: calls `receive` for each changed mirror on any rank, with the owned vertex and the
    /// value of the mirror. Values of one vertex come in the order of ranks.
    ///
    /// `changed` are local numbers of mirrors, ascending, each once.
    pub fn reduce<T: Pod>(
        &mut self,
        changed: &[u32],
        value: impl Fn(u32) -> T,
        mut receive: impl FnMut(u32, T),
    ) {
        self.reduce_from(changed, value, |_, owned, value| receive(owned, value));
    }

    /// Like [`reduce`](Self::reduce), but passes the rank of the mirror to `receive`.
    pub(crate) fn reduce_from<T: Pod>(
        &mut self,
        changed: &[u32],
        value: impl Fn(u32) -> T,
        mut receive: impl FnMut(usize, u32, T),
    ) {
        let mut rest = changed;
        let outgoing = (0..self.comm.size()).map(|rank| {
            let mirrors = self.graph.mirrors_of(rank);
            let (here, after) = rest.split_at(rest.partition_point(|&mirror| mirror < mirrors.end));
            rest = after;
            let positions = || here.iter().map(|&mirror| mirror - mirrors.start);
            let mut message = Vec::new();
            encoding::write_positions(&mut message, positions, here.len(), mirrors.len());
            encoding::write_values(&mut message, here.iter().map(|&mirror| value(mirror)));
            message
        });
        let outgoing = outgoing.collect();
        for (rank, message) in self.send(outgoing).into_iter().enumerate() {
            let mirrored = self.graph.mirrored_by(rank);
            let values = encoding::read_positions(&message, mirrored.len(), &mut self.positions);
            let owned = self.positions.iter().map(|&position| mirrored[position as usize]);
            owned
                .zip(encoding::read_values(values))
                .for_each(|(owned, value)| receive(rank, owned, value));
        }
    }

    /// Sends values from owners to mirrors: calls `receive` on each rank with a mirror of a changed vertex, with the mirror and
    /// the value of its owner, in the order of mirrors.
    ///
    /// `changed` are local numbers of owned vertices, ascending, each once.
    pub fn broadcast<T: Pod>(
        &mut self,
        changed: &[u32],
        value: impl Fn(u32) -> T,
        mut receive: impl FnMut(u32, T),
    ) {
        self.mark(changed);
        let mut outgoing = Vec::with_capacity(self.comm.size());
        for rank in 0..self.comm.size() {
            let mirrored = self.graph.mirrored_by(rank);
            self.find_positions(changed, mirrored);
            let positions = || self.positions.iter().copied();
            let mut message = Vec::new();
            let values = positions().map(|position| value(mirrored[position as usize]));
            encoding::write_positions(
                &mut message,
                positions,
                self.positions.len(),
                mirrored.len(),
            );
            encoding::write_values(&mut message, values);
            outgoing.push(message);
        }
        changed.iter().for_each(|&vertex| self.changed[vertex as usize / 64] = 0);
        for (rank, message) in self.send(outgoing).into_iter().enumerate() {
            let mirrors = self.graph.mirrors_of(rank);
            let values = encoding::read_positions(&message, mirrors.len(), &mut self.positions);
            let mirrors = self.positions.iter().map(|&position| mirrors.start + position);
            mirrors
                .zip(encoding::read_values(values))
                .for_each(|(mirror, value)| receive(mirror, value));
        }
    }

    /// [`Comm::all_to_all`], which counts as traffic.
    pub fn all_to_all(&mut self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.send(outgoing)
    }

    /// [`Comm::all_reduce`], which counts as traffic.
    pub fn all_reduce(&mut self, values: &mut [u64], reduction: Reduction) {
        self.waiting(|comm| comm.all_reduce(values, reduction));
        self.count_shared(values.len());
    }

    /// [`Comm::all_sum`], which counts as traffic.
    pub fn all_sum(&mut self, values: &mut [f64]) {
        self.waiting(|comm| comm.all_sum(values));
        self.count_shared(values.len());
    }

    /// Takes the traffic since the last call.
    pub fn take_traffic(&mut self) -> Traffic {
        std::mem::take(&mut self.traffic)
    }

    /// A 64-bit number to all ranks counts once.
    fn count_shared(&mut self, values: usize) {
        if self.comm.size() > 1 {
            self.traffic.bytes += size_of::<u64>() as u64 * values as u64;
        }
    }

    /// Sets the bit of each changed vertex.
    fn mark(&mut self, changed: &[u32]) {
        self.changed.resize((self.graph.owned() as usize).div_ceil(64), 0);
        for &vertex in changed {
            self.changed[vertex as usize / 64] |= 1 << (vertex % 64);
        }
    }

    /// The indices in `mirrored` of changed vertices.
    fn find_positions(&mut self, changed: &[u32], mirrored: &[u32]) {
        /// Indices that can be scanned in the time of searching for one vertex.
        const LOOKS_PER_SEARCH: usize = 16;
        let Self { positions, changed: bits, .. } = self;
        positions.clear();
        if changed.len() * LOOKS_PER_SEARCH < mirrored.len() {
            positions.extend(
                changed
                    .iter()
                    .filter_map(|vertex| mirrored.binary_search(vertex).ok())
                    .map(|position| position as u32),
            );
        } else {
            let is_changed = |vertex: u32| bits[vertex as usize / 64] >> (vertex % 64) & 1 == 1;
            positions.extend(
                (0..).zip(mirrored).filter(|&(_, &vertex)| is_changed(vertex)).map(|pair| pair.0),
            );
        }
    }

    fn send(&mut self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let to_others = (0..).zip(&outgoing).filter(|&(rank, _)| rank != self.comm.rank());
        self.traffic.bytes += to_others.map(|(_, message)| message.len() as u64).sum::<u64>();
        self.waiting(|comm| comm.all_to_all(&outgoing))
    }

    fn waiting<T>(&mut self, call: impl FnOnce(&dyn Comm) -> T) -> T {
        let start = Instant::now();
        let done = call(self.comm);
        self.traffic.waited += start.elapsed();
        done
    }
}
