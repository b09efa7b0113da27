//! The queue of a search that pushes: every vertex enters it at most once, so that a level is a
//! range of one array.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed},
};

/// Vertices in the order of their levels.
pub(super) struct Queue {
    slots: Vec<AtomicU32>,
    tail: AtomicUsize,
}

impl Queue {
    /// A queue for at most `vertices` vertices.
    pub fn new(vertices: u32) -> Self {
        let slots = std::iter::repeat_with(AtomicU32::default).take(vertices as usize).collect();
        Self { slots, tail: AtomicUsize::new(0) }
    }

    pub fn clear(&mut self) {
        *self.tail.get_mut() = 0;
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

    /// The vertices that stand at `range`.
    pub fn at(&self, range: Range<usize>) -> impl Iterator<Item = u32> {
        self.slots[range].iter().map(|slot| slot.load(Relaxed))
    }
}

const CAPACITY: usize = 256;

/// What one thread has found and not yet appended to the queue, so that threads seldom meet there.
pub(super) struct Buffer<'a> {
    queue: &'a Queue,
    vertices: [u32; CAPACITY],
    length: usize,
}

impl<'a> Buffer<'a> {
    pub fn new(queue: &'a Queue) -> Self {
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
