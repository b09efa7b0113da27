//! The number of threads of a rank, and whether the launcher permits as many cores.

use std::thread::available_parallelism;

/// The node of a rank.
#[derive(Clone, Copy)]
pub struct Node {
    /// The number of threads that the user requested for a rank.
    pub requested: Option<u32>,
    /// The number of cores.
    pub cores: usize,
    /// The number of cores that the rank may use.
    pub allowed: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// Whether Open MPI started the ranks: it binds them to cores by default.
    pub is_open_mpi: bool,
}

/// The share of a rank of its node.
#[derive(Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of threads.
    pub threads: usize,
    /// Why they may be slow.
    pub warning: Option<String>,
}

impl Share {
    /// The requested threads, or an equal share of the node.
    pub fn of_node(node: &Node) -> Self {
        let Node { requested, cores, allowed, ranks, is_open_mpi } = *node;
        let fair = (cores / ranks.max(1)).max(1);
        let wanted = requested.map_or(fair, |requested| requested as usize);
        let threads = if requested.is_some() { wanted } else { fair.min(allowed).max(1) };
        let is_bound = is_open_mpi && wanted.min(fair) > allowed;
        let warning = is_bound.then(|| {
            let of = if allowed == 1 { "core" } else { "cores" };
            format!(
                "Open MPI binds each rank on this node to {allowed} {of} of {cores}, and a rank that waits does not \
                 rest: start with `mpirun --bind-to none --mca mpi_yield_when_idle 1`"
            )
        });
        Self { threads, warning }
    }
}

/// The number of cores that this process may use.
pub fn allowed_cores() -> usize {
    available_parallelism().map_or(1, |cores| cores.get())
}

/// The number of cores of the node.
pub fn cores_of_node() -> usize {
    online_cores().unwrap_or_else(allowed_cores)
}

/// The number of online processors, on Linux.
fn online_cores() -> Option<usize> {
    let list = std::fs::read_to_string("/sys/devices/system/cpu/online").ok()?;
    count_listed(list.trim())
}

/// The number of elements of a list such as `0-3,8`.
fn count_listed(list: &str) -> Option<usize> {
    list.split(',')
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            last.checked_sub(first)?.checked_add(1)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: Node =
        Node { requested: None, cores: 64, allowed: 1, ranks: 2, is_open_mpi: true };

    fn threads(requested: Option<u32>, cores: usize, ranks: usize) -> usize {
        let share =
            Share::of_node(&Node { requested, cores, allowed: cores, ranks, is_open_mpi: true });
        assert_eq!(share.warning, None);
        share.threads
    }

    #[test]
    fn the_cores_of_a_node_are_shared_out() {
        assert_eq!(threads(None, 64, 4), 16);
        assert_eq!(threads(None, 2, 3), 1);
        assert_eq!(threads(Some(5), 2, 1), 5);
    }

    #[test]
    fn ranks_that_open_mpi_binds_to_a_core_are_warned_about() {
        let share = Share::of_node(&BOUND);
        assert_eq!(share.threads, 1);
        assert!(share.warning.unwrap().contains("--bind-to none --mca mpi_yield_when_idle 1"));
        assert!(Share::of_node(&Node { requested: Some(8), ..BOUND }).warning.is_some());
        // One thread has its core.
        assert_eq!(Share::of_node(&Node { requested: Some(1), ..BOUND }).warning, None);
        // Slurm binds only on request.
        let slurm = Node { allowed: 8, is_open_mpi: false, ..BOUND };
        assert_eq!(Share::of_node(&slurm), Share { threads: 8, warning: None });
    }

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(count_listed("0-3,8"), Some(5));
        assert_eq!(count_listed("0"), Some(1));
        assert_eq!(count_listed("3-1"), None);
        assert_eq!(count_listed(""), None);
    }
}
