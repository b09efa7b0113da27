//! Training recovers the rules that a table was made by.

use equipoise_lab::learn::{LeafRule, Options, Schema, Table, Weighting, fit, train};
use equipoise_select::{Node, Split};

use super::tables::{random, table_of_steps};

const CANDIDATES: [&str; 3] = ["edge", "push", "pull"];

/// The rule: narrow frontiers get `push`; wide ones `pull` on dense graphs, else `edge`. All others
/// take twice to four times as long.
fn by_rule(frontier: f64, degree: f64) -> usize {
    if frontier <= 0.2 {
        1
    } else if degree > 8.0 {
        2
    } else {
        0
    }
}

fn table(graphs: u64) -> Table {
    let schema = Schema::new(&["noise", "frontier", "degree"], &CANDIDATES);
    table_of_steps(schema, graphs, 15, |graph, step| {
        let (frontier, degree) = (random(step), 16.0 * random(graph + 1_000_000));
        let best = by_rule(frontier, degree);
        let unit = 1e-6 * (1.0 + 99.0 * random(step + 2_000_000));
        let time = |candidate: usize| {
            if candidate == best {
                unit
            } else {
                unit * (2.0 + 2.0 * random(step * 3 + candidate as u64 + 3_000_000))
            }
        };
        let features = vec![random(step + 4_000_000) as f32, frontier as f32, degree as f32];
        (features, (0..3).map(|candidate| Some(time(candidate))).collect())
    })
}

#[test]
fn a_known_rule_is_recovered() {
    let training = train(&table(40), &Options::new("bfs", "cpu")).unwrap();
    let model = &training.fit.model;
    assert_eq!(model.description().features, ["frontier", "degree"], "noise is not used");
    for node in model.nodes() {
        let Node::Split(Split { feature, threshold, .. }) = node else { continue };
        let (wanted, tolerance) = [(0.2, 0.02), (8.0, 0.5)][*feature as usize];
        assert!((threshold - wanted).abs() < tolerance, "{threshold} is not {wanted}");
    }
    assert!(model.nodes().len() <= 7, "asking for each feature once is enough: {model:?}");
    assert!(training.held_out.accuracy > 0.97, "{}", training.held_out.accuracy);
    assert!(training.held_out.predicted.average < 1.03);
    assert!(training.held_out.oracle.average > 1.3, "no candidate alone is good");
    let importances: Vec<_> =
        training.fit.importances.iter().map(|importance| importance.feature.as_str()).collect();
    assert_eq!(importances.len(), 2);
    let sum: f64 = training.fit.importances.iter().map(|importance| importance.share).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    assert_eq!(model.description().trained_on.len(), 28);
    assert!(
        training.split.held_out.iter().all(|name| !model.description().trained_on.contains(name))
    );
}

/// A split between graphs occurs in a part of the tree without their last steps.
#[test]
fn graphs_are_separated_below_a_split_by_step() {
    let schema = Schema::new(&["level", "size"], &CANDIDATES);
    let table = table_of_steps(schema, 10, 10, |graph, step| {
        let level = step % 10;
        let best = if level >= 5 { 2 } else { usize::from(graph < 5) };
        let time = |candidate| Some(if candidate == best { 1.0 } else { 2.0 });
        (vec![level as f32, graph as f32], (0..3).map(time).collect())
    });
    let options = Options { leaves: vec![1], ..Options::new("bfs", "cpu") };
    let fit = fit(&table, &options).unwrap();
    let evaluation = equipoise_lab::learn::evaluate(&fit.model, &table).unwrap();
    assert_eq!(evaluation.accuracy, 1.0);
}

/// Features may be neighbouring floating-point numbers, or extremely far apart.
#[test]
fn thresholds_separate_neighbouring_numbers() {
    for (low, high) in [
        (1e-9f32, f32::from_bits(1e-9f32.to_bits() + 1)),
        (f32::MAX, f32::from_bits(f32::MAX.to_bits() - 1)),
        (-f32::MAX, f32::MAX),
        (0.0, f32::MIN_POSITIVE),
    ] {
        let table = table_of_steps(Schema::new(&["f"], &["a", "b"]), 8, 4, |_, step| {
            let feature = if step % 2 == 0 { low } else { high };
            let times = if step % 2 == 0 { [1.0, 2.0] } else { [2.0, 1.0] };
            (vec![feature], times.map(Some).to_vec())
        });
        let training = train(&table, &Options::new("bfs", "cpu")).unwrap();
        assert_eq!(training.held_out.accuracy, 1.0, "{low} and {high}");
    }
}

