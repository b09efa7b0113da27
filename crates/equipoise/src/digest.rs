//! Digests: sums of well-mixed numbers, by which host and device find out whether they have the same.
//!
//! A sum does not depend on the order in which its terms are found, so that each side can go through
//! the numbers as it likes. The same is said twice here, once for each side.

use cubecl::prelude::*;
use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use crate::{Error, Result};

const SPREAD: u32 = 0x9e37_79b1;
const FIRST: u32 = 0x85eb_ca6b;
const SECOND: u32 = 0xc2b2_ae35;
/// Tells the digest of a weight from that of a target.
const WEIGHT: u32 = 0x27d4_eb2f;
/// Vertices whose edges a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// What a number at a place adds to a digest, on a device.
#[cube]
pub(crate) fn term(place: u32, value: u32) -> u32 {
    let mut mixed = (place * SPREAD) ^ value;
    mixed = (mixed ^ (mixed >> 16u32)) * FIRST;
    mixed = (mixed ^ (mixed >> 13u32)) * SECOND;
    mixed ^ (mixed >> 16u32)
}

/// What an edge adds, on a device.
#[cube]
pub(crate) fn edge_term(vertex: u32, edge: u32, target: u32) -> u32 {
    term(edge, target + vertex * SPREAD)
}

/// What the weight of an edge adds, on a device.
#[cube]
pub(crate) fn weight_term(edge: u32, bits: u32) -> u32 {
    term(edge, bits ^ WEIGHT)
}

/// What a number at a place adds to a digest.
fn term_here(place: u32, value: u32) -> u32 {
    let mut mixed = place.wrapping_mul(SPREAD) ^ value;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(FIRST);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(SECOND);
    mixed ^ (mixed >> 16)
}

/// The digest of numbers.
pub(crate) fn of_numbers(numbers: impl IndexedParallelIterator<Item = u32>) -> u32 {
    let terms = numbers.enumerate().map(|(place, value)| term_here(place as u32, value));
    terms.reduce(|| 0, u32::wrapping_add)
}

/// Fails where the digest of a copy, if there is one, is not that of what it is a copy of.
pub(crate) fn check_copy(copy: Option<u32>, there: u32) -> Result<()> {
    match copy.is_none_or(|copy| copy == there) {
        true => Ok(()),
        false => Err(Error::Wrong("the copy on the host is not what the device has".into())),
    }
}

/// The digest of all edges, each with the vertex that it leaves.
pub(crate) fn of_edges(graph: &Graph) -> u32 {
    let (offsets, targets) = (graph.csr().offsets(), graph.csr().indices());
    let ends = offsets.par_windows(2).enumerate().with_min_len(CHUNK);
    ends.map(|(vertex, ends)| {
        let (start, end) = (ends[0] as usize, ends[1] as usize);
        let of_vertex = (vertex as u32).wrapping_mul(SPREAD);
        let row = (start as u32..).zip(&targets[start..end]);
        row.map(|(edge, &target)| term_here(edge, target.wrapping_add(of_vertex)))
            .fold(0, u32::wrapping_add)
    })
    .reduce(|| 0, u32::wrapping_add)
}

/// The digest of the weights of all edges; those of an unweighted graph are ones.
pub(crate) fn of_weights(graph: &Graph) -> u32 {
    let edges = graph.edges() as usize;
    match graph.weights() {
        None => of_numbers(rayon::iter::repeat_n(1 ^ WEIGHT, edges)),
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

    fn of(edges: Vec<(u32, u32, u32)>) -> (u32, u32) {
        let graph = GraphBuilder::new().vertices(4).build(Edges::from(edges)).unwrap();
        (of_edges(&graph), of_weights(&graph))
    }

    #[test]
    fn another_graph_has_another_digest() {
        let (edges, weights) = of(vec![(0, 1, 5), (1, 2, 6)]);
        for changed in [vec![(0, 1, 5), (1, 3, 6)], vec![(0, 1, 5), (0, 2, 6)], vec![(0, 1, 5)]] {
            assert_ne!(of(changed).0, edges);
        }
        assert_eq!(of(vec![(0, 1, 6), (1, 2, 5)]).0, edges);
        assert_ne!(of(vec![(0, 1, 6), (1, 2, 5)]).1, weights);
    }
}
