//! Teams: threads that stay together for a whole call, so that a fork costs about a microsecond.
//!
//! A search forks at each of its levels, and a level may take only a few microseconds, less than waking a sleeping thread.
//! So the other threads of the pool are called once, as tasks of a rayon scope, and then poll for the next job. A helper
//! that polls in vain for a while leaves, and is called again for later work.
//!
//! Nothing depends on a helper. Threads take parts of a job from shared lists ([`crate::share`]); the calling thread
//! continues until no part is left, and waits only for helpers that have joined. So a search ends even if all other threads
//! of the pool are busy, and searches can be nested: jobs never wait, and helpers without a job leave soon, so that no
//! deadlock occurs.

mod board;
mod chunks;
mod collect;
mod lanes;

use std::{cell::Cell, ops::Range};

use board::Board;
pub(crate) use collect::{collect, collect_pair};
use equipoise_graph::cancel::Cancel;
pub(crate) use lanes::Lanes;

use crate::share::Cursor;

/// Until the helpers have been called, work has to be this many times larger to be shared: waking them takes that much
/// longer than a fork.
const CALL: u64 = 16;

/// The calling thread and the other threads of its pool.
///
/// Not `Sync`, so that no job can fork again.
pub(crate) struct Team<'t> {
    board: &'t Board,
    /// Spawns the helper with this number.
    call: &'t dyn Fn(usize),
    is_called: Cell<bool>,
    /// The request to stop, if any.
    cancel: Cancel,
}

/// Runs `work` on the calling thread, with a team of as many threads as the pool has.
///
/// On a thread of the pool instead, each call would allocate large arrays from the memory of another thread, with page faults
/// where the calling thread's memory is reused.
pub(crate) fn run<T>(work: impl FnOnce(&Team) -> T) -> T {
    let board = &Board::new(rayon::current_num_threads() - 1);
    let cancel = Cancel::current();
    rayon::in_place_scope(|scope| {
        let caller = rayon::current_thread_index();
        let is_elsewhere = move || rayon::current_thread_index() != caller;
        let call = |index| scope.spawn(move |_| board.help(index, is_elsewhere()));
        let team = Team { board, call: &call, is_called: Cell::new(false), cancel };
        team.cancel.watch(|| work(&team))
    })
}

impl Team<'_> {
    /// The number of threads.
    pub fn size(&self) -> usize {
        self.board.helpers() + 1
    }

    /// The number of threads that should share `work`, with at least `grain` per thread.
    pub fn threads_for(&self, work: u64, grain: u64) -> usize {
        let needed = if self.is_called.get() { grain } else { grain * CALL };
        if work < needed { 1 } else { (work / grain).clamp(1, self.size() as u64) as usize }
    }

    /// The work from which on all threads should share it, with at least `grain` per thread.
    pub fn enough_for_all(&self, grain: u64) -> u64 {
        grain * CALL.max(self.size() as u64)
    }

    /// Runs `job` on the calling thread as number 0, and on the helpers that join in time, up to `threads` in total, each
    /// with its own number. Returns when all of them are done; unwinds then if the work was cancelled.
    pub fn each(&self, threads: usize, job: impl Fn(usize) + Sync) {
        if threads <= 1 || self.board.helpers() == 0 {
            job(0);
            return self.cancel.poll();
        }
        self.call_helpers();
        self.board.share(threads, &job);
        self.cancel.poll();
    }

    /// Runs `job` on all of `0..end`, in parts of `size` that the threads take one after the other. The first argument is
    /// the number of the thread.
    pub fn for_parts(&self, end: usize, size: usize, job: impl Fn(usize, Range<usize>) + Sync) {
        let cursor = Cursor::new(end, size);
        let threads = self.threads_for(end as u64, size as u64);
        let cancel = &self.cancel;
        self.each(threads, |index| {
            let parts = cursor.parts().take_while(|_| !cancel.is_cancelled());
            parts.for_each(|part| job(index, part));
        });
    }

    /// Spawns the absent helpers.
    fn call_helpers(&self) {
        if self.is_called.replace(true) && !self.board.has_absent() {
            return;
        }
        self.board.call_absent().for_each(self.call);
    }
}

impl Drop for Team<'_> {
    /// Dismisses the helpers, for which the scope waits next.
    fn drop(&mut self) {
        self.board.dismiss();
    }
}

#[cfg(test)]
mod tests;
