//! Tables of the tests, and invalid ones.

use equipoise_lab::learn::{Run, Schema, Step, Table};

pub const FAMILIES: [&str; 4] = ["rmat", "er", "grid", "real"];

/// A pseudo-random number in [0, 1), a different one for each seed (SplitMix64).
pub fn random(seed: u64) -> f64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// A table of `graphs` graphs with two runs each. `step` computes features and times from the number of the graph and a seed
/// that is unique to the step.
pub fn table_of_steps(
    schema: Schema,
    graphs: u64,
    steps: u64,
    step: impl Fn(u64, u64) -> (Vec<f32>, Vec<Option<f64>>),
) -> Table {
    let run = |graph: u64, run: u64| {
        let steps = (0..steps).map(|number| {
            let (features, times) = step(graph, (graph * 2 + run) * steps + number);
            Step::new(features, times).because("where a time is missing: out of memory")
        });
        Run {
            graph: format!("graph {graph}"),
            family: FAMILIES[graph as usize % 4].to_owned(),
            id: run.to_string(),
            steps: steps.collect(),
            origin: None,
        }
    };
    let runs = (0..graphs).flat_map(|graph| [run(graph, 0), run(graph, 1)]).collect();
    Table::new(schema, runs).unwrap()
}

/// A run of one graph with these times of two candidates.
pub fn run_of(graph: &str, times: &[[Option<f64>; 2]]) -> Run {
    let step =
        |times: &[Option<f64>; 2]| Step::new(vec![1.0], times.to_vec()).because("it is a test");
    let steps = times.iter().map(step).collect();
    Run { graph: graph.into(), family: "test".into(), id: "0".into(), steps, origin: None }
}

fn refused(runs: Vec<Run>) -> String {
    Table::new(Schema::new(&["f"], &["a", "b"]), runs).unwrap_err().to_string()
}

#[test]
fn tables_that_contradict_themselves() {
    let good = run_of("g", &[[Some(1.0), None]]);
    let changed = |change: fn(&mut Run)| {
        let mut run = good.clone();
        change(&mut run);
        refused(vec![run])
    };
    type Change = fn(&mut Run);
    let cases: [(Change, &str); 12] = [
        (|run| run.steps.clear(), "graph `g`, run `0`: it has no step"),
        (
            |run| run.steps[0].features.clear(),
            "step 0: it has 0 features and 2 times; the table has 1 and 2",
        ),
        (|run| run.steps[0].times.push(None), "it has 1 features and 3 times"),
        (|run| run.steps[0].features[0] = f32::NAN, "the feature `f` is NaN, which is not finite"),
        (|run| run.steps[0].times[0] = Some(0.0), "`a` took 0 s, which is no time"),
        (|run| run.steps[0].times[0] = Some(f64::NAN), "`a` took NaN s, which is no time"),
        (|run| run.steps[0].times[1] = Some(f64::INFINITY), "`b` took inf s, which is no time"),
        (|run| run.steps[0].times[0] = None, "no candidate has a time"),
        (|run| run.steps[0].reason.clear(), "neither a time nor a reason"),
        (|run| run.steps[0].reason = "two\nlines".into(), "is not one line"),
        (|run| run.graph.clear(), "\"\" is no name for a graph"),
        (|run| run.family = "a\nb".into(), "is no name for a family"),
    ];
    for (change, expected) in cases {
        let message = changed(change);
        assert!(message.contains(expected), "expected {expected:?} in {message:?}");
    }
    assert_eq!(refused(vec![good.clone(), good.clone()]), "graph `g` has the run `0` twice");
    let other = Run { family: "other".into(), id: "1".into(), ..good.clone() };
    assert_eq!(refused(vec![good, other]), "graph `g` is of the families `test` and `other`");
    let too_many: Vec<String> = (0..129).map(|number| number.to_string()).collect();
    let message = Table::new(Schema::new(&["f"], &too_many), vec![]).unwrap_err().to_string();
    assert!(message.contains("129 candidates are over the limit of 128"), "{message}");
}
