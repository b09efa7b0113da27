//! What the host enqueues before it looks, and what it notes when it does.

use equipoise_schedule::device::{Buffer, Gpu};

use super::state::*;
use crate::{Error, Result, Step, Trace};

/// Has a search run to its end. `found` tells how many vertices were found between two states.
pub(crate) fn run(
    gpu: &Gpu,
    words: &Buffer<u32>,
    strategy: &'static str,
    enqueue: impl Fn(u32, Launch) -> Result<()>,
    found: impl Fn(&[u32], &[u32]) -> u32,
) -> Result<Trace> {
    let mut trace = Trace::default();
    let mut before = [0; WORDS];
    let mut pace = Pace::new();
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
        let turns = now[TURN].wrapping_sub(before[TURN]);
        if turns == 0 && now[MODE] != DONE {
            return Err(Error::Wrong("a search does not go on, on the device".into()));
        }
        trace.steps.push(Step {
            frontier: now[ALL_VERTICES].wrapping_sub(before[ALL_VERTICES]).into(),
            edges: now[ALL_EDGES].wrapping_sub(before[ALL_EDGES]).into(),
            found: found(&before, now).into(),
            sub_steps: turns,
            time: start.elapsed(),
            ..Step::new(before[TURN], strategy)
        });
        if now[MODE] == DONE {
            return Ok(trace);
        }
        pace.see(now);
        before.copy_from_slice(now);
    }
}

/// A launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Launch {
    /// One cube does turns as long as they are narrow.
    Narrow,
    /// All cubes do one turn.
    Wide,
}

/// Wide turns that are enqueued first, and for one narrow launch where most are wide.
const FIRST_TURNS: u32 = 5;
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
    turns: u32,
    narrow_turns: u32,
}

impl Pace {
    fn new() -> Self {
        let size = FIRST_TURNS + 1;
        Self { launches: 0, size, wide_for_narrow: FIRST_TURNS, turns: 0, narrow_turns: 0 }
    }

    /// How many launches there were.
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

    /// Takes note of the state after a batch.
    fn see(&mut self, state: &[u32]) {
        let turns = state[TURN].wrapping_sub(self.turns);
        let narrow = state[NARROW_TURNS].wrapping_sub(self.narrow_turns);
        (self.turns, self.narrow_turns) = (state[TURN], state[NARROW_TURNS]);
        self.wide_for_narrow = match turns - narrow {
            0 => 0,
            wide if wide < narrow => 1,
            wide if wide < 4 * narrow => FIRST_TURNS,
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
        let mut pace = Pace::new();
        let mut expected = 0;
        for (turns, narrow_turns) in [(6, 1), (500, 495), (1000, 995), (1002, 996), (1009, 997)] {
            let batch: Vec<_> = pace.batch().collect();
            for (number, _) in &batch {
                assert_eq!(*number, expected);
                expected += 1;
            }
            assert_eq!(batch.last().unwrap().1, Launch::Narrow);
            assert_eq!(pace.launches(), expected);
            let mut state = [0; WORDS];
            (state[TURN], state[NARROW_TURNS]) = (turns, narrow_turns);
            pace.see(&state);
        }
    }

    #[test]
    fn searches_of_narrow_turns_alone_enqueue_no_wide_ones() {
        let mut pace = Pace::new();
        let mut state = [0; WORDS];
        (state[TURN], state[NARROW_TURNS]) = (200, 200);
        pace.see(&state);
        assert!(pace.batch().all(|(_, launch)| launch == Launch::Narrow));
        (state[TURN], state[NARROW_TURNS]) = (210, 205);
        pace.see(&state);
        assert!(pace.batch().any(|(_, launch)| launch == Launch::Wide));
    }
}
