//! Each graph is on one side, each family on both.

use std::collections::BTreeSet;

use equipoise_lab::learn::{Error, Run, Schema, Step, Table, split};
use proptest::prelude::*;

/// Graphs of families with these numbers of runs, in pseudo-random order.
fn table(graphs: &[(u8, u8)]) -> Table {
    let runs = graphs.iter().enumerate().flat_map(|(number, &(family, runs))| {
        (0..runs).map(move |run| Run {
            graph: format!("g{number}"),
            family: format!("family {family}"),
            id: run.to_string(),
            steps: vec![Step::new(vec![1.0], vec![Some(1.0)])],
            origin: None,
        })
    });
    Table::new(Schema::new(&["f"], &["a"]), runs.collect()).unwrap()
}

proptest! {
    #[test]
    fn no_graph_is_on_both_sides(
        graphs in prop::collection::vec((0u8..5, 1u8..4), 4..60),
        share in 0.3f64..0.75,
        seed in any::<u64>(),
    ) {
        let table = table(&graphs);
        let split = split(&table, share, seed).unwrap();
        prop_assert!(split.training.is_disjoint(&split.held_out));
        let all: BTreeSet<String> = table.graphs().into_iter().map(|graph| graph.name).collect();
        prop_assert_eq!(split.training.union(&split.held_out).cloned().collect::<BTreeSet<_>>(), all);

        let (training, held_out) = (table.restricted_to(&split.training), table.restricted_to(&split.held_out));
        prop_assert_eq!(training.steps() + held_out.steps(), table.steps());
        let wanted = graphs.len() as f64 * share;
        prop_assert!((split.training.len() as f64 - wanted).abs() <= 1.0);
        // Each family in proportion, to one graph.
        for family in table.families() {
            let of = |table: &Table| table.only(|run| run.family == family).graphs().len() as f64;
            prop_assert!((of(&training) - of(&table) * share).abs() < 2.0);
        }
    }

    #[test]
    fn the_order_of_the_table_does_not_matter(
        graphs in prop::collection::vec((0u8..5, 1u8..4), 4..20),
        seed in any::<u64>(),
    ) {
        let table = table(&graphs);
        let mut runs = table.runs().to_vec();
        runs.reverse();
        let reversed = Table::new(table.schema().clone(), runs).unwrap();
        prop_assert_eq!(split(&table, 0.7, seed).unwrap(), split(&reversed, 0.7, seed).unwrap());
    }
}

#[test]
fn seeds_give_different_splits() {
    let table = table(&[(0, 1); 40]);
    assert_ne!(split(&table, 0.7, 1).unwrap(), split(&table, 0.7, 2).unwrap());
}

#[test]
fn tables_that_cannot_be_split_are_refused() {
    let table = table(&[(0, 1); 3]);
    for share in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(matches!(split(&table, share, 1), Err(Error::Option(_))), "{share}");
    }
    let error = split(&table, 0.1, 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "3 graphs are too few to train on some and judge on others: at least 10 are needed"
    );
}
