//! What the host enqueues before it waits, and what it reads when it does.

use std::time::Duration;

use super::state::*;
use crate::{
    Error, Result,
    device::{Buffer, Gpu},
};

/// Iterations of a loop between two host synchronisations.
///
/// ```
/// use equipoise_schedule::engine::LoopBatch;
///
/// fn iterations(batches: &[LoopBatch]) -> u32 {
///     batches.iter().map(|batch| batch.iterations).sum()
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopBatch {
    /// The first iteration, counted from 0.
    pub first: u32,
    /// How many there were.
    pub iterations: u32,
    /// The vertices of their frontiers together.
    pub vertices: u32,
    /// The edges that were looked at.
    pub edges: u32,
    /// The vertices of the frontier that they left to the next iteration.
    pub left: u32,
    /// How long they took.
    pub time: Duration,
}

/// How far a loop is, as the host has read.
#[derive(Default)]
pub(super) struct Progress {
    before: [u32; WORDS],
    pub batches: Vec<LoopBatch>,
}

impl Progress {
    /// Reads the state after a batch that took so long. Whether the loop is over.
    ///
    /// Fails where it has not gone on, though some launch does any iteration.
    pub fn see(&mut self, now: &[u32], time: Duration, does_any: bool) -> Result<bool> {
        let before = &mut self.before;
        let iterations = now[ITERATION].wrapping_sub(before[ITERATION]);
        let is_over = now[MODE] == DONE;
        if iterations == 0 && !is_over && does_any {
            return Err(Error::Schedule("a loop does not go on, on the device".into()));
        }
        self.batches.push(LoopBatch {
            first: before[ITERATION],
            iterations,
            vertices: now[ALL_VERTICES].wrapping_sub(before[ALL_VERTICES]),
            edges: now[ALL_EDGES].wrapping_sub(before[ALL_EDGES]),
            left: now[VERTICES],
            time,
        });
        before.copy_from_slice(now);
        Ok(is_over)
    }
}

/// Has a loop run to its end, by launches of an iteration or of narrow ones. What happened, and the
/// number of the next launch.
pub(super) fn run(
    gpu: &Gpu,
    words: &Buffer<u32>,
    first_launch: u32,
    enqueue: impl Fn(u32, Launch) -> Result<()>,
) -> Result<(Vec<LoopBatch>, u32)> {
    let mut progress = Progress::default();
    let mut pace = Pace::new(first_launch);
    loop {
        let start = gpu.stopwatch();
        for (number, launch) in pace.batch() {
            enqueue(number, launch)?;
            if Pace::begins_after(number) {
                gpu.begin()?;
            }
        }
        let words = gpu.download(words)?;
        let now = &words[state_before(pace.launches())];
        if progress.see(now, start.elapsed(), true)? {
            return Ok((progress.batches, pace.launches()));
        }
        pace.see(now);
    }
}

/// A launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// One cube does iterations as long as they are narrow.
    Narrow,
    /// All cubes do one iteration.
    Wide,
}

/// Wide iterations that are enqueued first, and for one narrow launch where most are wide.
const FIRST_ITERATIONS: u32 = 5;
const MOST_WIDE: u32 = 15;
/// The most launches that are enqueued at a time.
const MOST_LAUNCHES: u32 = 64;
/// Launches that are handed to the device at a time.
const LAUNCHES_TO_BEGIN: u32 = 8;

/// How the next launches are chosen: as those before have turned out.
struct Pace {
    launches: u32,
    /// Launches of the next batch.
    size: u32,
    /// Of these, how many wide ones there are for one narrow.
    wide_for_narrow: u32,
    iterations: u32,
    narrow_iterations: u32,
}

impl Pace {
    fn new(launches: u32) -> Self {
        let size = FIRST_ITERATIONS + 1;
        Self {
            launches,
            size,
            wide_for_narrow: FIRST_ITERATIONS,
            iterations: 0,
            narrow_iterations: 0,
        }
    }

    /// The number of the next launch.
    fn launches(&self) -> u32 {
        self.launches
    }

    /// The next launches, with their numbers. The last is narrow: it leaves a state that is not
    /// pending.
    fn batch(&mut self) -> impl Iterator<Item = (u32, Launch)> + use<> {
        let (first, each) = (self.launches, self.wide_for_narrow + 1);
        let rounds = self.size.div_ceil(each);
        self.launches += rounds * each + 1;
        (0..=rounds * each).map(move |index| match index % each {
            0 => (first + index, Launch::Narrow),
            _ => (first + index, Launch::Wide),
        })
    }

    /// Whether the device is to begin after a launch: while it is busy, more are enqueued.
    fn begins_after(number: u32) -> bool {
        number.is_multiple_of(LAUNCHES_TO_BEGIN)
    }

    /// Reads the state after a batch.
    fn see(&mut self, state: &[u32]) {
        let iterations = state[ITERATION].wrapping_sub(self.iterations);
        let narrow = state[NARROW_ITERATIONS].wrapping_sub(self.narrow_iterations);
        (self.iterations, self.narrow_iterations) = (state[ITERATION], state[NARROW_ITERATIONS]);
        self.wide_for_narrow = match iterations - narrow {
            0 => 0,
            wide if wide < narrow => 1,
            wide if wide < 4 * narrow => FIRST_ITERATIONS,
            _ => MOST_WIDE,
        };
        // A search that took long goes on for long.
        self.size = (2 * self.size).min(MOST_LAUNCHES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_ends_narrow_and_numbers_go_on() {
        let mut pace = Pace::new(0);
        let mut expected = 0;
        for (iterations, narrow_iterations) in
            [(6, 1), (500, 495), (1000, 995), (1002, 996), (1009, 997)]
        {
            let batch: Vec<_> = pace.batch().collect();
            for (number, _) in &batch {
                assert_eq!(*number, expected);
                expected += 1;
            }
            assert_eq!(batch.last().unwrap().1, Launch::Narrow);
            assert_eq!(pace.launches(), expected);
            let mut state = [0; WORDS];
            (state[ITERATION], state[NARROW_ITERATIONS]) = (iterations, narrow_iterations);
            pace.see(&state);
        }
    }

    #[test]
    fn searches_of_narrow_iterations_alone_enqueue_no_wide_ones() {
        let mut pace = Pace::new(0);
        let mut state = [0; WORDS];
        (state[ITERATION], state[NARROW_ITERATIONS]) = (200, 200);
        pace.see(&state);
        assert!(pace.batch().all(|(_, launch)| launch == Launch::Narrow));
        (state[ITERATION], state[NARROW_ITERATIONS]) = (210, 205);
        pace.see(&state);
        assert!(pace.batch().any(|(_, launch)| launch == Launch::Wide));
    }
}
