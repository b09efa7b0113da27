//! Limits on the sizes of graphs.

/// The maximum number of vertices of a graph, and of rows or columns of a matrix.
///
/// One less than the number of `u32` values, so that `u32::MAX` can mean "no vertex".
///
/// ```
/// assert_eq!(equipoise_graph::MAX_VERTICES, 4_294_967_295);
/// ```
pub const MAX_VERTICES: u64 = u32::MAX as u64;

/// The exclusive upper limit on vertices plus edges of a graph on a device, which numbers them by
/// 32 bits, minus a margin for the strides of loops.
///
/// ```
/// assert_eq!(equipoise_graph::MAX_ON_DEVICE, 4_278_190_079);
/// ```
pub const MAX_ON_DEVICE: u64 = u32::MAX as u64 - (1 << 24);