#[test]
fn candidates_that_do_not_fit_are_not_chosen() {
    // `fast` is the fastest, but does not fit on large graphs; `slow` does.
    let table = table_of_steps(
        Schema::new(&["vertices"], &["slow", "fast", "worse"]),
        20,
        5,
        |graph, _| {
            let fits = graph < 12;
            (vec![graph as f32], vec![Some(2.0), fits.then_some(1.0), Some(5.0)])
        },
    );
    let training = train(&table, &Options::new("bfs", "cpu")).unwrap();
    assert_eq!(training.held_out.accuracy, 1.0);
    assert_eq!(training.held_out.predicted.not_runnable, 0);
    assert!(training.held_out.single[1].not_runnable > 0);
    assert_eq!(training.held_out.best_single().unwrap().name, "slow");
}

#[test]
fn an_ambiguous_first_step_gets_its_best_or_the_requested_candidate() {
    // No feature separates `a` from `b`; first steps are better with `c`.
    let table = table_of_steps(Schema::new(&["f"], &["a", "b", "c"]), 12, 4, |_, step| {
        let times = match step % 4 {
            0 => [1.1, 1.1, 1.0],
            1 => [1.0, 3.0, 9.0],
            _ => [3.0, 1.0, 9.0],
        };
        (vec![1.0], times.map(Some).to_vec())
    });
    let options = Options::new("bfs", "cpu");
    assert_eq!(fit(&table, &options).unwrap().model.description().first, "c");
    let options = Options { first: Some("b".into()), ..options };
    assert_eq!(fit(&table, &options).unwrap().model.description().first, "b");
    let options = Options { first: Some("d".into()), ..options };
    assert_eq!(
        fit(&table, &options).unwrap_err().to_string(),
        "the table has no candidate `d`; it has: `a`, `b`, `c`"
    );
}

#[test]
fn ties_are_ambiguous_under_majority() {
    let table = table_of_steps(Schema::new(&["f"], &["a", "b"]), 4, 4, |_, step| {
        let times = if step % 2 == 0 { [1.0, 2.0] } else { [2.0, 1.0] };
        (vec![1.0], times.map(Some).to_vec())
    });
    let options = Options {
        weightings: vec![Weighting::Equal],
        rules: vec![LeafRule::Majority { margin: 0.0 }],
        ..Options::new("bfs", "cpu")
    };
    let model = fit(&table, &options).unwrap().model;
    let prediction = model.predict(&[1.0]);
    assert!(prediction.ambiguous);
    assert_eq!(prediction.share, 0.5);
}

#[test]
fn invalid_options_are_refused() {
    let table = table(4);
    let options = Options::new("bfs", "cpu");
    let message = |options: &Options| fit(&table, options).unwrap_err().to_string();
    let no_depths = Options { depths: vec![], ..options.clone() };
    assert_eq!(message(&no_depths), "no depths to try");
    let share = Options { time_shares: vec![1.5], ..options.clone() };
    assert_eq!(message(&share), "a time share is 1.5, which is not from 0 to 1");
    let one_fold = Options { folds: 1, ..options.clone() };
    assert_eq!(message(&one_fold), "cross-validation needs 2 parts or more, not 1");
    let unknown = Options { features: Some(vec!["size".into()]), ..options.clone() };
    assert!(message(&unknown).starts_with("the table has no feature `size`; it has: `noise`"));
    let none = Options { features: Some(vec![]), ..options.clone() };
    assert_eq!(message(&none), "no features to use");
    let one = table.only(|run| run.graph == "graph 1");
    let error = fit(&one, &options).unwrap_err().to_string();
    assert_eq!(error, "1 graphs are too few to train on: at least 2 are needed");
}
