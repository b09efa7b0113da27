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

use std::fmt::Display;

pub use equipoise_base::memory::available;
pub(crate) use free::free;

use crate::{Error, Result};

/// So little is never refused: it comes out of the reserve, and to ask would take longer than what
/// it is for.
const NOT_ASKED_FOR: u64 = 1 << 16;

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
