//! Checks of memory on all ranks before it is allocated.

use std::fmt::Display;

use equipoise_graph::{memory::available, memory::bytes_of};

use crate::{Comm, Error, Reduction, Result};

/// Requests below this size are never refused, because the check would take longer than the work.
const NOT_ASKED_FOR: u64 = 1 << 16;

/// Fails on all ranks unless every rank has the `bytes` that it needs for `what`. The error has the numbers of the rank that
/// lacks the most.
///
/// Ranks on one machine share its memory: each may use the free memory divided by `ranks_on_node`. All ranks call it before
/// any of them allocates.
///
/// ```
/// use equipoise_cluster::{Comm, check_memory, run_threads};
///
/// let refused = run_threads(2, 64, |comm| {
///     let bytes = if comm.rank() == 1 { 1 << 60 } else { 10 };
///     check_memory(comm, "a table", bytes, 2).unwrap_err().to_string()
/// });
/// assert!(refused[0].starts_with("rank 1: a table needs 1152921504606846976 bytes of memory: "));
/// assert_eq!(refused[0], refused[1]);
/// ```
pub fn check_memory(
    comm: &dyn Comm,
    what: impl Display,
    bytes: u64,
    ranks_on_node: usize,
) -> Result<()> {
    let share =
        if bytes <= NOT_ASKED_FOR { bytes } else { available() / ranks_on_node.max(1) as u64 };
    let lacking = bytes.saturating_sub(share);
    let mut most = [lacking];
    comm.all_reduce(&mut most, Reduction::Max);
    if most[0] == 0 {
        return Ok(());
    }
    let mut worst = [if lacking == most[0] { comm.rank() as u64 } else { u64::MAX }];
    comm.all_reduce(&mut worst, Reduction::Min);
    let numbers = comm.all_gather(bytemuck::cast_slice(&[bytes, share]));
    let rank = worst[0] as usize;
    let [bytes, share]: [u64; 2] =
        numbers.get(rank).map_or([bytes, share], |numbers| bytemuck::pod_read_unaligned(numbers));
    Err(Error::OnRank {
        rank,
        message: format!(
            "{what} needs {bytes} bytes of memory: {share} bytes are this rank's share of what its machine has, which \
             {ranks_on_node} ranks use: use more machines, or fewer ranks on each"
        ),
    })
}

/// The bytes of a slice of so many edges: two ends of 64 bits, and a weight of so many bytes.
pub(crate) fn slice_bytes(edges: u64, weight_bytes: u64) -> u64 {
    bytes_of::<[u64; 2]>(edges).saturating_add(edges.saturating_mul(weight_bytes))
}

/// The most bytes of building a graph, on a rank that reads and owns these numbers of edges, undirected ones counted twice:
/// messages in both directions, and the rows.
///
/// ```
/// use equipoise_cluster::building_bytes;
///
/// assert!(building_bytes(1 << 20, 1000, 4) > building_bytes(1 << 20, 1000, 0));
/// ```
pub fn building_bytes(edges: u64, vertices: u64, weight_bytes: u64) -> u64 {
    let on_the_way = slice_bytes(edges, weight_bytes).saturating_mul(2);
    // Sorted with their values beside the rows that they become.
    let rows = edges.saturating_mul(4 + weight_bytes).saturating_mul(2);
    let of_vertices = bytes_of::<[u64; 2]>(vertices);
    [on_the_way, rows, of_vertices].into_iter().fold(0, u64::saturating_add)
}
