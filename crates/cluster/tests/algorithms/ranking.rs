//! PageRank.

use equipoise_cluster::{PageRankOptions, pagerank};
use proptest::prelude::*;

use crate::input::{Input, inputs, long_floats, short_floats, unweighted, whole};

/// So many iterations, by pushing along a list of edges.
fn expected(input: &Input, options: &PageRankOptions, iterations: u32) -> Vec<f64> {
    let vertices = input.vertices as usize;
    let weight = |edge: usize| if options.unweighted { 1.0 } else { input.weight(edge) };
    let edges = input.directed();
    let mut leaving = vec![0.0; vertices];
    edges.iter().for_each(|&(from, _, edge)| leaving[from] += weight(edge));
    let mut ranks = vec![1.0 / vertices as f64; vertices];
    for _ in 0..iterations {
        let dangling: f64 = (0..vertices).filter(|&v| leaving[v] == 0.0).map(|v| ranks[v]).sum();
        let anew = 1.0 - options.damping + options.damping * dangling;
        let mut next = vec![anew / vertices as f64; vertices];
        for &(from, to, edge) in edges.iter().filter(|edge| leaving[edge.0] > 0.0) {
            next[to] += options.damping * ranks[from] * weight(edge) / leaving[from];
        }
        ranks = next;
    }
    ranks
}

proptest! {
    #[test]
    fn ranks_are_the_same_on_any_number_of_ranks(
        input in inputs(&[unweighted, whole, short_floats, long_floats]),
        damping in 0.0..=1.0f64,
        max_iterations in 1..60u32,
        unweighted in any::<bool>(),
    ) {
        let options = PageRankOptions { damping, max_iterations, unweighted, tolerance: 1e-9 };
        let run = |ranks| input.run_on(ranks, |comm, graph| {
            let found = pagerank(comm, graph, &options).unwrap();
            found.verify(comm, graph, &options).unwrap();
            found
        });
        let found = run(input.ranks);
        let ranks: Vec<f64> = found.iter().flat_map(|found| found.ranks.clone()).collect();
        let alone = run(1).remove(0);
        prop_assert_eq!(&ranks, &alone.ranks);
        prop_assert!(found.iter().all(|found| found.iterations == alone.iterations));
        prop_assert!(found.iter().all(|found| found.change == alone.change));
        let expected = expected(&input, &options, alone.iterations);
        let off: f64 = ranks.iter().zip(&expected).map(|(rank, other)| (rank - other).abs()).sum();
        prop_assert!(off < 1e-11, "{} off after {} iterations", off, alone.iterations);
    }

    #[test]
    fn a_wrong_rank_is_refused(
        input in inputs(&[unweighted, whole]),
        places in any::<[prop::sample::Index; 2]>(),
        by in prop_oneof![Just(1e-6), Just(-1e-6), Just(f64::NAN)],
    ) {
        prop_assume!(input.vertices > 0);
        let options = PageRankOptions { tolerance: 1e-9, ..PageRankOptions::default() };
        let outcomes = input.run(|comm, graph| {
            let mut found = pagerank(comm, graph, &options).unwrap();
            let owned = graph.partition.range(graph.rank());
            let [raised, lowered] = places.map(|place| place.index(input.vertices as usize) as u64);
            // What is added to one is taken from another, so that the sum stays.
            for (vertex, by) in [(raised, by), (lowered, -by)] {
                if owned.contains(&vertex) {
                    found.ranks[(vertex - owned.start) as usize] += by;
                }
            }
            (raised == lowered && !by.is_nan(), found.verify(comm, graph, &options).is_ok())
        });
        prop_assert!(outcomes.iter().all(|(same, accepted)| same == accepted), "{:?}", outcomes);
    }
}

#[test]
fn weights_that_nothing_flows_along_and_odd_options_are_refused() {
    let input = Input {
        vertices: 2,
        edges: vec![(0, 1), (1, 0)],
        weights: Some(vec![1.0, -1.0].into()),
        undirected: false,
        ranks: 2,
        round_limit: 64,
        first_share: 50,
    };
    let refused = |options: PageRankOptions| {
        input.run(|comm, graph| pagerank(comm, graph, &options).unwrap_err().to_string())
    };
    for message in refused(PageRankOptions::default()) {
        assert!(message.contains("the edge from 1 to 0 has weight -1"), "{message}");
    }
    for message in refused(PageRankOptions { damping: 1.5, ..PageRankOptions::default() }) {
        assert!(message.contains("`damping` is 1.5: 0 to 1 are possible"), "{message}");
    }
    for message in refused(PageRankOptions { max_iterations: 0, ..PageRankOptions::default() }) {
        assert!(message.contains("`max-iterations` is 0"), "{message}");
    }
}
