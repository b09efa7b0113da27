//! No buffer is bound twice where a kernel writes it: WebGPU forbids that, and drivers that forgive it
//! would hide it. Checked where checks are on, in tests above all.

use std::{cell::RefCell, collections::HashMap};

use cubecl_runtime::{
    id::KernelId,
    kernel::{KernelDefinition, Visibility},
    server::KernelArguments,
};

thread_local! {
    /// For each kernel that was compiled on this thread, which of its buffers it writes.
    static WRITES: RefCell<HashMap<KernelId, Vec<bool>>> = RefCell::new(HashMap::new());
    /// How often the launches of each kernel were checked.
    static CHECKED: RefCell<HashMap<&'static str, u32>> = RefCell::new(HashMap::new());
}

/// Launches of a kernel that are checked: what is bound to it differs little from launch to launch,
/// and to tell buffers apart takes longer than to launch.
const CHECKS: u32 = 8;

/// Whether the launches of a kernel are still checked.
pub(super) fn is_due(name: &'static str) -> bool {
    CHECKED.with_borrow_mut(|checked| {
        let count = checked.entry(name).or_default();
        *count = count.saturating_add(1);
        *count <= CHECKS
    })
}

/// Records which buffers a kernel writes.
pub(super) fn record(kernel: KernelId, definition: &KernelDefinition) {
    let is_written = definition.buffers.iter().map(|buffer| buffer.visibility != Visibility::Read);
    WRITES.with_borrow_mut(|writes| writes.insert(kernel, is_written.collect()));
}

/// Buffers of a launch that are the same memory, by their places.
pub(super) fn same_buffers(arguments: &KernelArguments) -> Vec<(usize, usize)> {
    // Nothing else says what a binding is of.
    let buffers = arguments.buffers.iter().map(|buffer| format!("{:?}", buffer.memory));
    let buffers: Vec<String> = buffers.collect();
    let pairs = (0..buffers.len()).flat_map(|later| (0..later).map(move |place| (place, later)));
    pairs.filter(|&(place, later)| buffers[place] == buffers[later]).collect()
}

/// Panics, which the device reports, where one of these pairs is written.
pub(super) fn check(kernel: &KernelId, name: &str, same: &[(usize, usize)]) {
    let is_written = |&(one, other): &(usize, usize)| {
        WRITES.with_borrow(|writes| {
            let writes = writes.get(kernel);
            let is_written =
                |place: usize| writes.is_some_and(|writes| writes.get(place) == Some(&true));
            is_written(one) || is_written(other)
        })
    };
    if let Some((one, other)) = same.iter().find(|pair| is_written(pair)) {
        panic!("`{name}` writes a buffer that is bound twice, as numbers {one} and {other}");
    }
}
