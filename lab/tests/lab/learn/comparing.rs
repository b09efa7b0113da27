//! Subsets of features, and families that were not in training.

use equipoise_lab::learn::{
    Options, Schema, Subset, Table, compare_subsets, leave_one_family_out, train, traversal_subsets,
};
use equipoise_select::features::NAMES;

use super::tables::{FAMILIES, random, table_of_steps};

/// The best candidate depends on `useful`, in one family inversely.
fn table(odd_family: bool) -> Table {
    table_of_steps(Schema::new(&["useful", "useless"], &["a", "b"]), 40, 10, |graph, step| {
        let useful = random(step);
        let turned = odd_family && FAMILIES[graph as usize % 4] == "real";
        let times = if (useful < 0.5) != turned { [1.0, 2.0] } else { [2.0, 1.0] };
        (vec![useful as f32, random(step + 1_000_000) as f32], times.map(Some).to_vec())
    })
}

#[test]
fn subsets_are_as_good_as_their_features() {
    let subsets = [
        Subset::new("both", &["useful", "useless"]),
        Subset::new("useful", &["useful"]),
        Subset::new("useless", &["useless"]),
    ];
    let compared = compare_subsets(&table(false), &Options::new("bfs", "cpu"), &subsets).unwrap();
    let averages: Vec<f64> = compared.iter().map(|it| it.held_out.predicted.average).collect();
    assert!(averages[0] < 1.05 && averages[1] < 1.05, "{averages:?}");
    assert!(averages[2] > 1.3, "{averages:?}");
    assert_eq!(compared[2].features, 1);
    assert!(compared[2].cross_validated > 1.3);
    let unknown = compare_subsets(&table(false), &Options::new("bfs", "cpu"), &traversal_subsets());
    assert!(unknown.unwrap_err().to_string().starts_with("the table has no feature `vertices`"));
}

#[test]
fn a_different_family_shows_when_it_is_held_out() {
    let options = Options::new("bfs", "cpu");
    let results = leave_one_family_out(&table(true), &options).unwrap();
    let families: Vec<&str> = results.iter().map(|result| result.family.as_str()).collect();
    assert_eq!(families, ["er", "grid", "real", "rmat"]);
    for result in &results {
        let average = result.evaluation.predicted.average;
        assert_eq!(average > 1.5, result.family == "real", "{}: {average}", result.family);
        assert_eq!(result.fit.model.description().trained_on.len(), 30);
    }
    let one = table(true).only(|run| run.family == "er");
    assert!(leave_one_family_out(&one, &options).is_err());
}

#[test]
fn the_subsets_of_traversals_are_of_its_features() {
    let subsets = traversal_subsets();
    let four = &subsets[1];
    assert_eq!(four.features.len(), 2 + 7 + 1 + 1);
    for subset in &subsets {
        assert!(subset.features.iter().all(|name| NAMES.contains(&name.as_str())), "{subset:?}");
        let mut distinct = subset.features.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), subset.features.len(), "{subset:?}");
    }
    let schema = Schema::new(&NAMES, &["a", "b"]);
    let table = table_of_steps(schema, 10, 4, |graph, step| {
        let features = (0..NAMES.len() as u64).map(|it| random(step * 28 + it) as f32).collect();
        (features, vec![Some(1.0), Some(0.5 + graph as f64 / 10.0)])
    });
    let options = Options { depths: vec![2], leaves: vec![5], ..Options::new("bfs", "cpu") };
    assert_eq!(compare_subsets(&table, &options, &subsets).unwrap().len(), subsets.len());
    assert!(train(&table, &options).is_ok());
}
