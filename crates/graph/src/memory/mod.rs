//! How much memory there is, asked before anything is taken whose size a user, a file or a spec
//! decides.
//!
//! A step that takes much says beforehand how many bytes, and is refused with both numbers where
//! they are not there: running out later would end the program, or another one.
//!
//! ```
//! use equipoise_graph::{Error, memory};
//!
//! memory::check("a table", 1000)?;
//! let refused = memory::check("a far larger table", u64::MAX).unwrap_err();
//! assert!(matches!(refused, Error::OutOfMemory { needed: u64::MAX, .. }));
//! # Ok::<(), Error>(())
//! ```

mod free;
#[cfg(target_os = "linux")]
mod linux;

use std::fmt::Display;

pub(crate) use free::free;

use crate::{Error, Result};

/// The share of what is there that is left for what nobody asks for: stacks of threads, small
/// allocations, and what an allocator loses between large ones.
const RESERVED_SHARE: u64 = 16;
/// The most that is left for them.
const MOST_RESERVED: u64 = 512 << 20;
/// So little is never refused: it comes out of the reserve, and to ask would take longer than what
/// it is for.
const NOT_ASKED_FOR: u64 = 1 << 16;

/// The bytes of memory that this process can still take: the least of what the machine has
/// available, what its control groups (containers, batch systems) allow, and what its own limits
/// (`ulimit`) do, without a small reserve. Where none of them is known there is no limit.
///
/// ```
/// assert!(equipoise_graph::memory::available() > 0);
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

/// Refuses what needs more bytes than are [`available`], with both numbers. To be asked just before
/// `what` takes them, when everything that it works on is in memory already.
///
/// ```
/// use equipoise_graph::memory;
///
/// let refused = memory::check("a matrix of 2³² rows", 1 << 62).unwrap_err().to_string();
/// assert!(refused.starts_with("a matrix of 2³² rows needs 4611686018427387904 bytes of memory: "));
/// ```
pub fn check(what: impl Display, bytes: u64) -> Result<()> {
    if bytes <= NOT_ASKED_FOR {
        return Ok(());
    }
    let available = available();
    match bytes <= available {
        true => Ok(()),
        false => Err(Error::OutOfMemory { what: what.to_string(), needed: bytes, available }),
    }
}

/// The bytes of `count` values of a type; the largest number where that has no name.
///
/// ```
/// assert_eq!(equipoise_graph::memory::bytes_of::<u32>(5), 20);
/// assert_eq!(equipoise_graph::memory::bytes_of::<u64>(u64::MAX), u64::MAX);
/// ```
pub fn bytes_of<T>(count: u64) -> u64 {
    count.saturating_mul(size_of::<T>() as u64)
}
