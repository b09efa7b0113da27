//! Exchanges deliver exactly what changed.

use std::collections::BTreeMap;

use equipoise_cluster::{Comm, Exchange};
use proptest::prelude::*;

use crate::whole::{ranks, wholes};

/// Whether a vertex changed on a rank: none, some or all of them.
fn changed(seed: u64, rank: usize, vertex: u64) -> bool {
    match seed % 4 {
        0 => false,
        1 => true,
        _ => {
            (seed ^ (rank as u64 * 7919) ^ (vertex * 104_729)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
                >> 62
                == 0
        }
    }
}

proptest! {
    #[test]
    fn owners_receive_from_every_changed_mirror(whole in wholes(), ranks in ranks(), seed in any::<u64>()) {
        let received = ranks.run(|comm| {
            let graph = whole.build(comm);
            let mirrors = graph.owned()..graph.local.vertices();
            let is_changed = |&mirror: &u32| changed(seed, comm.rank(), graph.global(mirror));
            let list: Vec<u32> = mirrors.filter(is_changed).collect();
            let sent: Vec<u64> = list.iter().map(|&mirror| graph.global(mirror)).collect();
            let mut exchange = Exchange::new(comm, &graph);
            let mut received = Vec::new();
            let value = |mirror| [graph.global(mirror), comm.rank() as u64];
            exchange.reduce(&list, value, |owned, [global, rank]| {
                assert!(owned < graph.owned() && graph.global(owned) == global);
                received.push((global, rank));
            });
            let mut set = Vec::new();
            exchange.reduce(&list, |_| (), |owned, ()| set.push(graph.global(owned)));
            assert!(set.iter().eq(received.iter().map(|(global, _)| global)));
            (sent, received)
        });
        let mut sent: Vec<(u64, u64)> = (0..)
            .zip(&received)
            .flat_map(|(rank, (sent, _))| sent.iter().map(move |&global| (global, rank)))
            .collect();
        let mut received: Vec<(u64, u64)> = received.iter().flat_map(|(_, received)| received.clone()).collect();
        sent.sort_unstable();
        received.sort_unstable();
        prop_assert_eq!(sent, received);
    }

    #[test]
    fn every_mirror_receives_from_its_changed_owner(whole in wholes(), ranks in ranks(), seed in any::<u64>()) {
        ranks.run(|comm| {
            let graph = whole.build(comm);
            let list: Vec<u32> =
                (0..graph.owned()).filter(|&owned| changed(seed, 0, graph.global(owned))).collect();
            let mut exchange = Exchange::new(comm, &graph);
            let mut received = BTreeMap::new();
            // Twice: the second must not depend on the first.
            for _ in 0..2 {
                received.clear();
                exchange.broadcast(&list, |owned| graph.global(owned) + 1, |mirror, value| {
                    assert_eq!(graph.global(mirror) + 1, value);
                    assert!(received.insert(mirror, value).is_none());
                });
            }
            let mirrors = graph.owned()..graph.local.vertices();
            let expected = mirrors.filter(|&mirror| changed(seed, 0, graph.global(mirror)));
            assert!(received.into_keys().eq(expected));
        });
    }
}

#[test]
fn traffic_is_counted() {
    use equipoise_cluster::{DistGraph, EdgeSlice, run_threads};
    let bytes = run_threads(2, 64, |comm| {
        let slice = match comm.rank() {
            0 => EdgeSlice { sources: vec![0, 1], targets: vec![2, 3], ..EdgeSlice::new(4) },
            _ => EdgeSlice { sources: vec![2, 3], targets: vec![0, 0], ..EdgeSlice::new(4) },
        };
        let graph = DistGraph::build(comm, slice).unwrap();
        let mut exchange = Exchange::new(comm, &graph);
        exchange.broadcast(&[0, 1], |_| 7u32, |_, _| ());
        let first = exchange.take_traffic().bytes;
        (first, exchange.take_traffic().bytes)
    });
    // One byte for all mirrors, or one byte of bits for one of them; four bytes per value.
    assert_eq!(bytes, [(5, 0), (9, 0)]);
}
