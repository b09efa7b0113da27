//! Every schedule does right by tile sets of random shapes.

use crate::gpu;
use equipoise_schedule::{
    ScheduleName,
    conformance::{self, ProbeName, SetName},
    plan::ScheduleOptions,
};
use proptest::{
    prelude::*,
    sample,
    test_runner::{Config, TestRunner},
};

/// Runs of empty tiles, of small ones, and here and there a large one.
fn sizes() -> impl Strategy<Value = Vec<u32>> {
    let run = prop_oneof![
        (1usize..80).prop_map(|tiles| vec![0; tiles]),
        prop::collection::vec(0u32..9, 1..80),
        prop::collection::vec(0u32..3, 1..200),
        (1u32..900).prop_map(|atoms| vec![atoms]),
    ];
    prop::collection::vec(run, 0..8).prop_map(|runs| runs.concat())
}

/// The usual settings, and small cubes whose pieces and groups meet the edges of tiles often.
/// They are compiled into kernels, so that there are few.
fn settings(schedule: ScheduleName) -> [ScheduleOptions; 2] {
    let usual = ScheduleOptions::from(schedule);
    let group = if schedule == ScheduleName::GroupMapped { 8 } else { 32 };
    [usual, ScheduleOptions { units: 32, group, items: 3, ..usual }]
}

#[test]
fn schedules_are_right_for_random_shapes() {
    let gpu = gpu();
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let sets = sample::select(vec![SetName::Csr, SetName::Frontier, SetName::Counted]);
    let works = sample::select(vec![ProbeName::SumU32, ProbeName::Scatter, ProbeName::Wide2]);
    let outcome = TestRunner::new(config).run(&(sizes(), sets, works), |(sizes, set, work)| {
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
