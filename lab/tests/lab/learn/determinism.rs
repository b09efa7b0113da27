//! A seed determines the result on any number of threads.

use equipoise_lab::learn::{Options, Schema, Table, train};

use super::tables::{random, table_of_steps};

/// Redundant features and almost equal times: many equally good splits.
fn full_of_ties() -> Table {
    let candidates: Vec<String> = (0..6).map(|number| format!("s{number}")).collect();
    table_of_steps(Schema::new(&["a", "a²", "10 b", "b"], &candidates), 30, 10, |_, step| {
        let (a, b) = (random(step), random(step + 1_000_000));
        let best = ((3.0 * a + 2.0 * b + random(step + 2_000_000)) as usize) % 6;
        let time = |candidate: usize| {
            1.0 + 0.1 * random(step * 6 + candidate as u64)
                - f64::from(u8::from(candidate == best)) * 0.2
        };
        let features = [a, a * a, 10.0 * b, b].map(|value| value as f32);
        (features.to_vec(), (0..6).map(|candidate| Some(time(candidate))).collect())
    })
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let table = full_of_ties();
    let options = Options::new("bfs", "cpu");
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&table, &options)).unwrap()
    };
    let first = on(1);
    assert_eq!(on(1), first);
    assert_eq!(on(4), first);
    assert_eq!(on(4).fit.model.to_json(), first.fit.model.to_json());
    let other = train(&table, &Options { seed: 7, ..options }).unwrap();
    assert_ne!(other.split, first.split);
}
