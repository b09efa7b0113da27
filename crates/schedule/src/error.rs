//! What can go wrong with a device.

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a device could not do what was asked of it.
///
/// ```
/// use equipoise_schedule::Error;
///
/// let error = Error::OutOfMemory { what: "the matrix".into(), needed: 9, available: 5 };
/// assert_eq!(
///     error.to_string(),
///     "the matrix needs 9 bytes of device memory: 5 bytes are available"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An allocation does not fit.
    #[error("{what} needs {needed} bytes of device memory: {available} bytes are available")]
    OutOfMemory {
        /// What was to be allocated.
        what: String,
        /// The bytes it takes.
        needed: u64,
        /// The bytes there are.
        available: u64,
    },
    /// A single buffer is larger than the device allows, however much memory is free.
    #[error("a buffer of {needed} bytes: this device allows at most {largest} bytes a buffer")]
    BufferTooLarge {
        /// The bytes of the buffer.
        needed: u64,
        /// The bytes it may have.
        largest: u64,
    },
    /// The device, its driver or its runtime failed; it can still be used.
    #[error("the device failed: {0}")]
    Device(String),
    /// The device is gone: everything that is asked of it fails from now on.
    #[error("the device is lost and must be opened again: {0}")]
    Lost(String),
    /// The device cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// Something does not fit the 32-bit indices of a device.
    #[error("{what} has {count} elements: a device counts up to {limit}")]
    TooMany {
        /// What is too large.
        what: String,
        /// How many elements it has.
        count: u64,
        /// How many it may have.
        limit: u64,
    },
    /// A schedule was asked for something it cannot do.
    #[error("{0}")]
    Schedule(String),
}
