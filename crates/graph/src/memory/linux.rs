//! Memory limits on Linux: the machine's, the control groups' and the process' own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rustix::process::{Resource, getrlimit};

/// The least unused part of all known limits.
pub(super) fn limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let strict = number_in(Path::new("/proc/sys/vm/overcommit_memory")) == Some(2);
    let machine = machine.and_then(|text| machine_limit(&text, strict));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let groups = groups.and_then(|text| group_limit(&text, Path::new("/sys/fs/cgroup")));
    machine.into_iter().chain(groups).chain(process_limits()).min()
}

/// The resident bytes of this process that are not mapped from files.
pub(super) fn held() -> Option<u64> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = pages.split_ascii_whitespace().skip(1);
    let mut next = || pages.next()?.parse::<u64>().ok();
    let (resident, shared) = (next()?, next()?);
    resident.saturating_sub(shared).checked_mul(rustix::param::page_size() as u64)
}

/// The memory available without swapping according to `/proc/meminfo`; if the kernel does not
/// overcommit (`strict`), at most the uncommitted memory.
fn machine_limit(meminfo: &str, strict: bool) -> Option<u64> {
    let entry = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kibibytes.checked_mul(1024)
    };
    let free = entry("MemAvailable").or_else(|| entry("MemFree"));
    let uncommitted = || entry("CommitLimit")?.checked_sub(entry("Committed_AS")?);
    let uncommitted = if strict { uncommitted() } else { None };
    free.into_iter().chain(uncommitted).min()
}

/// The least unused part of the limits of the process' control groups, which `/proc/self/cgroup`
/// names, and of their ancestors.
fn group_limit(cgroup: &str, root: &Path) -> Option<u64> {
    let lines = cgroup.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        Some((parts.next()?, parts.next()?.trim_start_matches('/')))
    });
    let left = lines.filter_map(|(controllers, group)| match controllers {
        "" => {
            let unified = [root.to_owned(), root.join("unified")];
            unified.iter().filter_map(|root| least_unused(root, group, &UNIFIED)).min()
        }
        list if list.split(',').any(|name| name == "memory") => {
            least_unused(&root.join("memory"), group, &LEGACY)
        }
        _ => None,
    });
    left.min()
}

/// The names of the files of a control group.
struct Files {
    limit: &'static str,
    usage: &'static str,
    /// The key in `memory.stat` of the bytes of cached files, which can be read again.
    reclaimable: &'static str,
}

const UNIFIED: Files =
    Files { limit: "memory.max", usage: "memory.current", reclaimable: "inactive_file " };
const LEGACY: Files = Files {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file ",
};

/// The least unused part of the limits of a group and its ancestors. In a container, the group's
/// own folder may not exist, because only its ancestors are mounted.
fn least_unused(root: &Path, group: &str, files: &Files) -> Option<u64> {
    let own: PathBuf = root.join(group);
    let folders = own.ancestors().take_while(|folder| folder.starts_with(root));
    folders.filter_map(|folder| unused(folder, files)).min()
}

fn unused(folder: &Path, files: &Files) -> Option<u64> {
    let limit = number_in(&folder.join(files.limit))?;
    let usage = number_in(&folder.join(files.usage)).unwrap_or(0);
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let reclaimable = statistics.lines().find_map(|line| line.strip_prefix(files.reclaimable));
    let reclaimable = reclaimable.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
}

/// The number that is the only content of a file.
fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The unused parts of `ulimit -v` and `ulimit -d`.
fn process_limits() -> impl Iterator<Item = u64> {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let page = rustix::param::page_size() as u64;
    let used = move |field: usize| {
        let pages = pages.split_ascii_whitespace().nth(field)?;
        pages.parse::<u64>().ok()?.checked_mul(page)
    };
    [(Resource::As, 0), (Resource::Data, 5)].into_iter().filter_map(move |(resource, field)| {
        getrlimit(resource).current.map(|limit| limit.saturating_sub(used(field).unwrap_or(0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:   1000 kB\nMemFree:     100 kB\nMemAvailable:   600 kB\n\
        CommitLimit:    900 kB\nCommitted_AS:   500 kB\n";

    #[test]
    fn a_kernel_that_does_not_overcommit_limits_the_memory() {
        assert_eq!(machine_limit(MEMINFO, false), Some(600 << 10));
        assert_eq!(machine_limit(MEMINFO, true), Some(400 << 10));
        assert_eq!(machine_limit("MemFree: 100 kB\n", true), Some(100 << 10));
        assert_eq!(machine_limit("MemAvailable: lots\n", false), None);
    }

    #[test]
    fn the_strictest_group_counts_and_cached_files_do_not() {
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
        assert_eq!(group_limit("0::/batch/job\n", root.path()), Some(450));
        assert_eq!(group_limit("0::/\n", root.path()), None);
        // As in a container: the named folder does not exist.
        assert_eq!(group_limit("0::/batch/gone\n", root.path()), Some(450));

        put("memory/a/memory.limit_in_bytes", "5000");
        put("memory/a/memory.usage_in_bytes", "4000");
        put("memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 100\n");
        assert_eq!(group_limit("4:cpu,memory:/a\n1:cpuset:/\n", root.path()), Some(1100));
        assert_eq!(group_limit("4:memory:/a\n0::/batch\n", root.path()), Some(450));
    }

    #[test]
    fn the_memory_of_a_process_is_subtracted_from_its_limits() {
        // A test must not set limits, which would apply to all others.
        for left in process_limits() {
            assert!(left > 0);
        }
        assert!(limit().is_some_and(|left| left > 0));
    }
}
