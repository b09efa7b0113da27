//! The errors of devices and schedules.

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The errors of devices and schedules.
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
        /// The data to allocate.
        what: String,
        /// The bytes it takes.
        needed: u64,
        /// The available bytes.
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
    /// The device, its driver or its runtime failed, but remains usable.
    #[error("the device failed: {0}")]
    Device(String),
    /// The device is gone: every later call fails.
    #[error("the device is lost and must be opened again: {0}")]
    Lost(String),
    /// The device cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// An array does not fit the 32-bit indices of a device.
    #[error("{what} has {count} elements: a device counts up to {limit}")]
    TooMany {
        /// The array.
        what: String,
        /// Its number of elements.
        count: u64,
        /// The most elements.
        limit: u64,
    },
    /// A schedule does not support an option.
    #[error("{0}")]
    Schedule(String),
}
