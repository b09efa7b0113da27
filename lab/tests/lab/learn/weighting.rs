//! Weights by lost time improve models.

use equipoise_lab::learn::{LeafRule, Options, Schema, Weighting, fit};

use super::tables::{random, table_of_steps};

/// One feature separates many steps with small losses, the other a few steps with large ones. A tree with one split must
/// choose between them.
#[test]
fn weighted_beats_plain_where_few_steps_cost_much() {
    let table = table_of_steps(Schema::new(&["often", "rare"], &["a", "b"]), 20, 20, |_, step| {
        let (often, rare) = (random(step), random(step + 1_000_000));
        let times = match (rare < 0.1, often < 0.5) {
            (true, _) => [50.0, 1.0],
            (false, true) => [1.0, 1.01],
            (false, false) => [1.01, 1.0],
        };
        (vec![often as f32, rare as f32], times.map(Some).to_vec())
    });
    let with = |weightings: &[Weighting]| {
        let options = Options {
            weightings: weightings.to_vec(),
            time_shares: vec![0.0],
            rules: vec![LeafRule::Majority { margin: 0.0 }],
            depths: vec![1],
            ..Options::new("bfs", "cpu")
        };
        fit(&table, &options).unwrap()
    };
    let average = |weighting| with(&[weighting]).cross_validated;
    let plain = average(Weighting::Equal);
    assert!(plain > 2.0, "a plain tree asks for the wrong feature: {plain}");
    for weighting in [Weighting::LostToSecond, Weighting::LostToMean] {
        let weighted = average(weighting);
        assert!(weighted < 1.05, "{weighting}: {weighted}");
    }
    // By default, training takes the better one.
    let chosen = with(&[Weighting::Equal, Weighting::LostToSecond, Weighting::LostToMean]);
    assert!(chosen.cross_validated < 1.05);
    assert_ne!(chosen.settings.weighting, Weighting::Equal);
}

/// The fastest at most steps of a leaf can be the worst choice for it.
#[test]
fn least_loss_beats_majority_if_losses_are_uneven() {
    let table = table_of_steps(Schema::new(&["nothing"], &["risky", "safe"]), 10, 10, |_, step| {
        let times = if step % 10 == 3 { [90.0, 1.0] } else { [1.0, 1.2] };
        (vec![1.0], times.map(Some).to_vec())
    });
    let average = |rule| {
        let options = Options {
            weightings: vec![Weighting::Equal],
            rules: vec![rule],
            ..Options::new("bfs", "cpu")
        };
        fit(&table, &options).unwrap().cross_validated
    };
    assert!((average(LeafRule::Majority { margin: 0.0 }) - 9.9).abs() < 1e-9);
    assert!((average(LeafRule::LeastLost) - 1.18).abs() < 1e-9);
}

/// Two candidates win equally often at every value of the one feature, but lose unequally.
#[test]
fn splits_by_time_see_what_impurity_does_not() {
    let table = table_of_steps(Schema::new(&["size"], &["a", "b"]), 20, 20, |_, step| {
        let size = random(step);
        let times = match (size < 0.5, step % 2 == 0) {
            (true, true) => [1.0, 9.0],
            (true, false) => [1.1, 1.0],
            (false, true) => [1.0, 1.1],
            (false, false) => [9.0, 1.0],
        };
        (vec![size as f32], times.map(Some).to_vec())
    });
    let average = |time_share: f64| {
        let options = Options {
            weightings: vec![Weighting::Equal],
            time_shares: vec![time_share],
            depths: vec![1],
            ..Options::new("bfs", "cpu")
        };
        fit(&table, &options).unwrap().cross_validated
    };
    assert!(average(0.9) < 1.1, "{}", average(0.9));
    assert!(average(0.0) > 1.5, "{}", average(0.0));
}
