//! Predicting and choosing allocate nothing.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use equipoise_select::{
    CandidateSet, Chooser,
    features::{GraphShape, Step},
};

use crate::models::three_leaves;

thread_local! {
    /// Allocations of this thread only: other tests run concurrently.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all calls are forwarded to the system's allocator; incrementing the thread-local counter
// allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller upholds the contract of `alloc`, which is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc`, which is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn the_counter_counts() {
    let before = allocations();
    std::hint::black_box(vec![1, 2, 3]);
    assert!(allocations() > before);
}

#[test]
fn choosing_allocates_nothing() {
    let model = three_leaves();
    let graph = GraphShape { vertices: 100, edges: 900, ..GraphShape::default() };
    let mut chooser = Chooser::new(&model, CandidateSet::all(3).without(2)).unwrap();
    let before = allocations();
    let mut sum = 0;
    for number in 0..100 {
        let features =
            graph.features(&Step { frontier: number, frontier_edges: 9, discovered: number });
        let small = [features[3], features[2]];
        sum += model.predict(&small).candidate + chooser.choose(&small).candidate;
        chooser.restrict(CandidateSet::all(3).without(number as usize % 3)).unwrap();
    }
    assert_eq!(allocations(), before);
    assert!(sum > 0);
}
