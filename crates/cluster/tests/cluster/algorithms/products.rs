//! Products of matrices and vectors.

use equipoise_cluster::{Numbers, Spmv, SpmvOptions, operand, spmv};
use equipoise_graph::Weights;
use proptest::prelude::*;

use super::input::{Input, inputs, large, long_floats, short_floats, unweighted};

/// The numbers of all ranks, as one.
fn together(result: &[Spmv]) -> Vec<f64> {
    let numbers =
        |result: &Spmv| (0..result.y.len()).flat_map(|row| result.y.get(row)).collect::<Vec<_>>();
    result.iter().flat_map(numbers).collect()
}

fn run(input: &Input, ranks: usize, options: &SpmvOptions) -> Vec<Spmv> {
    input.run_on(ranks, |comm, graph| {
        let result = spmv(comm, graph, options).unwrap();
        result.verify(comm, graph).unwrap();
        result
    })
}

proptest! {
    #[test]
    fn products_are_the_same_on_any_number_of_ranks(
        input in inputs(&[unweighted, large, short_floats, long_floats]),
        repeats in 1..4u32,
        seed in any::<u64>(),
    ) {
        let options = SpmvOptions { repeats, seed };
        let result = run(&input, input.ranks, &options);
        let y = together(&result);
        prop_assert_eq!(&y, &together(&run(&input, 1, &options)));
        let is_short = matches!(input.weights, Some(Weights::F32(_)));
        prop_assert!(result.iter().all(|result| matches!(result.y, Numbers::F32(_)) == is_short));
        prop_assert!(result.iter().all(|result| result.trace.steps.len() as u32 == repeats));
        let (mut expected, mut size) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        for (row, column, edge) in input.directed() {
            let product = input.weight(edge) * operand(seed, column as u64);
            expected[row] += product;
            size[row] += product.abs();
        }
        let epsilon = if is_short { f32::EPSILON.into() } else { 64.0 * f64::EPSILON };
        for row in 0..y.len() {
            prop_assert!((y[row] - expected[row]).abs() <= epsilon * size[row]);
        }
    }

    #[test]
    fn a_wrong_number_is_refused(
        input in inputs(&[unweighted, short_floats, long_floats]),
        index in any::<prop::sample::Index>(),
        by in prop_oneof![Just(1e-3), Just(f64::INFINITY), Just(f64::NAN)],
    ) {
        prop_assume!(input.vertices > 0);
        let index = index.index(input.vertices as usize) as u64;
        let outcomes = input.run(|comm, graph| {
            let mut result = spmv(comm, graph, &SpmvOptions::default()).unwrap();
            let owned = graph.partition.range(graph.rank());
            if owned.contains(&index) {
                let row = (index - owned.start) as usize;
                match &mut result.y {
                    Numbers::F32(y) => y[row] += by as f32,
                    Numbers::F64(y) => y[row] += by,
                }
            }
            result.verify(comm, graph).is_err()
        });
        prop_assert!(outcomes.into_iter().all(|refused| refused));
    }
}

#[test]
fn no_repeats_are_refused() {
    let input = Input {
        vertices: 1,
        edges: vec![],
        weights: None,
        undirected: false,
        ranks: 2,
        round_limit: 64,
        first_share: 0,
    };
    let options = SpmvOptions { repeats: 0, ..SpmvOptions::default() };
    let messages = input.run(|comm, graph| spmv(comm, graph, &options).unwrap_err().to_string());
    assert!(messages.iter().all(|message| message.contains("`repeats` is 0")));
}
