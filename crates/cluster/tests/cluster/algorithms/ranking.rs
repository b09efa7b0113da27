//! PageRank.

use equipoise_cluster::{Error, PageRankOptions, pagerank};
use proptest::prelude::*;

use super::input::{Input, inputs, long_floats, short_floats, unweighted, whole};

/// PageRank by iterations over a list of edges.
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
        iterations in 1..60u32,
        unweighted in any::<bool>(),
    ) {
        let options = PageRankOptions {
            damping,
            unweighted,
            iterations: Some(iterations),
            ..PageRankOptions::default()
        };
        let run = |ranks| input.run_on(ranks, |comm, graph| {
            let result = pagerank(comm, graph, &options).unwrap();
            result.verify(comm, graph, &options).unwrap();
            result
        });
        let result = run(input.ranks);
        let ranks: Vec<f64> = result.iter().flat_map(|result| result.ranks.clone()).collect();
        let alone = run(1).remove(0);
        prop_assert_eq!(&ranks, &alone.ranks);
        prop_assert!(result.iter().all(|result| result.iterations == alone.iterations));
        prop_assert!(result.iter().all(|result| result.change == alone.change));
        let expected = expected(&input, &options, alone.iterations);
        let off: f64 = ranks.iter().zip(&expected).map(|(rank, other)| (rank - other).abs()).sum();
        prop_assert!(off < 1e-11, "{} off after {} iterations", off, alone.iterations);
    }

    #[test]
    fn a_wrong_rank_is_refused(
        input in inputs(&[unweighted, whole]),
        indices in any::<[prop::sample::Index; 2]>(),
        by in prop_oneof![Just(1e-6), Just(-1e-6), Just(f64::NAN)],
    ) {
        prop_assume!(input.vertices > 0);
        let options =
            PageRankOptions { tolerance: 1e-9, max_iterations: 200, ..PageRankOptions::default() };
        let outcomes = input.run(|comm, graph| {
            let mut result = pagerank(comm, graph, &options).unwrap();
            let owned = graph.partition.range(graph.rank());
            let [raised, lowered] = indices.map(|index| index.index(input.vertices as usize) as u64);
            // The sum of ranks does not change.
            for (vertex, by) in [(raised, by), (lowered, -by)] {
                if owned.contains(&vertex) {
                    result.ranks[(vertex - owned.start) as usize] += by;
                }
            }
            (raised == lowered && !by.is_nan(), result.verify(comm, graph, &options).is_ok())
        });
        prop_assert!(outcomes.iter().all(|(same, accepted)| same == accepted), "{:?}", outcomes);
    }
}

#[test]
fn invalid_weights_and_options_are_refused() {
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
    for message in refused(PageRankOptions { iterations: Some(0), ..PageRankOptions::default() }) {
        assert!(message.contains("`iterations` is 0"), "{message}");
    }
}

fn star(leaves: u64, weights: Option<Vec<f64>>) -> Input {
    Input {
        vertices: leaves + 1,
        edges: (1..=leaves).map(|leaf| (0, leaf)).collect(),
        weights: weights.map(Into::into),
        undirected: true,
        ranks: 3,
        round_limit: 64,
        first_share: 50,
    }
}

#[test]
fn ranks_that_do_not_converge_are_an_error_unless_iterations_are_given() {
    let plain = PageRankOptions { damping: 0.99, ..PageRankOptions::default() };
    let run = |options: PageRankOptions| {
        star(49, None).run(move |comm, graph| {
            let result = pagerank(comm, graph, &options)?;
            result.verify(comm, graph, &options).map(|()| result.iterations)
        })
    };
    for outcome in run(plain.clone()) {
        assert!(matches!(outcome, Err(Error::NotConverged { iterations: 100, .. })), "{outcome:?}");
    }
    for options in [
        PageRankOptions { iterations: Some(100), ..plain.clone() },
        PageRankOptions { tolerance: 0.0, ..plain },
    ] {
        assert!(run(options).iter().all(|outcome| matches!(outcome, Ok(100))));
    }
}

#[test]
fn weights_whose_sums_are_out_of_range_are_refused() {
    for weight in [1e308, 1e-300] {
        let outcomes = star(2, Some(vec![weight; 2])).run(|comm, graph| {
            pagerank(comm, graph, &PageRankOptions::default()).unwrap_err().to_string()
        });
        for message in outcomes {
            assert!(message.contains("multiply all weights by the same number"), "{message}");
        }
    }
}
