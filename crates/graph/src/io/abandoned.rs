//! Temporary files of programs that were killed: the next one that writes to their folder clears
//! them.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

/// What the names of temporary files start with.
pub(super) const PREFIX: &str = ".equipoise-";

/// Younger files are left alone: they may not be locked yet.
const YOUNGEST: Duration = Duration::from_secs(60);

/// Marks a temporary file as in use, for as long as it is open.
pub(super) fn claim(file: &File) {
    // Where a file system has no locks, files are never taken for abandoned, either.
    let _ = file.try_lock();
}

/// Removes the temporary files in a folder that no program has open any more.
pub(super) fn clear(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if is_ours && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    let is_old = |file: &File| -> std::io::Result<bool> {
        let metadata = file.metadata()?;
        let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
        Ok(metadata.is_file() && age >= YOUNGEST)
    };
    // A link, or whatever else has such a name, is not ours.
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let Some(file) = is_file.then(|| File::open(path).ok()).flatten() else { return false };
    is_old(&file).unwrap_or(false) && file.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_files_that_nobody_has_open_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            file
        };
        let old = Duration::from_secs(3600);
        drop(put(".equipoise-abandoned", old));
        drop(put(".equipoise-young", Duration::ZERO));
        drop(put("results.tsv", old));
        let in_use = put(".equipoise-in-use", old);
        claim(&in_use);
        clear(folder.path());
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into()).collect();
            names.sort();
            names
        };
        assert_eq!(names(folder.path()), [".equipoise-in-use", ".equipoise-young", "results.tsv"]);
        drop(in_use);
        clear(folder.path());
        assert_eq!(names(folder.path()), [".equipoise-young", "results.tsv"]);
    }

    #[test]
    fn writing_a_file_clears_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let abandoned = folder.path().join(".equipoise-abandoned");
        let file = File::create(&abandoned).unwrap();
        file.set_modified(SystemTime::now() - 2 * YOUNGEST).unwrap();
        drop(file);
        crate::io::write_file(&folder.path().join("a.txt"), |out| out.write_all(b"a")).unwrap();
        assert!(!abandoned.exists());
    }
}
