//! Jobs in tasks of about the same work, with a number of threads that the caller chooses.

use std::sync::{Mutex, PoisonError};

use super::Team;
use crate::share::Cursor;

impl Team<'_> {
    /// Runs `job` on the tasks `0..count`, which up to `threads` threads take one after the other. The first argument is the
    /// number of the thread.
    pub fn for_tasks(&self, threads: usize, count: usize, job: impl Fn(usize, usize) + Sync) {
        let cursor = Cursor::new(count, 1);
        let cancel = &self.cancel;
        self.each(threads.min(count), |thread| {
            let tasks = cursor.parts().take_while(|_| !cancel.is_cancelled());
            tasks.for_each(|task| job(thread, task.start));
        });
    }

    /// Runs `job` on all items, in chunks of `size`. Its arguments are the number of the thread, the index of the first item, and
    /// the chunk.
    pub fn for_chunks<T: Send>(
        &self,
        threads: usize,
        items: &mut [T],
        size: usize,
        job: impl Fn(usize, usize, &mut [T]) + Sync,
    ) {
        if threads <= 1 {
            return job(0, 0, items);
        }
        // Each is locked once, by the thread that takes it.
        let chunks: Vec<_> = items.chunks_mut(size).map(Mutex::new).collect();
        self.for_tasks(threads, chunks.len(), |thread, index| {
            let mut chunk = chunks[index].lock().unwrap_or_else(PoisonError::into_inner);
            job(thread, index * size, &mut chunk);
        });
    }
}
