//! The queue of a search that pushes: every vertex enters it at most once, so that a level is a
//! range of one array.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use super::shared::as_atomic;

/// Vertices in the order of their levels, for several threads to append to.
pub(super) struct Queue<'a> {
    slots: &'a [AtomicU32],
    tail: AtomicUsize,
}

impl<'a> Queue<'a> {
    /// An empty queue in `slots`, one for each vertex there is.
    pub fn new(slots: &'a mut [u32]) -> Self {
        Self { slots: as_atomic(slots), tail: AtomicUsize::new(0) }
    }

    /// Where the next vertex will stand.
    pub fn tail(&self) -> usize {
        self.tail.load(Relaxed)
    }

    pub fn append(&self, vertices: &[u32]) {
        let start = self.tail.fetch_add(vertices.len(), Relaxed);
        for (slot, &vertex) in self.slots[start..start + vertices.len()].iter().zip(vertices) {
            slot.store(vertex, Relaxed);
        }
    }

    /// The vertex that stands at `place`.
    #[inline]
    pub fn at(&self, place: usize) -> u32 {
        self.slots[place].load(Relaxed)
    }
}

const CAPACITY: usize = 256;

/// What one thread has found and not yet appended to the queue, so that threads seldom meet there.
pub(super) struct Buffer<'a> {
    queue: &'a Queue<'a>,
    vertices: [u32; CAPACITY],
    length: usize,
}

impl<'a> Buffer<'a> {
    pub fn new(queue: &'a Queue<'a>) -> Self {
        Self { queue, vertices: [0; CAPACITY], length: 0 }
    }

    #[inline]
    pub fn push(&mut self, vertex: u32) {
        if self.length == CAPACITY {
            self.flush();
        }
        self.vertices[self.length] = vertex;
        self.length += 1;
    }

    fn flush(&mut self) {
        self.queue.append(&self.vertices[..self.length]);
        self.length = 0;
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}
