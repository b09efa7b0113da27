//! Messages of any length over rounds of bounded size: MPI counts by 32 bits, and large buffers twice would double memory.

/// One round of an exchange, which MPI and threads implement; the functions of this module build a [`Comm`](crate::Comm) on it.
///
/// ```
/// use equipoise_cluster::{Rounds, all_gather_in_rounds, run_threads};
///
/// let heard = run_threads(3, 4, |comm| {
///     assert_eq!(Rounds::limit(comm), 4);
///     all_gather_in_rounds(comm, b"longer than a round")
/// });
/// assert_eq!(heard[2], [b"longer than a round"; 3]);
/// ```
pub trait Rounds {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// The most bytes that a rank sends in one round, and the most that it receives; at least one byte per rank.
    fn limit(&self) -> usize;

    /// Sends `outgoing[r]` to rank `r`. Returns the pairs sent to this rank.
    fn exchange_pairs(&self, outgoing: &[[u64; 2]]) -> Vec<[u64; 2]>;

    /// Sends `outgoing[r]` to rank `r`, and fills `incoming[r]` with the message of rank `r`. Both sides know the lengths; a
    /// rank sends nothing to itself.
    fn exchange_round(&self, outgoing: &[&[u8]], incoming: &mut [&mut [u8]]);
}

/// [`Comm::all_to_all`](crate::Comm::all_to_all), in rounds.
///
/// ```
/// use equipoise_cluster::{Rounds, all_to_all_in_rounds, run_threads};
///
/// let heard = run_threads(2, 4, |comm| {
///     let outgoing = [b"to the first".to_vec(), b"to the second".to_vec()];
///     all_to_all_in_rounds(comm, &outgoing)
/// });
/// assert_eq!(heard[1], [b"to the second"; 2]);
/// ```
pub fn all_to_all_in_rounds(comm: &impl Rounds, outgoing: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let outgoing: Vec<&[u8]> = outgoing.iter().map(Vec::as_slice).collect();
    exchange(comm, &outgoing)
}

/// [`Comm::all_gather`](crate::Comm::all_gather), in rounds; see [`Rounds`].
pub fn all_gather_in_rounds(comm: &impl Rounds, bytes: &[u8]) -> Vec<Vec<u8>> {
    exchange(comm, &vec![bytes; comm.size()])
}

fn exchange(comm: &impl Rounds, outgoing: &[&[u8]]) -> Vec<Vec<u8>> {
    let (rank, size) = (comm.rank(), comm.size());
    let to_others = |to: usize| if to == rank { &[] } else { outgoing[to] };
    let longest = (0..size).map(|to| to_others(to).len()).max().unwrap_or(0) as u64;
    // Each message comes with its length and the longest of its sender, so that all ranks know the number of rounds.
    let lengths: Vec<[u64; 2]> =
        (0..size).map(|to| [to_others(to).len() as u64, longest]).collect();
    let lengths = comm.exchange_pairs(&lengths);
    let longest = lengths.iter().map(|pair| pair[1]).max().unwrap_or(0) as usize;
    let mut incoming: Vec<Vec<u8>> = lengths.iter().map(|pair| vec![0; pair[0] as usize]).collect();
    let piece = (comm.limit() / size).max(1);
    for start in (0..longest).step_by(piece) {
        let sent: Vec<&[u8]> = (0..size).map(|to| part(to_others(to), start, piece)).collect();
        let mut received: Vec<&mut [u8]> =
            incoming.iter_mut().map(|message| part_mut(message, start, piece)).collect();
        comm.exchange_round(&sent, &mut received);
    }
    incoming[rank] = outgoing[rank].to_vec();
    incoming
}

/// The bytes `start..start + length`, up to the end.
fn part(message: &[u8], start: usize, length: usize) -> &[u8] {
    let start = start.min(message.len());
    &message[start..(start + length).min(message.len())]
}

fn part_mut(message: &mut [u8], start: usize, length: usize) -> &mut [u8] {
    let start = start.min(message.len());
    let end = (start + length).min(message.len());
    &mut message[start..end]
}
