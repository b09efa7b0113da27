//! The communication of algorithms, which MPI, threads and a single rank implement.

/// A reduction of values of all ranks.
///
/// ```
/// use equipoise_cluster::{Comm, Reduction, run_threads};
///
/// let largest = run_threads(3, 64, |comm| {
///     let mut value = [Comm::rank(comm) as u64];
///     comm.all_reduce(&mut value, Reduction::Max);
///     value[0]
/// });
/// assert_eq!(largest, [2; 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// Communication between ranks. All ranks call every method but the first two, in the same order.
///
/// ```
/// use equipoise_cluster::{Alone, Comm};
///
/// fn total(comm: &dyn Comm, mine: f64) -> f64 {
///     let mut sum = [mine];
///     comm.all_sum(&mut sum);
///     sum[0]
/// }
/// assert_eq!(total(&Alone, 2.5), 2.5);
/// ```
pub trait Comm {
    /// The number of this rank, below [`Comm::size`].
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends `outgoing[r]` to rank `r`. Returns the messages to this rank, in the order of ranks.
    ///
    /// A message may have any length: implementations send it in rounds of bounded size.
    fn all_to_all(&self, outgoing: &[Vec<u8>]) -> Vec<Vec<u8>>;

    /// The bytes of every rank, in the order of ranks.
    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;

    /// Replaces each of `values` by the reduction over all ranks.
    fn all_reduce(&self, values: &mut [u64], reduction: Reduction);

    /// Replaces each of `values` by the sum over all ranks, added in the order of ranks.
    fn all_sum(&self, values: &mut [f64]);

    /// Waits for all ranks.
    fn barrier(&self);

    /// Enters a step, whose name is part of reports about waiting ranks.
    fn enter(&self, _step: &'static str) {}
}
