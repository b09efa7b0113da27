//! Every schedule on tile sets of random shapes.

use crate::gpu;
use equipoise_conformance::{self as conformance, ProbeName, SetName};
use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};
use proptest::{
    prelude::*,
    sample,
    test_runner::{Config, TestRunner},
};

/// Runs of empty tiles and of small ones, and some large tiles.
fn sizes() -> impl Strategy<Value = Vec<u32>> {
    let run = prop_oneof![
        (1usize..80).prop_map(|tiles| vec![0; tiles]),
        prop::collection::vec(0u32..9, 1..80),
        prop::collection::vec(0u32..3, 1..200),
        (1u32..900).prop_map(|atoms| vec![atoms]),
    ];
    prop::collection::vec(run, 0..8).prop_map(|runs| runs.concat())
}

/// The default settings, and small cubes whose pieces and groups often cross the ends of tiles. Few, because each is
/// compiled into kernels.
fn settings(schedule: ScheduleName) -> [ScheduleOptions; 2] {
    let usual = ScheduleOptions::from(schedule);
    let group = if schedule == ScheduleName::GroupMapped { 8 } else { 32 };
    [usual, ScheduleOptions { units: 32, group, items: 3, ..usual }]
}

/// Three tests rather than one: each compiles hundreds of kernels, on a thread of its own.
fn check_random_shapes(set: SetName) {
    let gpu = gpu();
    let config = Config { cases: 8, failure_persistence: None, ..Config::default() };
    let works = sample::select(vec![ProbeName::SumU32, ProbeName::Scatter, ProbeName::Wide2]);
    let outcome = TestRunner::new(config).run(&(sizes(), works), |(sizes, work)| {
        for &schedule in ScheduleName::ALL {
            for options in settings(schedule) {
                let verdict = conformance::check(&gpu, options, set, work, &sizes);
                prop_assert_eq!(verdict, Ok(()), "{} on {} with {}", schedule, set, work);
            }
        }
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn schedules_are_right_for_random_rows() {
    check_random_shapes(SetName::Csr);
}

#[test]
fn schedules_are_right_for_random_frontiers() {
    check_random_shapes(SetName::Frontier);
}

#[test]
fn schedules_are_right_for_random_counts() {
    check_random_shapes(SetName::Counted);
}
