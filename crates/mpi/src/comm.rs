//! The communicator of the library by MPI.

use std::sync::Arc;

use equipoise_cluster::{Comm, Reduction, Rounds, all_gather_in_rounds, all_to_all_in_rounds};
use mpi::{
    collective::SystemOperation,
    environment::Universe,
    topology::SimpleCommunicator,
    traits::{Communicator, CommunicatorCollectives, Destination, Source},
};

use crate::watchdog::Watch;

/// The most bytes that a rank sends or receives in one round: MPI counts with `i32`, and buffers undelivered messages.
const ROUND: usize = 256 << 20;

/// All ranks of an MPI job.
///
/// ```no_run
/// use equipoise_cluster::Comm;
/// use equipoise_mpi::MpiComm;
///
/// let universe = mpi::initialize().expect("MPI is not initialized yet");
/// let comm = MpiComm::new(&universe);
/// assert!(comm.rank() < comm.size());
/// ```
pub struct MpiComm {
    world: SimpleCommunicator,
    rank: usize,
    size: usize,
    round: usize,
    watch: Arc<Watch>,
}

impl MpiComm {
    /// The ranks that were started together.
    ///
    /// ```no_run
    /// use equipoise_cluster::Comm;
    /// use equipoise_mpi::MpiComm;
    ///
    /// let universe = mpi::initialize().expect("MPI is not initialized yet");
    /// assert!(MpiComm::new(&universe).size() > 0);
    /// ```
    pub fn new(universe: &Universe) -> Self {
        let world = universe.world();
        let (rank, size) = (world.rank() as usize, world.size() as usize);
        Self { world, rank, size, round: ROUND, watch: Arc::new(Watch::new(rank)) }
    }

    /// Limits rounds of messages to this many bytes, which must be equal on all ranks.
    ///
    /// ```no_run
    /// use equipoise_cluster::Comm;
    /// use equipoise_mpi::MpiComm;
    ///
    /// let universe = mpi::initialize().expect("MPI is not initialized yet");
    /// let comm = MpiComm::new(&universe).in_rounds_of(1 << 20);
    /// assert_eq!(comm.all_gather(b"a").len(), comm.size());
    /// ```
    pub fn in_rounds_of(self, bytes: usize) -> Self {
        Self { round: bytes.min(ROUND), ..self }
    }

    /// The watch of this rank.
    pub(crate) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// The number of ranks on this node, and this rank's number among them.
    pub(crate) fn on_node(&self) -> (usize, usize) {
        let node = self.watch.wait("split", || self.world.split_shared(0));
        (node.size() as usize, node.rank() as usize)
    }

    /// A communicator of the same ranks with separate messages.
    pub(crate) fn apart(&self) -> SimpleCommunicator {
        self.watch.wait("duplicate", || self.world.duplicate())
    }

    /// The number of 8-byte values per call whose largest buffer holds `copies` of them.
    fn at_once(&self, copies: usize) -> usize {
        (self.round / 8 / copies).max(1)
    }
}

impl Rounds for MpiComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn limit(&self) -> usize {
        self.round
    }

    fn exchange_pairs(&self, outgoing: &[[u64; 2]]) -> Vec<[u64; 2]> {
        let mut incoming = vec![[0; 2]; self.size];
        self.watch.wait("exchange of lengths", || {
            self.world.all_to_all_into(outgoing.as_flattened(), incoming.as_flattened_mut());
        });
        incoming
    }

    /// Sends and receives without copies; both sides skip empty messages.
    fn exchange_round(&self, outgoing: &[&[u8]], incoming: &mut [&mut [u8]]) {
        let (world, own) = (&self.world, self.rank);
        let others = |&(rank, length): &(usize, usize)| rank != own && length > 0;
        let process = |rank: usize| world.process_at_rank(rank as mpi::Rank);
        self.watch.wait("exchange", || {
            mpi::request::multiple_scope(2 * self.size, |scope, requests| {
                for (rank, message) in incoming.iter_mut().enumerate() {
                    if others(&(rank, message.len())) {
                        requests.add(process(rank).immediate_receive_into(scope, &mut **message));
                    }
                }
                for (rank, message) in outgoing.iter().enumerate() {
                    if others(&(rank, message.len())) {
                        requests.add(process(rank).immediate_send(scope, *message));
                    }
                }
                requests.wait_all(&mut Vec::new());
            });
        });
    }
}

impl Comm for MpiComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_to_all(&self, outgoing: &[Vec<u8>]) -> Vec<Vec<u8>> {
        all_to_all_in_rounds(self, outgoing)
    }

    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        all_gather_in_rounds(self, bytes)
    }

    /// Minima and maxima are those of signed numbers in the same order: MPICH 4 and Open MPI 4.1 compare unsigned numbers as
    /// signed ones (pmodels/mpich#6083, open-mpi/ompi#10648).
    fn all_reduce(&self, values: &mut [u64], reduction: Reduction) {
        let operation = match reduction {
            Reduction::Sum => SystemOperation::sum,
            Reduction::Min => SystemOperation::min,
            Reduction::Max => SystemOperation::max,
        };
        let offset = if reduction == Reduction::Sum { 0 } else { 1 << 63 };
        for values in values.chunks_mut(self.at_once(1)) {
            let mine: Vec<i64> =
                values.iter().map(|value| (value ^ offset).cast_signed()).collect();
            let mut all = vec![0; mine.len()];
            self.watch.wait("reduction", || {
                self.world.all_reduce_into(&mine[..], &mut all[..], operation());
            });
            let all = all.iter().map(|value: &i64| value.cast_unsigned() ^ offset);
            values.iter_mut().zip(all).for_each(|(value, all)| *value = all);
        }
    }

    /// MPI's own sum has an unspecified order.
    fn all_sum(&self, values: &mut [f64]) {
        for values in values.chunks_mut(self.at_once(self.size)) {
            let mut all = vec![0.0; values.len() * self.size];
            self.watch.wait("sum", || self.world.all_gather_into(&*values, &mut all[..]));
            let (first, others) = all.split_at(values.len());
            values.copy_from_slice(first);
            for others in others.chunks(values.len()) {
                values.iter_mut().zip(others).for_each(|(sum, value)| *sum += value);
            }
        }
    }

    fn barrier(&self) {
        self.watch.wait("barrier", || self.world.barrier());
    }

    fn enter(&self, step: &'static str) {
        self.watch.enter(step);
        #[cfg(feature = "faults")]
        crate::faults::enter(self.rank, step);
    }
}
