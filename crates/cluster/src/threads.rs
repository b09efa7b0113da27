//! Ranks as threads of one process, for tests without MPI.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::{
    Comm, Reduction,
    rounds::{Rounds, all_gather_in_rounds, all_to_all_in_rounds},
};

/// Runs `work` on one thread per rank. Returns the results in the order of ranks.
///
/// Messages are split into rounds of at most `round_limit` bytes. Each thread has a pool of its own with one thread.
///
/// Panics if a rank does; the others end when they next wait for it.
///
/// ```
/// use equipoise_cluster::{Comm, run_threads};
///
/// let heard = run_threads(2, 7, |comm| comm.all_gather(format!("from {}", comm.rank()).as_bytes()));
/// assert_eq!(heard[1], [b"from 0", b"from 1"]);
/// ```
pub fn run_threads<T: Send>(
    ranks: usize,
    round_limit: usize,
    work: impl Fn(&ThreadComm) -> T + Sync,
) -> Vec<T> {
    let shared = Shared {
        meeting: Mutex::default(),
        all_here: Condvar::new(),
        boxes: (0..2 * ranks * ranks).map(|_| Mutex::default()).collect(),
    };
    let work = |rank: usize| {
        let comm = ThreadComm { rank, ranks, round_limit, turn: Cell::new(0), shared: &shared };
        catch_unwind(AssertUnwindSafe(|| work(&comm))).unwrap_or_else(|panic| {
            shared.end(rank);
            resume_unwind(panic)
        })
    };
    let mut outcomes = std::thread::scope(|scope| {
        let start = |rank| scope.spawn(move || in_own_pool(|| work(rank)));
        let threads: Vec<_> = (0..ranks).map(start).collect();
        threads.into_iter().map(|thread| thread.join()).collect::<Vec<_>>()
    });
    // Prefer the panic of the rank that failed first to those of ranks that waited for it.
    let first = lock(&shared.meeting).ended_by;
    if let Some(rank) = first
        && let Err(panic) = outcomes.swap_remove(rank)
    {
        resume_unwind(panic);
    }
    outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic)))
        .collect()
}

/// A pool of only this thread.
fn in_own_pool<T>(work: impl FnOnce() -> T) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let done = work();
    drop(pool);
    done
}

/// A thread as a rank; see [`run_threads`].
pub struct ThreadComm<'a> {
    rank: usize,
    ranks: usize,
    round_limit: usize,
    /// Exchanges alternate between two halves of the boxes, so that a faster rank does not overwrite unread messages.
    turn: Cell<usize>,
    shared: &'a Shared,
}

struct Shared {
    meeting: Mutex<Meeting>,
    all_here: Condvar,
    /// Messages, by half, sender and receiver.
    boxes: Vec<Mutex<Vec<u8>>>,
}

#[derive(Default)]
struct Meeting {
    number: u64,
    waiting: usize,
    ended_by: Option<usize>,
}

impl Shared {
    fn wait(&self, ranks: usize) {
        let mut meeting = lock(&self.meeting);
        let number = meeting.number;
        meeting.waiting += 1;
        if meeting.waiting == ranks {
            meeting.waiting = 0;
            meeting.number += 1;
            self.all_here.notify_all();
        }
        while meeting.number == number {
            if let Some(rank) = meeting.ended_by {
                drop(meeting);
                panic!("rank {rank} ended");
            }
            meeting = self.all_here.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, rank: usize) {
        lock(&self.meeting).ended_by.get_or_insert(rank);
        self.all_here.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ThreadComm<'_> {
    fn mailbox(&self, turn: usize, from: usize, to: usize) -> MutexGuard<'_, Vec<u8>> {
        lock(&self.shared.boxes[(turn * self.ranks + from) * self.ranks + to])
    }

    /// Sends `outgoing[r]` to rank `r`, and calls `receive` with each message to this rank.
    fn post(&self, outgoing: &[&[u8]], mut receive: impl FnMut(usize, &[u8])) {
        let turn = self.turn.replace(1 - self.turn.get());
        for (to, bytes) in outgoing.iter().enumerate() {
            let mut letter = self.mailbox(turn, self.rank, to);
            letter.clear();
            letter.extend_from_slice(bytes);
        }
        self.shared.wait(self.ranks);
        (0..self.ranks).for_each(|from| receive(from, &self.mailbox(turn, from, self.rank)));
    }

    /// Calls `receive` with the values of each rank, in the order of ranks.
    fn gather<T: bytemuck::Pod>(&self, values: &[T], mut receive: impl FnMut(usize, &[T])) {
        let bytes = bytemuck::cast_slice(values);
        self.post(&vec![bytes; self.ranks], |from, bytes| {
            receive(from, &bytemuck::pod_collect_to_vec(bytes));
        });
    }
}

impl Rounds for ThreadComm<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.ranks
    }

    fn limit(&self) -> usize {
        self.round_limit
    }

    fn exchange_pairs(&self, outgoing: &[[u64; 2]]) -> Vec<[u64; 2]> {
        let outgoing: Vec<&[u8]> = outgoing.iter().map(bytemuck::bytes_of).collect();
        let mut incoming = vec![[0; 2]; self.ranks];
        self.post(&outgoing, |from, bytes| incoming[from] = bytemuck::pod_read_unaligned(bytes));
        incoming
    }

    fn exchange_round(&self, outgoing: &[&[u8]], incoming: &mut [&mut [u8]]) {
        let limit = self.round_limit.max(self.ranks);
        let sent: usize = outgoing.iter().map(|bytes| bytes.len()).sum();
        let received: usize = incoming.iter().map(|bytes| bytes.len()).sum();
        assert!(
            sent <= limit && received <= limit,
            "{sent} and {received} bytes in a round of {limit}"
        );
        self.post(outgoing, |from, bytes| {
            if from != self.rank {
                incoming[from].copy_from_slice(bytes);
            }
        });
    }
}

impl Comm for ThreadComm<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.ranks
    }

    fn all_to_all(&self, outgoing: &[Vec<u8>]) -> Vec<Vec<u8>> {
        all_to_all_in_rounds(self, outgoing)
    }

    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        all_gather_in_rounds(self, bytes)
    }

    fn all_reduce(&self, values: &mut [u64], reduction: Reduction) {
        let mine = values.to_vec();
        self.gather(&mine, |from, others| match from {
            0 => values.copy_from_slice(others),
            _ => values.iter_mut().zip(others).for_each(|(value, &other)| {
                *value = match reduction {
                    Reduction::Sum => value.wrapping_add(other),
                    Reduction::Min => other.min(*value),
                    Reduction::Max => other.max(*value),
                };
            }),
        });
    }

    fn all_sum(&self, values: &mut [f64]) {
        let mine = values.to_vec();
        self.gather(&mine, |from, others| match from {
            0 => values.copy_from_slice(others),
            _ => values.iter_mut().zip(others).for_each(|(value, other)| *value += other),
        });
    }

    fn barrier(&self) {
        self.shared.wait(self.ranks);
    }
}
