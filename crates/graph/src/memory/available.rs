//! The memory that this process can still allocate.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(target_os = "linux")]
use super::linux::{held, limit};

/// The share of the memory that is reserved for undeclared allocations: stacks of threads, small
/// allocations, and fragmentation.
const RESERVED_SHARE: u64 = 16;
/// The maximum size of the reserve.
const MOST_RESERVED: u64 = 512 << 20;

/// The limit that the program sets on its own memory.
static PROCESS_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Limits the memory of this process to `bytes`, without mapped files, as far as [`available`] is
/// concerned. Returns the bytes that the process holds already; without effect, `None`, if the
/// system does not report them.
///
/// ```
/// let held = equipoise_graph::memory::limit_process(u64::MAX);
/// assert!(held.is_none_or(|held| held > 0));
/// ```
pub fn limit_process(bytes: u64) -> Option<u64> {
    let held = held()?;
    PROCESS_LIMIT.store(bytes, Relaxed);
    Some(held)
}

/// Whether [`limit_process`] set a limit.
pub(super) fn is_limited() -> bool {
    PROCESS_LIMIT.load(Relaxed) != u64::MAX
}

/// The bytes of memory that this process can still take: the least of what the machine has
/// available, what its control groups (containers, batch systems) allow, and what its own limits
/// (`ulimit`) do, minus a small reserve. Unlimited if none of them is known.
///
/// ```
/// assert!(equipoise_graph::memory::available() > 0);
/// ```
pub fn available() -> u64 {
    let limit = limit().unwrap_or(u64::MAX);
    let available = limit - (limit / RESERVED_SHARE).min(MOST_RESERVED);
    match PROCESS_LIMIT.load(Relaxed) {
        u64::MAX => available,
        most => available.min(most.saturating_sub(held().unwrap_or(0))),
    }
}

#[cfg(not(target_os = "linux"))]
fn held() -> Option<u64> {
    None
}

#[cfg(not(target_os = "linux"))]
fn limit() -> Option<u64> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    let refresh = sysinfo::RefreshKind::nothing().with_memory(memory);
    let system = sysinfo::System::new_with_specifics(refresh).ok();
    system.map(|system| system.available_memory())
}
