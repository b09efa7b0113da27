//! Removal of temporary files left behind by killed programs: the next program that writes to their
//! folder removes them.
//!
//! A lock shows whether a program still has such a file open, but locks may not work across
//! machines. So the name identifies the machine and its boot: only files of this boot are removed,
//! and only under names that this module generates.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

/// The prefix of the names of temporary files: on Linux, it contains the kernel's boot id.
pub(super) fn prefix() -> String {
    boot().map_or(".equipoise-".into(), |boot| format!(".equipoise-{boot}-"))
}

/// The number of random letters and digits after the prefix.
pub(super) const RANDOM: usize = 6;

/// Younger files are skipped: they may not be locked yet.
pub(super) const YOUNGEST: Duration = Duration::from_secs(60);

/// Locks a temporary file for as long as it is open.
pub(super) fn claim(file: &File) {
    // On a file system without locks, no file is ever considered abandoned.
    let _ = file.try_lock();
}

/// Removes the temporary files in a folder that were created since this machine's boot and that no
/// program has open.
pub(super) fn clear(folder: &Path) {
    if boot().is_none() {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let prefix = prefix();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_bytes());
        let is_ours = random.is_some_and(|random| {
            random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
        });
        if is_ours && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// An identifier of this machine's current boot; `None` if the system provides none.
fn boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let digits: String = id.chars().filter(char::is_ascii_hexdigit).collect();
    (digits.len() == 32).then_some(digits)
}

fn is_abandoned(path: &Path) -> bool {
    let is_old = |file: &File| -> std::io::Result<bool> {
        let metadata = file.metadata()?;
        let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
        Ok(metadata.is_file() && age >= YOUNGEST)
    };
    // Links and other file types with such a name are not ours.
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let Some(file) = is_file.then(|| File::open(path).ok()).flatten() else { return false };
    is_old(&file).unwrap_or(false) && file.try_lock().is_ok()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    const OLD: Duration = Duration::from_secs(3600);

    fn put(folder: &Path, name: &str, age: Duration) -> File {
        let file = File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
        file
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_old_files_that_nobody_has_open_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let name = |random: &str| format!("{}{random}", prefix());
        drop(put(folder.path(), &name("aband0"), OLD));
        drop(put(folder.path(), &name("youngF"), Duration::ZERO));
        let in_use = put(folder.path(), &name("InUse1"), OLD);
        claim(&in_use);
        clear(folder.path());
        assert_eq!(names(folder.path()), [name("InUse1"), name("youngF")]);
        drop(in_use);
        clear(folder.path());
        assert_eq!(names(folder.path()), [name("youngF")]);
    }

    /// Files of users, of other machines, and of earlier boots of this one.
    #[test]
    fn files_with_other_names_stay() {
        let folder = tempfile::tempdir().unwrap();
        let others = [
            ".equipoise-notes".to_owned(),
            ".equipoise-abc123".to_owned(),
            format!(".equipoise-{}-abc123", "0".repeat(32)),
            format!("{}abc1234", prefix()),
            format!("{}abc-12", prefix()),
            prefix(),
            format!("{}abc123", &prefix()[1..]),
            "results.tsv".to_owned(),
        ];
        others.iter().for_each(|name| drop(put(folder.path(), name, OLD)));
        clear(folder.path());
        assert_eq!(names(folder.path()).len(), others.len());
    }
}
