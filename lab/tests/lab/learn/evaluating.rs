//! Figures computed by hand.

use equipoise_lab::learn::{Schema, Score, Table, evaluate};
use equipoise_select::{Description, Leaf, Model, Node, Split};

use super::tables::run_of;

/// Always `a`, or always `b`.
fn always(candidate: u32) -> Model {
    let description = Description {
        algorithm: "bfs".into(),
        device: "cpu".into(),
        features: vec!["f".into()],
        candidates: vec!["a".into(), "b".into()],
        first: "a".into(),
        ..Description::default()
    };
    let ranking = vec![candidate, 1 - candidate];
    let leaf = Leaf { candidate, share: 1.0, ambiguous: false, samples: 1, ranking };
    Model::new(description, vec![Node::Leaf(leaf)]).unwrap()
}

fn schema() -> Schema {
    Schema::new(&["f"], &["a", "b"])
}

#[test]
fn a_tiny_table_by_hand() {
    let pair = |a: f64, b: f64| [Some(a), Some(b)];
    let runs = vec![
        // Least 2 + 1 = 3. `a` 2 + 4 = 6 (2×), `b` 3 + 1 = 4 (4/3×).
        run_of("one", &[pair(2.0, 3.0), pair(4.0, 1.0)]),
        // Least 1. `a` 1×, `b` 6×.
        run_of("two", &[pair(1.0, 6.0)]),
        // Least 2. `a` 30 (15×), `b` 2 (1×).
        run_of("three", &[pair(10.0, 1.0), pair(20.0, 1.0)]),
        // Least 1 + 2 = 3: `b` cannot run at the second step. `a` 24 + 2 = 26 (8 2/3×).
        run_of("four", &[pair(24.0, 1.0), [Some(2.0), None]]),
        // Least 1. `a` 30×, `b` 1×.
        run_of("five", &[pair(30.0, 1.0)]),
    ];
    let table = Table::new(schema(), runs).unwrap();
    let evaluation = evaluate(&always(1), &table).unwrap();
    let third = 1.0 / 3.0;
    let close = |score: &Score, expected: Score| {
        let figures = |score: &Score| {
            [
                score.optimal,
                score.within_two,
                score.over_five,
                score.over_twenty,
                score.average,
                score.worst,
            ]
        };
        assert_eq!(
            (&score.name, score.runs, score.not_runnable),
            (&expected.name, expected.runs, expected.not_runnable)
        );
        for (figure, wanted) in figures(score).into_iter().zip(figures(&expected)) {
            assert!((figure - wanted).abs() < 1e-12, "{score:?} is not {expected:?}");
        }
    };
    close(
        &evaluation.single[0],
        Score {
            name: "a".into(),
            runs: 5,
            not_runnable: 0,
            optimal: 0.2,
            within_two: 0.2,
            over_five: 0.6,
            over_twenty: 0.2,
            average: (2.0 + 1.0 + 15.0 + 26.0 * third + 30.0) / 5.0,
            worst: 30.0,
        },
    );
    close(
        &evaluation.single[1],
        Score {
            name: "b".into(),
            runs: 4,
            not_runnable: 1,
            optimal: 0.5,
            within_two: 0.25,
            over_five: 0.25,
            over_twenty: 0.0,
            average: (4.0 * third + 6.0 + 1.0 + 1.0) / 4.0,
            worst: 6.0,
        },
    );
    // The better candidate of each run among those that can do all of it: 4/3, 1, 1, 26/3, 1.
    close(
        &evaluation.oracle,
        Score {
            name: "oracle".into(),
            runs: 5,
            not_runnable: 0,
            optimal: 0.6,
            within_two: 0.2,
            over_five: 0.2,
            over_twenty: 0.0,
            average: (4.0 * third + 1.0 + 1.0 + 26.0 * third + 1.0) / 5.0,
            worst: 26.0 * third,
        },
    );
    // The model chooses `b`, and `a` if `b` cannot run: 4/3, 6, 1, 1, 1.
    close(
        &evaluation.predicted,
        Score {
            name: "predicted".into(),
            runs: 5,
            not_runnable: 0,
            optimal: 0.6,
            within_two: 0.2,
            over_five: 0.2,
            over_twenty: 0.0,
            average: (4.0 * third + 6.0 + 1.0 + 1.0 + 1.0) / 5.0,
            worst: 6.0,
        },
    );
    assert_eq!(evaluation.steps, 8);
    // Wrong at the first step of `one` and at `two`.
    assert_eq!(evaluation.accuracy, 6.0 / 8.0);
    assert_eq!(evaluation.accuracy_with_ties, 6.0 / 8.0);
    assert_eq!(evaluation.step_average, (1.5 + 1.0 + 6.0 + 5.0) / 8.0);
    assert_eq!(evaluation.best_single().unwrap().name, "a");
}

