//! The ranks of a job.

use crate::Comm;

/// The ranks that a command runs on.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The ranks.
    pub comm: &'a dyn Comm,
    /// The number of ranks on this machine, which share its memory.
    pub ranks_on_node: usize,
    /// The number of this rank on its machine, from 0 on: it takes the GPU of that number.
    pub rank_on_node: usize,
    /// The number of threads of this rank.
    pub threads: usize,
}
