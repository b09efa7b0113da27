//! How many threads a rank has, and whether the launcher lets it use as many cores.

use std::thread::available_parallelism;

/// What a rank finds on its node.
#[derive(Clone, Copy)]
pub struct Node {
    /// How many threads the rank is to have, where that was said.
    pub asked: Option<u32>,
    /// How many cores there are.
    pub cores: usize,
    /// How many of them the rank may use.
    pub allowed: usize,
    /// How many ranks there are.
    pub ranks: usize,
    /// Whether Open MPI started them, which binds ranks to cores unasked; others do as they were told.
    pub is_open_mpi: bool,
}

/// How many threads a rank uses, and what its user should know.
#[derive(Debug, PartialEq, Eq)]
pub struct Share {
    /// How many threads.
    pub threads: usize,
    /// Why they may be slower than they could be.
    pub warning: Option<String>,
}

impl Share {
    /// A rank's share of its node, unless it was said how many threads it is to have.
    pub fn of(node: &Node) -> Self {
        let Node { asked, cores, allowed, ranks, is_open_mpi } = *node;
        let fair = (cores / ranks.max(1)).max(1);
        let wanted = asked.map_or(fair, |asked| asked as usize);
        let threads = if asked.is_some() { wanted } else { fair.min(allowed).max(1) };
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

/// How many cores this process may use.
pub fn allowed_cores() -> usize {
    available_parallelism().map_or(1, |cores| cores.get())
}

/// How many cores the node has, whatever this process may use.
pub fn cores_of_node() -> usize {
    online_cores().unwrap_or_else(allowed_cores)
}

/// The processors that are on, as Linux lists them.
fn online_cores() -> Option<usize> {
    let list = std::fs::read_to_string("/sys/devices/system/cpu/online").ok()?;
    count_listed(list.trim())
}

/// How many numbers a list such as `0-3,8` has.
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

    const BOUND: Node = Node { asked: None, cores: 64, allowed: 1, ranks: 2, is_open_mpi: true };

    fn threads(asked: Option<u32>, cores: usize, ranks: usize) -> usize {
        let share = Share::of(&Node { asked, cores, allowed: cores, ranks, is_open_mpi: true });
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
    fn ranks_that_open_mpi_binds_to_a_core_are_told_of() {
        let share = Share::of(&BOUND);
        assert_eq!(share.threads, 1);
        assert!(share.warning.unwrap().contains("--bind-to none --mca mpi_yield_when_idle 1"));
        assert!(Share::of(&Node { asked: Some(8), ..BOUND }).warning.is_some());
        // One thread was asked for, and there is a core for it.
        assert_eq!(Share::of(&Node { asked: Some(1), ..BOUND }).warning, None);
        // Slurm gave each task what was asked of it.
        let slurm = Node { allowed: 8, is_open_mpi: false, ..BOUND };
        assert_eq!(Share::of(&slurm), Share { threads: 8, warning: None });
    }

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(count_listed("0-3,8"), Some(5));
        assert_eq!(count_listed("0"), Some(1));
        assert_eq!(count_listed("3-1"), None);
        assert_eq!(count_listed(""), None);
    }
}