#[test]
fn ties_are_within_five_percent() {
    let pair = |a: f64, b: f64| [Some(a), Some(b)];
    let run = run_of("g", &[pair(1.0, 1.05), pair(1.0, 1.06), pair(1.0, 1.0), pair(2.0, 1.0)]);
    let evaluation = evaluate(&always(1), &Table::new(schema(), vec![run]).unwrap()).unwrap();
    assert_eq!((evaluation.accuracy, evaluation.accuracy_with_ties), (0.5, 0.75));
}

#[test]
fn a_run_that_no_candidate_can_do_alone_has_no_oracle() {
    let run = run_of("g", &[[Some(1.0), None], [None, Some(1.0)]]);
    let evaluation = evaluate(&always(0), &Table::new(schema(), vec![run]).unwrap()).unwrap();
    assert_eq!(evaluation.predicted.optimal, 1.0);
    assert_eq!((evaluation.oracle.runs, evaluation.oracle.not_runnable), (0, 1));
    assert!(evaluation.oracle.average.is_nan() && evaluation.oracle.worst.is_nan());
    assert_eq!(evaluation.oracle.optimal, 0.0);
}

#[test]
fn an_ambiguous_step_keeps_the_previous_candidate() {
    // f ≤ 1: `b`. f > 1: not clear, and `a` by name.
    let model = {
        let mut nodes = always(0).nodes().to_vec();
        nodes.insert(0, Node::Split(Split { feature: 0, threshold: 1.0, left: 1, right: 2 }));
        nodes.insert(1, always(1).nodes()[0].clone());
        if let Node::Leaf(leaf) = &mut nodes[2] {
            leaf.ambiguous = true;
        }
        Model::new(always(0).description().clone(), nodes).unwrap()
    };
    let mut run = run_of("g", &[[Some(5.0), Some(1.0)]; 3]);
    run.steps[0].features = vec![2.0];
    run.steps[2].features = vec![2.0];
    let evaluation = evaluate(&model, &Table::new(schema(), vec![run]).unwrap()).unwrap();
    // First `a`, the initial candidate of the model; then `b`; then `b` again, because the step is ambiguous.
    assert_eq!(evaluation.predicted.average, 7.0 / 3.0);
}

#[test]
fn models_that_do_not_fit_the_table() {
    let table = |features: &[&str], candidates: &[&str]| {
        let mut run = run_of("g", &[[Some(1.0), Some(1.0)]]);
        run.steps[0].times.truncate(candidates.len());
        Table::new(Schema::new(features, candidates), vec![run]).unwrap()
    };
    let message = |table: &Table| evaluate(&always(0), table).unwrap_err().to_string();
    let no_feature = message(&table(&["g"], &["a", "b"]));
    assert!(no_feature.starts_with("the model uses the feature `f`"), "{no_feature}");
    let no_candidate = message(&table(&["f"], &["a"]));
    assert!(no_candidate.starts_with("the model uses the candidate `b`"), "{no_candidate}");
    let empty = message(&Table::new(schema(), vec![]).unwrap());
    assert!(empty.starts_with("0 graphs are too few to evaluate a model on"), "{empty}");
}
