//! A barrier of all cubes of a launch.
//!
//! Only here do cubes wait for each other. All of them must be resident at the same time, which is not guaranteed: if a
//! wait times out, the cube gives up, and all others with it.

use cubecl::prelude::*;

use crate::atomics::*;

/// The words in which a barrier counts arrivals: one in a launch, the other in the next.
const ARRIVED: usize = 0;
/// Which of the two words the next launch uses.
const TURN: usize = 2;
/// The outcome of the launches so far. It only increases: a launch after one that gave up changes nothing.
const STATUS: usize = 3;
/// The words of a barrier: a cache line of its own.
pub(super) const BARRIER_WORDS: usize = 32;

/// A cube that gives up adds this to the arrivals.
const GIVEN_UP: u32 = 1 << 31;
/// The most cubes of a launch, and the most barriers.
pub(super) const MOST_CUBES: u32 = 1 << 14;
pub(super) const MOST_BARRIERS: u32 = (1 << 16) + 2;
const _: () = assert!(MOST_CUBES as u64 * (MOST_BARRIERS as u64) < GIVEN_UP as u64);

/// Polls until a cube gives up at the first barrier of a launch: about 50 ms. Cubes that pass it stay resident until
/// the launch ends.
pub(super) const FIRST_LOOKS: u32 = 1 << 16;
/// Polls until a cube gives up at any other barrier: seconds.
const LOOKS: u32 = 1 << 23;

/// The values of [`STATUS`].
const COMPLETE: u32 = 0;
const NOT_STARTED: u32 = 1;
const HALFWAY: u32 = 2;

/// The outcome of launches in which cubes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All cubes were resident.
    Complete,
    /// Not all cubes were resident at once: a launch did nothing.
    NotStarted,
    /// Some stopped halfway.
    GivenUp,
}

/// The outcome of the launches since the words were 0, from the words of their barrier.
pub(super) fn outcome(words: &[u32]) -> Outcome {
    match words[STATUS] {
        COMPLETE => Outcome::Complete,
        NOT_STARTED => Outcome::NotStarted,
        _ => Outcome::GivenUp,
    }
}

/// A barrier of all cubes, in words of a loop from `start` on.
#[derive(CubeType)]
pub struct Barrier {
    start: u32,
    /// The word that counts arrivals.
    turn: u32,
    /// The count once all cubes have arrived.
    target: u32,
    /// Whether the device needs a fence, as CUDA does.
    #[cube(comptime)]
    fences: bool,
}

#[cube]
impl Barrier {
    /// The barrier of a launch. All cubes create it before they arrive.
    pub(super) fn new(words: &AtomicArray, start: u32, #[comptime] fences: bool) -> Barrier {
        Barrier {
            start,
            turn: words.get(start + comptime!(TURN as u32)),
            target: 0u32.runtime(),
            fences,
        }
    }

    /// Waits until all cubes are resident, and returns whether they are. After `looks` polls all of them give up; at
    /// once if an earlier launch did. All units of a cube call it together.
    pub(super) fn start(&mut self, words: &mut AtomicArray, looks: u32) -> bool {
        let is_complete = self.wait_for(words, looks, NOT_STARTED);
        // All cubes have read the turn, and none polls the word of the previous launch any more.
        if is_complete && ABSOLUTE_POS == 0 {
            words.set(self.start + comptime!(ARRIVED as u32) + 1 - self.turn, 0u32);
            words.set(self.start + comptime!(TURN as u32), 1 - self.turn);
        }
        is_complete
    }

    /// Waits until all cubes arrive, so that each sees the writes of all. Returns whether they did: if the device keeps
    /// some from running, all give up. All units of a cube call it together.
    pub(super) fn wait(&mut self, words: &mut AtomicArray) -> bool {
        self.wait_for(words, LOOKS, HALFWAY)
    }

    fn wait_for(&mut self, words: &mut AtomicArray, looks: u32, #[comptime] failure: u32) -> bool {
        let mut is_complete = SharedMemory::<u32>::new(1usize);
        self.target += CUBE_COUNT as u32;
        sync_cube();
        sync_storage();
        if UNIT_POS == 0 {
            device_fence(self.fences);
            let status = self.start + comptime!(STATUS as u32);
            let mut may_resume = true;
            if comptime!(failure == NOT_STARTED) {
                // No launch resumes after one that gave up.
                may_resume = words.get(status) == COMPLETE;
            }
            let mut have_all_arrived = false;
            if may_resume {
                have_all_arrived = self.arrive(words, looks);
            }
            if !have_all_arrived {
                words.fetch_max(status, failure.runtime());
            }
            is_complete[0] = u32::cast_from(have_all_arrived);
            device_fence(self.fences);
        }
        sync_cube();
        sync_storage();
        is_complete[0] == 1
    }

