//! Forests and boosted trees learn what a tree cannot, the same every time.

use equipoise_lab::learn::{
    EnsembleSizes, Evaluation, HoldOut, Options, Predictor, Schema, Table, compare_ensembles, train,
};

use super::tables::{random, table_of_steps};

const SIZES: EnsembleSizes = EnsembleSizes { trees: 40, rounds: 40, depth: 4, rate: 0.2 };

/// The side of a slanted line determines the faster of two candidates; a tree approximates the line by stairs. The third
/// candidate is always the slowest.
fn slanted() -> Table {
    table_of_steps(Schema::new(&["x", "y"], &["a", "b", "c"]), 40, 10, |_, step| {
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
fn many_trees_approximate_a_slanted_line_better_than_one() {
    for hold_out in [HoldOut::Graphs, HoldOut::Steps] {
        let options = Options { hold_out, depths: vec![4], ..Options::new("bfs", "cpu") };
        let predictors = compared(&slanted(), &options);
        let names: Vec<&str> = predictors.iter().map(|it| it.name).collect();
        assert_eq!(names, ["tree", "forest", "boosted"]);
        let accuracy = |at: usize| predictors[at].held_out.accuracy;
        assert!(accuracy(1) > 0.93 && accuracy(2) > 0.93, "{} {}", accuracy(1), accuracy(2));
        assert!(accuracy(1) >= accuracy(0) && accuracy(2) >= accuracy(0), "{hold_out:?}");
        // One tree has a depth of at most four; the others have many trees.
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
fn candidates_that_cannot_run_or_are_excluded_are_not_chosen() {
    let schema = Schema::new(&["x"], &["c", "a", "b"]);
    let table = table_of_steps(schema, 20, 5, |graph, step| {
        let x = random(step);
        let (a, b) = if x < 0.5 { (1.0, 2.0) } else { (2.0, 1.0) };
        let b = (graph % 5 != 0).then_some(b);
        (vec![x as f32], vec![Some(0.5), Some(a), b])
    });
    let candidates = Some(vec!["a".to_owned(), "b".to_owned()]);
    let options = Options { candidates, ..Options::new("bfs", "cpu") };
    for predictor in compared(&table, &options) {
        // Among all three, `c` is the fastest.
        assert_eq!(predictor.held_out.accuracy, 0.0, "{}", predictor.name);
        assert_eq!(predictor.held_out.predicted.not_runnable, 0);
        assert!(predictor.held_out.predicted.average < 3.0, "{}", predictor.name);
    }
}
