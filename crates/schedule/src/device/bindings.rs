//! Checks in debug builds that no buffer is bound twice to a kernel that writes it: WebGPU forbids that, and drivers
//! that tolerate it would hide the mistake.

use std::{cell::RefCell, collections::HashMap};

use cubecl_runtime::{
    id::KernelId,
    kernel::{KernelDefinition, Visibility},
    server::KernelArguments,
};

thread_local! {
    /// For each kernel compiled on this thread, whether it writes each of its buffers.
    static WRITES: RefCell<HashMap<KernelId, Vec<bool>>> = RefCell::new(HashMap::new());
    /// The number of checked launches per kernel.
    static CHECKED: RefCell<HashMap<&'static str, u32>> = RefCell::new(HashMap::new());
}

/// Checked launches per kernel: bindings differ little from launch to launch, and comparing buffers takes longer than a
/// launch.
const CHECKS: u32 = 8;

/// Whether launches of a kernel are still checked.
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

/// Pairs of arguments of a launch that are the same memory, by index.
pub(super) fn same_buffers(arguments: &KernelArguments) -> Vec<(usize, usize)> {
    // Only the debug output identifies the memory of a binding.
    let buffers = arguments.buffers.iter().map(|buffer| format!("{:?}", buffer.memory));
    let buffers: Vec<String> = buffers.collect();
    let pairs =
        (0..buffers.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    pairs.filter(|&(earlier, later)| buffers[earlier] == buffers[later]).collect()
}

/// Panics if the kernel writes one of these pairs; the device reports the panic as an error.
pub(super) fn check(kernel: &KernelId, name: &str, same: &[(usize, usize)]) {
    let is_written = |&(one, other): &(usize, usize)| {
        WRITES.with_borrow(|writes| {
            let writes = writes.get(kernel);
            let is_written =
                |index: usize| writes.is_some_and(|writes| writes.get(index) == Some(&true));
            is_written(one) || is_written(other)
        })
    };
    if let Some((one, other)) = same.iter().find(|pair| is_written(pair)) {
        panic!("`{name}` writes a buffer that is bound twice, as numbers {one} and {other}");
    }
}
