//! Forests and boosted trees learn what a tree cannot, the same every time.

use equipoise_lab::learn::{
    EnsembleSizes, Evaluation, HoldOut, Options, Predictor, Schema, Table, compare_ensembles, train,
};

use super::tables::{made, random};

const SIZES: EnsembleSizes = EnsembleSizes { trees: 40, rounds: 40, depth: 4, rate: 0.2 };

/// Which of two is twice as fast is on which side of a slanted line a step is, which a tree
/// approximates by stairs; the third is the slowest, and the fastest never.
fn slanted() -> Table {
    made(Schema::new(&["x", "y"], &["a", "b", "c"]), 40, 10, |_, step| {
        let (x, y) = (random(step), random(step + 1_000_000));
        let times = if x < y { [1.0, 2.0, 3.0] } else { [2.0, 1.0, 3.0] };
        (vec![x as f32, y as f32], times.map(Some).to_vec())
    })
}

fn compared(table: &Table, options: &Options) -> Vec<Predictor> {
    let training = train(table, options).unwrap();
    compare_ensembles(table, options, &training, SIZES).unwrap()
}

#[test]
fn many_trees_know_a_slanted_line_better_than_stairs() {
    for hold_out in [HoldOut::Graphs, HoldOut::Steps] {
        let options = Options { hold_out, depths: vec![4], ..Options::new("bfs", "cpu") };
        let predictors = compared(&slanted(), &options);
        let names: Vec<&str> = predictors.iter().map(|it| it.name).collect();
        assert_eq!(names, ["tree", "forest", "boosted"]);
        let accuracy = |at: usize| predictors[at].held_out.accuracy;
        assert!(accuracy(1) > 0.93 && accuracy(2) > 0.93, "{} {}", accuracy(1), accuracy(2));
        assert!(accuracy(1) >= accuracy(0) && accuracy(2) >= accuracy(0), "{hold_out:?}");
        // One tree asks at most four questions; the others ask in each of theirs.
        assert!(predictors[0].questions <= 4.0);
        assert_eq!((predictors[1].trees, predictors[2].trees), (40, 120));
        assert!(predictors[1].questions > 40.0 && predictors[2].questions > 40.0);
        assert!(predictors.iter().all(|it| !it.time.is_zero()));
    }
}

#[test]
fn the_same_seed_gives_the_same_trees() {
    let judged = |seed| -> Vec<Evaluation> {
        let options = Options { seed, ..Options::new("bfs", "cpu") };
        compared(&slanted(), &options).into_iter().map(|it| it.held_out).collect()
    };
    assert_eq!(judged(1), judged(1));
    assert_ne!(judged(1), judged(2));
}

#[test]
fn candidates_that_cannot_run_or_are_not_asked_for_are_not_chosen() {
    let schema = Schema::new(&["x"], &["c", "a", "b"]);
    let table = made(schema, 20, 5, |graph, step| {
        let x = random(step);
        let (a, b) = if x < 0.5 { (1.0, 2.0) } else { (2.0, 1.0) };
        let b = (graph % 5 != 0).then_some(b);
        (vec![x as f32], vec![Some(0.5), Some(a), b])
    });
    let candidates = Some(vec!["a".to_owned(), "b".to_owned()]);
    let options = Options { candidates, ..Options::new("bfs", "cpu") };
    for predictor in compared(&table, &options) {
        // Of all three `c` is the fastest everywhere.
        assert_eq!(predictor.held_out.accuracy, 0.0, "{}", predictor.name);
        assert_eq!(predictor.held_out.predicted.not_runnable, 0);
        assert!(predictor.held_out.predicted.average < 3.0, "{}", predictor.name);
    }
}
