//! Messages to the owners of vertices.

use bytemuck::Pod;

use crate::Partition;

/// A message per rank with the items of vertices that it owns. Items are in the order of their vertices.
pub(super) fn to_owners<T: Pod>(
    partition: &Partition,
    ascending: &[T],
    vertex: impl Fn(&T) -> u64,
) -> Vec<Vec<u8>> {
    let mut rest = ascending;
    let message = |rank| {
        let end = partition.range(rank).end;
        let (here, after) = rest.split_at(rest.partition_point(|item| vertex(item) < end));
        rest = after;
        bytemuck::cast_slice(here).to_vec()
    };
    (0..partition.ranks()).map(message).collect()
}
