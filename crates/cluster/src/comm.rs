//! What an algorithm needs of the ranks it runs on. MPI, threads and a rank alone have it.

/// How values of all ranks become one.
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

/// Ranks that work together. Every method but the first two is called by all ranks, in the same order.
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
    /// Which rank this is, below [`Comm::size`].
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends `outgoing[r]` to rank `r`, and gives what each rank sent here, in the order of ranks.
    ///
    /// A message may have any length: implementations send it in rounds of bounded size.
    fn all_to_all(&self, outgoing: &[Vec<u8>]) -> Vec<Vec<u8>>;

    /// What every rank gave, in the order of ranks.
    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;

    /// Each of `values` becomes that of all ranks together.
    fn all_reduce(&self, values: &mut [u64], reduction: Reduction);

    /// Each of `values` becomes the sum over all ranks, added in the order of ranks.
    fn all_sum(&self, values: &mut [f64]);

    /// Waits until all ranks are here.
    fn barrier(&self);

    /// What follows is part of this step: for those who want to know at which one a rank waits.
    fn enter(&self, _step: &'static str) {}
}
