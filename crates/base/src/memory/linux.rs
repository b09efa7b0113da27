//! What Linux says of memory: the machine's, the control groups' and the process' own limits.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rustix::process::{Resource, getrlimit};

/// The least of all limits that are known, less what is in use of each.
pub(super) fn limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let strict = number_in(Path::new("/proc/sys/vm/overcommit_memory")) == Some(2);
    let machine = machine.and_then(|text| of_machine(&text, strict));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let groups = groups.and_then(|text| of_groups(&text, Path::new("/sys/fs/cgroup")));
    machine.into_iter().chain(groups).chain(of_process()).min()
}

/// What `/proc/meminfo` says can be taken without swapping and, where the kernel promises no more
/// than it has (`strict`), what it still promises.
fn of_machine(meminfo: &str, strict: bool) -> Option<u64> {
    let entry = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kibibytes.checked_mul(1024)
    };
    let free = entry("MemAvailable").or_else(|| entry("MemFree"));
    let promised = || entry("CommitLimit")?.checked_sub(entry("Committed_AS")?);
    let promised = if strict { promised() } else { None };
    free.into_iter().chain(promised).min()
}

/// What is left of the limits of the process' control groups: those that `/proc/self/cgroup` names,
/// and all above them.
fn of_groups(cgroup: &str, root: &Path) -> Option<u64> {
    let lines = cgroup.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        Some((parts.next()?, parts.next()?.trim_start_matches('/')))
    });
    let left = lines.filter_map(|(controllers, group)| match controllers {
        "" => {
            let unified = [root.to_owned(), root.join("unified")];
            unified.iter().filter_map(|root| of_group_and_above(root, group, &UNIFIED)).min()
        }
        list if list.split(',').any(|name| name == "memory") => {
            of_group_and_above(&root.join("memory"), group, &LEGACY)
        }
        _ => None,
    });
    left.min()
}

/// How the files of a control group are called.
struct Files {
    limit: &'static str,
    usage: &'static str,
    /// What stands in `memory.stat` before the bytes of files that can be read again.
    reclaimable: &'static str,
}

const UNIFIED: Files =
    Files { limit: "memory.max", usage: "memory.current", reclaimable: "inactive_file " };
const LEGACY: Files = Files {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file ",
};

/// In a container the group's own folder may not be there, as only what is above it is mounted.
fn of_group_and_above(root: &Path, group: &str, files: &Files) -> Option<u64> {
    let own: PathBuf = root.join(group);
    let folders = own.ancestors().take_while(|folder| folder.starts_with(root));
    folders.filter_map(|folder| left_of_group(folder, files)).min()
}

fn left_of_group(folder: &Path, files: &Files) -> Option<u64> {
    let limit = number_in(&folder.join(files.limit))?;
    let usage = number_in(&folder.join(files.usage)).unwrap_or(0);
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let reclaimable = statistics.lines().find_map(|line| line.strip_prefix(files.reclaimable));
    let reclaimable = reclaimable.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
}

/// The number that a file holds and nothing else.
fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// What is left of `ulimit -v` and `ulimit -d`.
fn of_process() -> impl Iterator<Item = u64> {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let page = rustix::param::page_size() as u64;
    let used = move |place: usize| {
        let pages = pages.split_ascii_whitespace().nth(place)?;
        pages.parse::<u64>().ok()?.checked_mul(page)
    };
    [(Resource::As, 0), (Resource::Data, 5)].into_iter().filter_map(move |(resource, place)| {
        getrlimit(resource).current.map(|limit| limit.saturating_sub(used(place).unwrap_or(0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:   1000 kB\nMemFree:     100 kB\nMemAvailable:   600 kB\n\
        CommitLimit:    900 kB\nCommitted_AS:   500 kB\n";

    #[test]
    fn a_kernel_that_promises_little_is_believed() {
        assert_eq!(of_machine(MEMINFO, false), Some(600 << 10));
        assert_eq!(of_machine(MEMINFO, true), Some(400 << 10));
        assert_eq!(of_machine("MemFree: 100 kB\n", true), Some(100 << 10));
        assert_eq!(of_machine("MemAvailable: lots\n", false), None);
    }

    #[test]
    fn the_tightest_group_counts_and_files_in_memory_do_not() {
        let root = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("memory.max", "max\n");
        put("batch/memory.max", "1000\n");
        put("batch/memory.current", "700\n");
        put("batch/memory.stat", "anon 500\ninactive_file 150\n");
        put("batch/job/memory.max", "2000\n");
        put("batch/job/memory.current", "10\n");
        assert_eq!(of_groups("0::/batch/job\n", root.path()), Some(450));
        assert_eq!(of_groups("0::/\n", root.path()), None);
        // As seen from within a container: the folder that is named is not there.
        assert_eq!(of_groups("0::/batch/gone\n", root.path()), Some(450));

        put("memory/a/memory.limit_in_bytes", "5000");
        put("memory/a/memory.usage_in_bytes", "4000");
        put("memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 100\n");
        assert_eq!(of_groups("4:cpu,memory:/a\n1:cpuset:/\n", root.path()), Some(1100));
        assert_eq!(of_groups("4:memory:/a\n0::/batch\n", root.path()), Some(450));
    }

    #[test]
    fn what_a_process_takes_is_subtracted_from_its_limits() {
        // No test may set limits for all others: what there is must be above 0 and below all.
        for left in of_process() {
            assert!(left > 0);
        }
        assert!(limit().is_some_and(|left| left > 0));
    }
}
