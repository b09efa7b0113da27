//! Decides how many launches the host enqueues before it waits, and reads the state of a loop.

use std::time::Duration;

use super::state::HostState;
use crate::{
    Error, Result,
    device::{Buffer, Gpu},
};

/// How a device loop runs.
///
/// ```
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::LoopMode};
///
/// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
///     let at_once = matches!(LoopMode::best_for(&gpu), LoopMode::OneLaunch { .. });
///     assert_eq!(at_once, gpu.is_cuda());
/// }
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// In launches of one iteration, or of several narrow ones.
    Launches,
    /// In one launch, in which cubes wait for each other after each iteration. If they are not all resident at once,
    /// nothing is done, and the loop runs in launches.
    OneLaunch {
        /// The number of cubes.
        cubes: u32,
    },
}

impl LoopMode {
    /// The best mode of a GPU: on CUDA, where cubes can wait for each other, one launch with one cube per
    /// multiprocessor.
    pub fn best_for(gpu: &Gpu) -> Self {
        match gpu.properties().multiprocessors {
            Some(cubes) if gpu.is_cuda() && cubes > 0 => Self::OneLaunch { cubes },
            _ => Self::Launches,
        }
    }
}

/// Iterations of a loop between two host synchronisations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopBatch {
    /// The first iteration, from 0.
    pub first: u32,
    /// The number of iterations.
    pub iterations: u32,
    /// The sum of the vertices of their frontiers.
    pub vertices: u32,
    /// The edges examined.
    pub edges: u32,
    /// The vertices of the next frontier.
    pub left: u32,
    /// Their duration.
    pub time: Duration,
}

/// The progress of a loop, as read by the host.
#[derive(Default)]
pub(super) struct Progress {
    before: HostState,
    pub batches: Vec<LoopBatch>,
}

impl Progress {
    /// Records the state after a batch. Returns whether the loop is over.
    ///
    /// Fails if nothing happened although a launch `does_any` iteration.
    pub fn see(&mut self, state: HostState, time: Duration, does_any: bool) -> Result<bool> {
        let before = std::mem::replace(&mut self.before, state);
        let iterations = state.iteration.wrapping_sub(before.iteration);
        if iterations == 0 && !state.is_over && does_any {
            return Err(Error::Schedule("a loop does not go on, on the device".into()));
        }
        self.batches.push(LoopBatch {
            first: before.iteration,
            iterations,
            vertices: state.all_vertices.wrapping_sub(before.all_vertices),
            edges: state.all_edges.wrapping_sub(before.all_edges),
            left: state.vertices,
            time,
        });
        Ok(state.is_over)
    }
}

/// Runs a loop to its end, by launches of one iteration or of narrow ones. Returns its batches, and the number of the
/// next launch.
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
        let state = HostState::before(pace.launches(), &words);
        if progress.see(state, start.elapsed(), true)? {
            return Ok((progress.batches, pace.launches()));
        }
        pace.see(state);
    }
}

/// The kind of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// One cube runs iterations while they are narrow.
    Narrow,
    /// All cubes run one iteration.
    Wide,
}

/// Wide iterations per narrow launch: at first, and at most.
const FIRST_ITERATIONS: u32 = 5;
const MOST_WIDE: u32 = 15;
/// The most launches per batch.
const MOST_LAUNCHES: u32 = 64;
/// Launches between submissions to the device.
const LAUNCHES_TO_BEGIN: u32 = 8;

/// Chooses the next launches by the previous ones.
struct Pace {
    launches: u32,
    /// Launches of the next batch.
    size: u32,
    /// Wide launches per narrow one.
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

    /// The next launches, with their numbers. The last is narrow, so that its state is not pending.
    fn batch(&mut self) -> impl Iterator<Item = (u32, Launch)> + use<> {
        let (first, each) = (self.launches, self.wide_for_narrow + 1);
        let rounds = self.size.div_ceil(each);
        self.launches += rounds * each + 1;
        (0..=rounds * each).map(move |index| match index % each {
            0 => (first + index, Launch::Narrow),
            _ => (first + index, Launch::Wide),
        })
    }

    /// Whether launches are submitted after this one: while the device is busy, more are enqueued.
    fn begins_after(number: u32) -> bool {
        number.is_multiple_of(LAUNCHES_TO_BEGIN)
    }

    /// Reads the state after a batch.
    fn see(&mut self, state: HostState) {
        let iterations = state.iteration.wrapping_sub(self.iterations);
        let narrow = state.narrow_iterations.wrapping_sub(self.narrow_iterations);
        (self.iterations, self.narrow_iterations) = (state.iteration, state.narrow_iterations);
        self.wide_for_narrow = match iterations - narrow {
            0 => 0,
            wide if wide < narrow => 1,
            wide if wide < 4 * narrow => FIRST_ITERATIONS,
            _ => MOST_WIDE,
        };
        // A long search is likely to continue.
        self.size = (2 * self.size).min(MOST_LAUNCHES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_end_narrow_and_numbers_continue() {
        let mut pace = Pace::new(0);
        let mut expected = 0;
        for (iteration, narrow_iterations) in
            [(6, 1), (500, 495), (1000, 995), (1002, 996), (1009, 997)]
        {
            let batch: Vec<_> = pace.batch().collect();
            for (number, _) in &batch {
                assert_eq!(*number, expected);
                expected += 1;
            }
            assert_eq!(batch.last().unwrap().1, Launch::Narrow);
            assert_eq!(pace.launches(), expected);
            pace.see(HostState { iteration, narrow_iterations, ..HostState::default() });
        }
    }

    #[test]
    fn narrow_searches_enqueue_no_wide_launches() {
        let mut pace = Pace::new(0);
        let state = |iteration, narrow_iterations| HostState {
            iteration,
            narrow_iterations,
            ..HostState::default()
        };
        pace.see(state(200, 200));
        assert!(pace.batch().all(|(_, launch)| launch == Launch::Narrow));
        pace.see(state(210, 205));
        assert!(pace.batch().any(|(_, launch)| launch == Launch::Wide));
    }
}
