//! The slices of a generated graph together are the graph.

use equipoise_cluster::SliceOptions;
use equipoise_graph::{
    Duplicates, SelfLoops,
    generate::{Spec, SpecBlocks},
    io::ReadOptions,
    load,
};
use proptest::prelude::*;

use super::common;

const GRAPHS: [&str; 16] = [
    "rmat:scale=11,edge-factor=30",
    "rmat:scale=11,edge-factor=30,shuffle=true,duplicates=keep,loops=keep",
    "kronecker:scale=12,edge-factor=20",
    "er:n=3000,m=60000",
    "grid:width=300,height=170",
    "grid:width=300,height=170,drop=0.3",
    "small-world:n=20000,k=3,rewire=0.2",
    "power-law:n=5000,m=70000",
    "bipartite:left=100,right=2000,m=50000",
    "cliques:count=40,size=50",
    "path:n=50000",
    "cycle:n=40000",
    "star:n=33000",
    "complete:n=300",
    "tree:n=50000",
    "components:n=20000",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_generator_makes_the_same_graph_on_any_number_of_ranks(
        seed in 1..u64::MAX,
        ranks in 1..=5usize,
        weights in prop_oneof![Just(""), Just(",weights=1..1000"), Just(",weights=-0.5..2.5")],
        directed: bool,
    ) {
        for graph in GRAPHS {
            let spec = format!("{graph},seed={seed},directed={directed}{weights}");
            let slices = common::read(ranks, &spec, &SliceOptions::default()).unwrap();
            let expected = spec.parse::<Spec>().unwrap().generate().unwrap();
            prop_assert!(common::whole(&slices) == expected, "{spec} on {ranks} ranks");
        }
    }
}

#[test]
fn small_graphs_and_options_are_as_on_one_machine() {
    let drop = ReadOptions {
        undirected: true,
        duplicates: Duplicates::Drop,
        self_loops: SelfLoops::Drop,
        ..Default::default()
    };
    for spec in [
        "isolated:n=5",
        "isolated:n=0",
        "path:n=1",
        "grid:width=0,height=9",
        "rmat:scale=3,duplicates=keep,loops=keep,directed=true",
    ] {
        for read in [ReadOptions::default(), drop] {
            let slices = common::read(4, spec, &SliceOptions { read, ranks_on_node: 1 }).unwrap();
            assert_eq!(common::whole(&slices), load(spec, &read).unwrap(), "{spec}");
        }
    }
}

#[test]
fn all_ranks_refuse_what_one_machine_refuses() {
    for spec in ["rmat:scale=40", "grd:width=3", "band:rows=3,columns=3,width=1", "path:m=5"] {
        let error = common::read(3, spec, &SliceOptions::default()).unwrap_err();
        let alone = load(spec, &ReadOptions::default()).unwrap_err();
        assert_eq!(error, format!("rank 0: {alone}"));
    }
}

#[test]
fn a_slice_beyond_memory_is_refused_with_numbers() {
    let error = common::read(2, "rmat:scale=31,edge-factor=32", &SliceOptions::default());
    let error = error.unwrap_err();
    let expected = "rank 0: 34359738368 edges of rmat:scale=31,edge-factor=32 needs 824633720832 bytes of memory: ";
    assert!(error.starts_with(expected), "{error}");
    assert!(error.contains("2 ranks use"), "{error}");
}

/// 2³³ edges, of which rank 63 of 64 generates the last 2²⁷. This test generates the first and the last of these.
#[test]
fn a_rank_makes_its_own_of_more_edges_than_32_bits_number() {
    const BLOCK: u64 = 1 << 14;
    let spec: Spec = "rmat:scale=28,edge-factor=32,weights=1..1000000".parse().unwrap();
    let blocks = SpecBlocks::new(&spec).unwrap();
    let edges = 1u64 << 33;
    assert_eq!(blocks.most_edges(0..blocks.count()), edges);
    let mine = blocks.count() / 64 * 63..blocks.count();
    assert_eq!(blocks.most_edges(mine.clone()), 1 << 27);

    let first = blocks.ends(mine.start..mine.start + 2).unwrap();
    let last = blocks.ends(mine.end - 2..mine.end).unwrap();
    let far_before =
        blocks.ends(mine.start - (1 << 32) / BLOCK..mine.start - (1 << 32) / BLOCK + 2).unwrap();
    assert_eq!((first.0.len(), last.1.len()), (2 * BLOCK as usize, 2 * BLOCK as usize));
    // Indices cut to 32 bits would repeat these.
    assert!(first != last && first != far_before);
    assert_eq!(blocks.ends(mine.end - 1..mine.end).unwrap().0, last.0[BLOCK as usize..]);

    let weights = blocks.weights(edges - 100..edges).unwrap().unwrap();
    let of_block = blocks.weights(edges - BLOCK..edges).unwrap().unwrap();
    assert!((0..100).all(|i| weights.get(i) == of_block.get(BLOCK as usize - 100 + i)));
}
