//! Digests: order-independent sums of hashed numbers, by which host and device compare their copies of an array.
//!
//! Each function exists twice, once for the host and once for the device.

use cubecl::prelude::*;
use equipoise_graph::{Graph, Weights, parallel::*};

use crate::{Error, Result};

const SPREAD: u32 = 0x9e37_79b1;
const FIRST: u32 = 0x85eb_ca6b;
const SECOND: u32 = 0xc2b2_ae35;
/// Separates the digest of a weight from that of a target.
const WEIGHT: u32 = 0x27d4_eb2f;
/// Vertices per task of a thread.
const CHUNK: usize = 1 << 12;

/// The term of a value at an index, on a device.
#[cube]
pub(crate) fn term(index: u32, value: u32) -> u32 {
    let mut mixed = (index * SPREAD) ^ value;
    mixed = (mixed ^ (mixed >> 16u32)) * FIRST;
    mixed = (mixed ^ (mixed >> 13u32)) * SECOND;
    mixed ^ (mixed >> 16u32)
}

/// The term of an edge, on a device.
#[cube]
pub(crate) fn edge_term(vertex: u32, edge: u32, target: u32) -> u32 {
    term(edge, target + vertex * SPREAD)
}

/// The term of the weight of an edge, on a device.
#[cube]
pub(crate) fn weight_term(edge: u32, bits: u32) -> u32 {
    term(edge, bits ^ WEIGHT)
}

/// The term of a value at an index, on the host.
fn host_term(index: u32, value: u32) -> u32 {
    let mut mixed = index.wrapping_mul(SPREAD) ^ value;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(FIRST);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(SECOND);
    mixed ^ (mixed >> 16)
}

pub(crate) fn of_numbers(numbers: impl ParallelIterator<Item = u32>) -> u32 {
    let terms = numbers.enumerate().map(|(index, value)| host_term(index as u32, value));
    terms.reduce(|| 0, u32::wrapping_add)
}

/// Fails where the host has a copy whose digest differs from the device's.
pub(crate) fn check_copy(host_copy: Option<u32>, on_device: u32) -> Result<()> {
    if host_copy.is_none_or(|digest| digest == on_device) {
        return Ok(());
    }
    Err(Error::Wrong("the copy on the host is not what the device has".into()))
}

/// The digest of all edges with their sources.
pub(crate) fn of_edges(graph: &Graph) -> u32 {
    let (offsets, targets) = (graph.csr().offsets(), graph.csr().indices());
    let ends = offsets.par_windows(2).enumerate().with_min_len(CHUNK);
    ends.map(|(vertex, ends)| {
        let (start, end) = (ends[0] as usize, ends[1] as usize);
        let vertex_part = (vertex as u32).wrapping_mul(SPREAD);
        let row = (start as u32..).zip(&targets[start..end]);
        row.map(|(edge, &target)| host_term(edge, target.wrapping_add(vertex_part)))
            .fold(0, u32::wrapping_add)
    })
    .reduce(|| 0, u32::wrapping_add)
}

/// The digest of all weights; those of an unweighted graph are ones.
pub(crate) fn of_weights(graph: &Graph) -> u32 {
    let edges = graph.edges() as usize;
    match graph.weights() {
        None => of_numbers((0..edges).into_par_iter().map(|_| 1 ^ WEIGHT)),
        Some(Weights::U32(weights)) => of_numbers(weights.par_iter().map(|weight| weight ^ WEIGHT)),
        Some(Weights::F32(weights)) => {
            of_numbers(weights.par_iter().map(|weight| weight.to_bits() ^ WEIGHT))
        }
        Some(Weights::F64(weights)) => of_numbers(weights.par_iter().map(|weight| {
            let bits = weight.to_bits();
            (bits >> 32) as u32 ^ bits as u32 ^ WEIGHT
        })),
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};

    use super::*;

    fn digests(edges: Vec<(u32, u32, u32)>) -> (u32, u32) {
        let graph = GraphBuilder::new().vertices(4).build(Edges::from(edges)).unwrap();
        (of_edges(&graph), of_weights(&graph))
    }

    #[test]
    fn a_changed_edge_or_weight_changes_its_digest() {
        let (edges, weights) = digests(vec![(0, 1, 5), (1, 2, 6)]);
        for changed in [vec![(0, 1, 5), (1, 3, 6)], vec![(0, 1, 5), (0, 2, 6)], vec![(0, 1, 5)]] {
            assert_ne!(digests(changed).0, edges);
        }
        assert_eq!(digests(vec![(0, 1, 6), (1, 2, 5)]).0, edges);
        assert_ne!(digests(vec![(0, 1, 6), (1, 2, 5)]).1, weights);
    }
}
