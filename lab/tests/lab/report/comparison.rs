//! Two runs compared.

use equipoise_lab::report::{Results, compare, data::ColoringTime};

use super::sample;

fn run(times: &[(&str, f64)]) -> Results {
    let mut results = Results::new("title", "date");
    results.coloring.extend(times.iter().map(|(graph, seconds)| ColoringTime {
        graph: (*graph).into(),
        strategy: "hybrid".into(),
        seconds: *seconds,
        colors: 3,
    }));
    results
}

#[test]
fn a_run_is_as_fast_as_itself() {
    let results = sample::everything();
    let comparison = compare(&results, &results, 0.0);
    assert!(!comparison.has_regression() && comparison.faster.is_empty());
    assert!(comparison.only_old.is_empty() && comparison.only_new.is_empty());
    assert!(comparison.unchanged > 500);
}

#[test]
fn changes_beyond_the_threshold_are_listed_the_worst_first() {
    let old = run(&[("same", 1.0), ("a bit", 1.0), ("slow", 1.0), ("slower", 1.0), ("fast", 1.0)]);
    let new = run(&[("same", 1.0), ("a bit", 1.09), ("slow", 1.2), ("slower", 3.0), ("fast", 0.5)]);
    let comparison = compare(&old, &new, 0.1);
    let names = |changes: &[equipoise_lab::report::Change]| -> Vec<String> {
        changes.iter().map(|change| change.what.clone()).collect()
    };
    assert_eq!(names(&comparison.slower), ["color / slower / hybrid", "color / slow / hybrid"]);
    assert_eq!(names(&comparison.faster), ["color / fast / hybrid"]);
    assert_eq!(comparison.unchanged, 2);
    assert!(comparison.has_regression());
    let text = comparison.to_string();
    assert!(text.starts_with("5 times compared: 2 slower and 1 faster by 10 %\n"), "{text}");
    assert!(
        text.contains("slower 3.00×: color / slower / hybrid (1000.0000 ms, now 3000.0000 ms)")
    );
}

#[test]
fn medians_are_compared() {
    let old = run(&[("g", 1.0), ("g", 1.0), ("g", 1.0)]);
    let one_outlier = run(&[("g", 1.0), ("g", 9.0), ("g", 1.0)]);
    assert!(!compare(&old, &one_outlier, 0.1).has_regression());
    let two = run(&[("g", 9.0), ("g", 9.0), ("g", 1.0)]);
    assert_eq!(compare(&old, &two, 0.1).slower[0].new_seconds, 9.0);
}

#[test]
fn measurements_of_one_run_are_listed_and_no_regression() {
    let comparison = compare(&run(&[("old", 1.0)]), &run(&[("new", 1.0)]), 0.1);
    assert_eq!(comparison.only_old, ["color / old / hybrid"]);
    assert_eq!(comparison.only_new, ["color / new / hybrid"]);
    assert!(!comparison.has_regression());
    assert!(comparison.to_string().contains("only in the later run: color / new / hybrid"));
}

#[test]
fn a_time_after_zero_or_an_invalid_one_is_slower() {
    assert!(compare(&run(&[("g", 0.0)]), &run(&[("g", 1.0)]), 0.1).has_regression());
    assert!(compare(&run(&[("g", 1.0)]), &run(&[("g", f64::NAN)]), 0.1).has_regression());
}
