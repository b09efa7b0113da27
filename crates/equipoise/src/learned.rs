//! What policies share that choose from a graph's shape, and the timing of what they choose from.

use std::time::Duration;

use equipoise_schedule::Error as DeviceError;
use equipoise_select::{
    CandidateSet, Chooser, Model,
    features::{GraphShape, NAMES, Step},
};

use crate::{Error, Result, limits::within};

/// A candidate that takes more than so many times the least time is not timed again.
const HOPELESS: u32 = 20;
/// Compiling the kernels of a candidate takes less than this.
const COMPILING: Duration = Duration::from_secs(3);

/// The names of the features of a graph, which are the same at all steps.
pub(crate) fn graph_features() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| is_of_graph(name))
}

/// Their values.
pub(crate) fn graph_values(shape: &GraphShape) -> impl Iterator<Item = f32> {
    let values = NAMES.into_iter().zip(shape.at(&Step::default()));
    values.filter(|(name, _)| is_of_graph(name)).map(|(_, value)| value)
}

/// Whether a feature stays the same at all steps.
pub(crate) fn is_of_graph(name: &str) -> bool {
    !name.starts_with("frontier") && !name.starts_with("discovered")
}

/// A model for an algorithm, with these features and candidates, in their order.
pub(crate) fn align(
    model: &Model,
    algorithm: &str,
    features: &[&str],
    candidates: &[String],
) -> Result<Model> {
    let other = &model.description().algorithm;
    match other == algorithm {
        true => Ok(model.aligned(features, candidates)?),
        false => Err(Error::Option(format!("the model is for `{other}`, not for `{algorithm}`"))),
    }
}

/// Fails where a model is for the cpu and chooses for a GPU, or the other way round.
pub(crate) fn check_device(model: &Model, device: &str) -> Result<()> {
    let of_model = &model.description().device;
    match (of_model == "cpu") == (device == "cpu") {
        true => Ok(()),
        false => Err(Error::Option(format!(
            "the model is for the device `{of_model}`, not for `{device}`"
        ))),
    }
}

/// The candidate that a model chooses of those that fit, if one does.
pub(crate) fn choose(
    model: &Model,
    features: &[f32],
    fits: impl Fn(usize) -> bool,
) -> Result<Option<usize>> {
    let count = model.description().candidates.len();
    let available: CandidateSet = (0..count).filter(|&candidate| fits(candidate)).collect();
    match available.is_empty() {
        true => Ok(None),
        false => Ok(Some(Chooser::new(model, available)?.choose(features).candidate)),
    }
}

/// The median time of several runs, after one that does not count, since kernels may be compiled in
/// it. Where that one takes many times as long as the fastest so far, one more is enough; and none
/// where it takes longer than compiling.
pub(crate) fn median_time(
    mut run: impl FnMut() -> Result<Duration>,
    repeat: u32,
    least: Option<Duration>,
) -> Result<Duration> {
    let first = run()?;
    if least.is_some_and(|least| first > HOPELESS * least) {
        return if first > COMPILING { Ok(first) } else { run() };
    }
    let times = (0..repeat).map(|_| run()).collect::<Result<Vec<Duration>>>()?;
    Ok(median(&times).unwrap_or(first))
}

/// The median of some times; of an even number, the later of the two in the middle.
pub(crate) fn median(times: &[Duration]) -> Option<Duration> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// The least of the times there are.
pub(crate) fn least(times: &[Result<Duration, String>]) -> Option<Duration> {
    times.iter().flatten().min().copied()
}

/// What was done, or why there is no memory for it.
pub(crate) fn unless_too_large<T>(done: Result<T>) -> Result<Result<T, String>> {
    use DeviceError::{BufferTooLarge, OutOfMemory, TooMany};
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Error::Device(
            error @ (OutOfMemory { .. } | BufferTooLarge { .. } | TooMany { .. }),
        )) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

/// The most often that a candidate is timed.
const MOST_REPEATS: u32 = 10_000;

/// Fails where nothing would be timed, or too often.
pub(crate) fn check_measuring(candidates: usize, repeat: u32) -> Result<()> {
    match candidates == 0 {
        true => Err(Error::Option("there are no candidates to measure".into())),
        false => within("repeat", repeat, 1..=MOST_REPEATS),
    }
}

/// The candidate of that name. Fails with the names that there are.
pub(crate) fn named<C: Copy + ToString>(text: &str, known: &[C]) -> Result<C> {
    let named = known.iter().find(|candidate| candidate.to_string() == text);
    named.copied().ok_or_else(|| {
        let names: Vec<String> =
            known.iter().map(|known| format!("`{}`", known.to_string())).collect();
        let names = names.join(", ");
        Error::Option(format!("there is no candidate `{text}`; known are: {names}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_has_the_features_that_stay_the_same() {
        let shape = GraphShape { vertices: 7, edges: 9, ..GraphShape::default() };
        let values: Vec<f32> = graph_values(&shape).collect();
        assert_eq!(values.len(), graph_features().count());
        assert_eq!((values[0], values[1]), (7.0, 9.0));
        assert!(graph_features().any(|name| name == "out_degree_max"));
    }

    #[test]
    fn who_is_hopeless_is_timed_once() {
        let mut runs = 0;
        let run = |seconds| {
            move |runs: &mut u32| {
                *runs += 1;
                Ok(Duration::from_secs(seconds))
            }
        };
        let fast = run(2);
        let time = median_time(|| fast(&mut runs), 3, Some(Duration::from_secs(1))).unwrap();
        assert_eq!((time, runs), (Duration::from_secs(2), 4));
        let slow = run(21);
        median_time(|| slow(&mut runs), 3, Some(Duration::from_secs(1))).unwrap();
        assert_eq!(runs, 5);
        // Perhaps that was compiling.
        let late = run(2);
        median_time(|| late(&mut runs), 3, Some(Duration::from_millis(50))).unwrap();
        assert_eq!(runs, 7);
    }
}
