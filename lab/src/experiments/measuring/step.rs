//! Conversion of measured times to a step of a table.

use std::time::Duration;

use crate::learn::Step;

/// A step with these features and these times of its candidates, or reasons why they have none.
pub fn of_times(features: Vec<f32>, times: &[Result<Duration, String>]) -> Step {
    let seconds = times.iter().map(|time| time.as_ref().ok().map(Duration::as_secs_f64));
    let mut reasons: Vec<&str> =
        times.iter().filter_map(|time| Some(time.as_ref().err()?.as_str())).collect();
    reasons.dedup();
    Step::new(features, seconds.collect()).because(reasons.join("; "))
}
