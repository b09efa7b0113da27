//! What all of Equipoise stands on, and what has no graph in it: enums that users call by name, how
//! much memory there is, how work is stopped, how numbers are shown, and how many things a device can number.
//!
//! ```
//! assert!(equipoise_base::memory::available() > 0);
//! ```

pub mod cancel;
pub mod memory;
mod names;
pub mod numbers;
pub mod palette;

pub use names::UnknownName;

/// What vertices and edges together must be fewer than on a device: they are numbered by 32 bits, and
/// some numbers are left for the strides of loops.
///
/// ```
/// assert_eq!(equipoise_base::MAX_ON_DEVICE, 4_278_190_079);
/// ```
pub const MAX_ON_DEVICE: u64 = u32::MAX as u64 - (1 << 24);
