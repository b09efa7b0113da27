//! Memory checks, made before every allocation whose size a user, a file or a spec determines.
//!
//! A memory-intensive step declares its bytes beforehand, and is rejected with both numbers if they
//! are not available: running out later would kill this program or another one.
//!
//! ```
//! use equipoise_graph::{Error, memory};
//!
//! memory::check("a table", 1000)?;
//! let refused = memory::check("a far larger table", u64::MAX).unwrap_err();
//! assert!(matches!(refused, Error::OutOfMemory { needed: u64::MAX, .. }));
//! # Ok::<(), Error>(())
//! ```

mod available;
mod free;
#[cfg(target_os = "linux")]
mod linux;

use std::fmt::Display;

use available::is_limited;
pub use available::{available, limit_process};
pub(crate) use free::free;

use crate::{Error, Result};

/// Requests up to this size always succeed: they come out of the reserve, and a check would take
/// longer than the work.
const UNCHECKED: u64 = 1 << 16;

/// Fails if `bytes` exceed the [`available`] memory, with both numbers. To be called just before
/// `what` allocates, when all of its inputs are in memory.
///
/// ```
/// use equipoise_graph::memory;
///
/// let refused = memory::check("a matrix of 2³² rows", 1 << 62).unwrap_err().to_string();
/// assert!(refused.starts_with("a matrix of 2³² rows needs 4611686018427387904 bytes of memory: "));
/// ```
pub fn check(what: impl Display, bytes: u64) -> Result<()> {
    if bytes <= UNCHECKED && !is_limited() {
        return Ok(());
    }
    let available = available();
    if bytes <= available {
        Ok(())
    } else {
        Err(Error::OutOfMemory { what: what.to_string(), needed: bytes, available })
    }
}

/// The number of bytes of `count` values of a type, saturating.
///
/// ```
/// assert_eq!(equipoise_graph::memory::bytes_of::<u32>(5), 20);
/// assert_eq!(equipoise_graph::memory::bytes_of::<u64>(u64::MAX), u64::MAX);
/// ```
pub fn bytes_of<T>(count: u64) -> u64 {
    count.saturating_mul(size_of::<T>() as u64)
}
