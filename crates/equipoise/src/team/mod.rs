//! Threads that stay together for a whole call, so that to fork costs about a microsecond.
//!
//! A search forks at each of its levels, and a level may take only a few microseconds: less than a
//! sleeping thread takes to wake. So the other threads of the pool are called once, as tasks of a
//! rayon scope, and then poll for the next job. Whoever polls in vain for a while leaves, and is
//! called again when there is work for it.
//!
//! Nothing depends on a helper. A job is work that threads take in parts from where all can reach
//! it ([`crate::share`]); the calling thread goes on until there is nothing left to take, and waits
//! only for those that have joined in. So a search ends even where all other threads of the pool
//! are busy, and searches can run inside of each other's pools: since no job waits for anything,
//! and no helper stays for long without one, there is nothing that could wait in a circle.

mod board;
mod collect;
mod lanes;

use std::{cell::Cell, ops::Range};

use board::Board;
pub(crate) use collect::{collect, collect_pair};
use equipoise_graph::cancel::Cancel;
pub(crate) use lanes::Lanes;

use crate::share::Cursor;

/// As long as the helpers have not been called, work has to be so many times larger to be shared:
/// to wake them takes that much longer than to fork.
const CALL: u64 = 16;

/// The calling thread and the other threads of its pool.
///
/// It cannot be shared between threads, so that no job can fork again.
pub(crate) struct Team<'t> {
    board: &'t Board,
    /// Makes a task of the helper with this number.
    call: &'t dyn Fn(usize),
    is_called: Cell<bool>,
    /// What may ask the work to stop.
    cancel: Cancel,
}

/// Runs `work` on a thread of the pool, with a team of all of them.
pub(crate) fn run<T: Send>(work: impl FnOnce(&Team) -> T + Send) -> T {
    let board = &Board::new(rayon::current_num_threads() - 1);
    let cancel = Cancel::current();
    rayon::scope(|scope| {
        let caller = rayon::current_thread_index();
        let is_elsewhere = move || rayon::current_thread_index() != caller;
        let call = |index| scope.spawn(move |_| board.help(index, is_elsewhere()));
        let team = Team { board, call: &call, is_called: Cell::new(false), cancel };
        team.cancel.watch(|| work(&team))
    })
}

impl Team<'_> {
    /// How many threads there are.
    pub fn size(&self) -> usize {
        self.board.helpers() + 1
    }

    /// How many threads should share `work`, if each is to have at least `grain` of it.
    pub fn threads_for(&self, work: u64, grain: u64) -> usize {
        let needed = if self.is_called.get() { grain } else { grain * CALL };
        match work < needed {
            true => 1,
            false => (work / grain).clamp(1, self.size() as u64) as usize,
        }
    }

    /// Runs `job` on the calling thread as number 0, and on others, up to `threads` in all, as far
    /// as they come in time, each with its own number. Returns when all that came are done, and
    /// leaves the work then if it is to stop.
    pub fn each(&self, threads: usize, job: impl Fn(usize) + Sync) {
        if threads <= 1 || self.board.helpers() == 0 {
            job(0);
            return self.cancel.poll();
        }
        self.call_helpers();
        self.board.share(threads, &job);
        self.cancel.poll();
    }

    /// Runs `job` on all of `0..end`, in parts of `size` that the threads take one after the other.
    /// Its first argument is the number of the thread.
    pub fn for_parts(&self, end: usize, size: usize, job: impl Fn(usize, Range<usize>) + Sync) {
        let cursor = Cursor::new(end, size);
        let threads = self.threads_for(end as u64, size as u64);
        let cancel = &self.cancel;
        self.each(threads, |index| {
            let parts = cursor.parts().take_while(|_| !cancel.is_cancelled());
            parts.for_each(|part| job(index, part));
        });
    }

    /// Makes tasks of the helpers that are not there.
    fn call_helpers(&self) {
        if self.is_called.replace(true) && !self.board.has_absent() {
            return;
        }
        self.board.call_absent().for_each(self.call);
    }
}

impl Drop for Team<'_> {
    /// The scope waits for the helpers next.
    fn drop(&mut self) {
        self.board.dismiss();
    }
}

#[cfg(test)]
mod tests;
