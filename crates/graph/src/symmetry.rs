//! Symmetry of graphs: whether every edge has its reverse.

use crate::{Csr, Weights, parallel::*};

/// An edge without a reverse of the same weight, if any.
///
/// One pass compares the sum of a hash over all edges with that over all reversed edges; only if
/// they differ, a second pass searches an offending edge.
pub(crate) fn find_one_way_edge(csr: &Csr, weights: Option<&Weights>) -> Option<(u32, u32)> {
    let bits = |edge: usize| match weights {
        None => 0,
        Some(Weights::U32(weights)) => weights[edge].into(),
        Some(Weights::F32(weights)) => weights[edge].to_bits().into(),
        Some(Weights::F64(weights)) => weights[edge].to_bits(),
    };
    let difference = (0..csr.rows())
        .into_par_iter()
        .map(|row| {
            csr.range(row).fold(0u64, |sum, edge| {
                let (target, back) = (csr.indices()[edge], bits(edge));
                sum.wrapping_add(hash(row, target, back)).wrapping_sub(hash(target, row, back))
            })
        })
        .reduce(|| 0, u64::wrapping_add);
    if difference == 0 {
        return None;
    }
    let copies = |source: u32, target: u32, weight: u64| {
        let range = csr.range(source);
        let row = &csr.indices()[range.clone()];
        let first = range.start + row.partition_point(|&other| other < target);
        (first..range.end)
            .take_while(|&edge| csr.indices()[edge] == target)
            .filter(|&edge| bits(edge) == weight)
            .count()
    };
    (0..csr.rows()).into_par_iter().find_map_first(|source| {
        csr.range(source).find_map(|edge| {
            let target = csr.indices()[edge];
            let forward = copies(source, target, bits(edge));
            (forward != copies(target, source, bits(edge))).then_some((source, target))
        })
    })
}

/// A hash with different values for (a, b) and (b, a).
fn hash(a: u32, b: u32, weight: u64) -> u64 {
    let mut x = (u64::from(a) << 32 | u64::from(b)) ^ weight.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
