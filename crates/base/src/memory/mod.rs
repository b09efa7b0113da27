//! How much memory there is.

#[cfg(target_os = "linux")]
mod linux;

/// The share of what is there that is left for what nobody asks for: stacks of threads, small
/// allocations, and what an allocator loses between large ones.
const RESERVED_SHARE: u64 = 16;
/// The most that is left for them.
const MOST_RESERVED: u64 = 512 << 20;

/// The bytes of memory that this process can still take: the least of what the machine has
/// available, what its control groups (containers, batch systems) allow, and what its own limits
/// (`ulimit`) do, without a small reserve. Where none of them is known there is no limit.
///
/// ```
/// assert!(equipoise_base::memory::available() > 0);
/// ```
pub fn available() -> u64 {
    let there = limit().unwrap_or(u64::MAX);
    there - (there / RESERVED_SHARE).min(MOST_RESERVED)
}

#[cfg(target_os = "linux")]
fn limit() -> Option<u64> {
    linux::limit()
}

#[cfg(not(target_os = "linux"))]
fn limit() -> Option<u64> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    let asked = sysinfo::RefreshKind::nothing().with_memory(memory);
    let system = sysinfo::System::new_with_specifics(asked).ok();
    system.map(|system| system.available_memory())
}