    /// Arrives, and polls until all have. One unit of a cube calls it.
    ///
    /// A cube that gives up changes the count so that no later cube sees all arrive; if another arrives at that moment,
    /// the exchange fails and it polls again.
    fn arrive(&self, words: &mut AtomicArray, looks: u32) -> bool {
        let word = self.start + comptime!(ARRIVED as u32) + self.turn;
        let mut arrived = words.fetch_add(word, 1u32) + 1;
        let mut left = looks;
        while arrived < self.target {
            if left > 0 {
                arrived = words.fetch_add(word, 0u32);
                left -= 1;
            } else {
                let with = arrived + GIVEN_UP;
                let before = words.compare_exchange_weak(word, arrived, with);
                if before == arrived {
                    arrived = with;
                } else {
                    arrived = before;
                }
            }
        }
        arrived < GIVEN_UP
    }
}

/// Makes earlier writes visible to other cubes, and theirs to this one.
///
/// CubeCL exposes no device-scope fence. It emits a multi-line comment verbatim between `/*` and `*/`, so that the text
/// can close the comment and open another after the fence.
#[cube]
fn device_fence(#[comptime] fences: bool) {
    if comptime!(fences) {
        comment!("\n*/ asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\"); /*");
    }
}

#[cfg(test)]
#[cfg(feature = "wgpu")]
mod tests {
    use super::*;
    use crate::device::{Buffer, Device, Gpu, GpuRuntime, OpenDevice};

    /// Waits `waits` times, and counts itself if it could start.
    #[cube(launch_unchecked)]
    fn meet(words: &mut AtomicArray, started: &mut Array<u32>, waits: u32, looks: u32) {
        let mut barrier = Barrier::new(words, 0u32, false);
        let is_started = barrier.start(words, looks);
        if is_started {
            for _wait in 0..waits {
                barrier.wait(words);
            }
            if ABSOLUTE_POS == 0 {
                started[0] += 1u32;
            }
        }
    }

    struct Meeting {
        gpu: Gpu,
        words: Buffer<u32>,
        started: Buffer<u32>,
    }

    impl Meeting {
        fn new(words: [u32; BARRIER_WORDS]) -> Self {
            let Ok(OpenDevice::Gpu(gpu)) = Device::Wgpu(0).open() else {
                panic!("this test needs a Vulkan device: mesa-vulkan-drivers has one in software")
            };
            let (words, started) = (gpu.upload(&words).unwrap(), gpu.upload(&[0]).unwrap());
            Self { gpu, words, started }
        }

        fn launch(&self, cubes: u32) {
            let words = AtomicArray::bind(&self.gpu, &self.words);
            // SAFETY: the barrier has all its words, and `started` has one element.
            unsafe {
                let (client, started) = (self.gpu.client(), self.started.arg());
                let (cubes, units) = (self.gpu.cubes(cubes.into()), CubeDim::new_1d(8));
                meet::launch_unchecked::<GpuRuntime>(client, cubes, units, words, started, 100, 0);
            }
        }

        /// The outcome, the words, and the number of launches that could start.
        fn outcome(&self) -> (Outcome, Vec<u32>, u32) {
            let words = self.gpu.download(&self.words).unwrap();
            (outcome(&words), words, self.gpu.download(&self.started).unwrap()[0])
        }
    }

    #[test]
    fn each_launch_counts_from_zero() {
        let meeting = Meeting::new([0; BARRIER_WORDS]);
        (0..51).for_each(|_| meeting.launch(1));
        let (outcome, words, started) = meeting.outcome();
        assert_eq!((outcome, started), (Outcome::Complete, 51));
        // The other word is that of the next launch.
        assert_eq!((words[ARRIVED], words[ARRIVED + 1], words[TURN]), (101, 0, 1));
    }

    #[test]
    fn no_launch_starts_after_one_that_gave_up() {
        let meeting = Meeting::new([0; BARRIER_WORDS]);
        meeting.launch(1);
        // Some arrive before the others, and do not wait.
        meeting.launch(64);
        assert_eq!(meeting.outcome().0, Outcome::NotStarted);
        meeting.launch(1);
        let (outcome, _, started) = meeting.outcome();
        assert_eq!((outcome, started), (Outcome::NotStarted, 1));

        let mut words = [0; BARRIER_WORDS];
        (words[ARRIVED], words[STATUS]) = (GIVEN_UP + 7, HALFWAY);
        let meeting = Meeting::new(words);
        for cubes in [1, 64, 1] {
            meeting.launch(cubes);
            let (outcome, _, started) = meeting.outcome();
            assert_eq!((outcome, started), (Outcome::GivenUp, 0));
        }
    }
}
