//! x
pub mod thread_mapped;
