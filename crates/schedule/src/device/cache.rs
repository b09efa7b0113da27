//! Compiled kernels on disk.
//!
//! CubeCL's key of a kernel contains neither its code nor the GPU's architecture. So the name of the folder contains
//! both: the id of this build, which links CubeCL, and the architecture.

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use super::{build, driver};

/// Folders of builds that did not run for this time are removed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A file in each folder of this program. It names the machine that used the folder last, and a program that uses the
/// folder locks it.
const MARKER: &str = "equipoise-kernels";

/// The marker of the folder in use, with its lock.
static IN_USE: OnceLock<File> = OnceLock::new();

/// Why compiled kernels are not cached, until it is reported.
static PROBLEM: Mutex<Option<String>> = Mutex::new(None);

/// Why compiled kernels are not cached, unless already reported.
pub(super) fn take_problem() -> Option<String> {
    PROBLEM.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The folder for the kernels of this build on this machine's GPUs. None without CUDA (CubeCL caches nothing for wgpu),
/// if the folder is not writable, if other users can write to it, or if caching is off.
pub(super) fn folder() -> Option<PathBuf> {
    let root = root(env::var_os("EQUIPOISE_CACHE"), dirs::cache_dir())?;
    let architecture = driver::architecture()?;
    let folder = root.join(name(build::id()?, architecture));
    create(&folder).ok()?;
    if let Some(problem) = [&root, &folder].into_iter().find_map(|folder| distrust(folder)) {
        *PROBLEM.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
        return None;
    }
    let _ = IN_USE.set(mark(&folder).ok()?);
    remove_old(&root, KEPT);
    Some(folder)
}

/// The name of a build's folder.
fn name(build: u64, architecture: u32) -> String {
    format!("{build:016x}-sm{architecture}")
}

/// The folder of all builds, from `EQUIPOISE_CACHE` and the user's cache folder.
fn root(setting: Option<OsString>, user: Option<PathBuf>) -> Option<PathBuf> {
    match setting.filter(|setting| !setting.is_empty()) {
        Some(setting) if setting == "off" => None,
        Some(setting) => Some(PathBuf::from(setting).join("kernels")),
        None => Some(user?.join("equipoise").join("kernels")),
    }
}

/// Creates the folder, for this user alone.
fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Writes the marker of a folder; its time and lock show that the folder is in use.
fn mark(folder: &Path) -> io::Result<File> {
    let mut marker =
        File::options().write(true).create(true).truncate(true).open(folder.join(MARKER))?;
    marker.write_all(machine().unwrap_or_default().as_bytes())?;
    // Without locks folders are never removed.
    let _ = marker.try_lock_shared();
    Ok(marker)
}

/// Why other users may have written to a folder, if they may.
#[cfg(unix)]
fn distrust(folder: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(folder).ok()?;
    // SAFETY: it only asks for a number.
    let why = match (metadata.uid() == unsafe { libc::geteuid() }, metadata.mode() & 0o022) {
        (false, _) => "belongs to another user",
        (true, 0) => return None,
        (true, _) => "can be written by other users",
    };
    Some(format!(
        "compiled kernels are not kept, as their folder {} {why}: EQUIPOISE_CACHE names another one, or `off`",
        folder.display()
    ))
}

#[cfg(not(unix))]
fn distrust(_: &Path) -> Option<String> {
    None
}

/// The id of this machine, which distinguishes it from others that share the folders but not the locks.
fn machine() -> Option<String> {
    let id = fs::read_to_string("/etc/machine-id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

/// Removes folders of this program and machine that are neither in use nor recently used. Failures are ignored.
fn remove_old(root: &Path, age: Duration) {
    for folder in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_ours = folder.file_name().to_str().is_some_and(is_named_as_ours);
        let is_folder = folder.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_folder && is_unused(&folder.path().join(MARKER), age).unwrap_or(false) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

/// Whether a name is a hash and an architecture.
fn is_named_as_ours(name: &str) -> bool {
    let has_digits =
        |text: &str, radix| !text.is_empty() && text.chars().all(|digit| digit.is_digit(radix));
    name.rsplit_once("-sm")
        .is_some_and(|(hash, sm)| hash.len() >= 16 && has_digits(hash, 16) && has_digits(sm, 10))
}

/// Whether a marker was last used by this machine, longer ago than `least_age`, and is not locked.
fn is_unused(marker: &Path, least_age: Duration) -> io::Result<bool> {
    let file = File::open(marker)?;
    let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
    let is_here =
        machine().is_some_and(|id| fs::read_to_string(marker).is_ok_and(|last| last == id));
    Ok(age > least_age && is_here && file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, time::Duration};

    use super::{MARKER, create, distrust, machine, mark, name, remove_old, root};

    #[test]
    fn the_setting_moves_the_folder_or_turns_caching_off() {
        let user = || Some(PathBuf::from("/home/me/.cache"));
        let expected = PathBuf::from("/home/me/.cache/equipoise/kernels");
        assert_eq!(root(None, user()), Some(expected.clone()));
        assert_eq!(root(Some("".into()), user()), Some(expected));
        assert_eq!(root(Some("off".into()), user()), None);
        assert_eq!(root(Some("/scratch".into()), user()), Some("/scratch/kernels".into()));
        assert_eq!(root(None, None), None);
    }

    #[test]
    fn builds_and_architectures_have_separate_folders() {
        assert_eq!(name(0x123, 90), "0000000000000123-sm90");
        let names = [name(1, 90), name(1, 89), name(2, 90)];
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
    }

    const NAME: &str = "0123456789abcdef-sm90";

    #[test]
    fn folders_are_private() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("kernels").join(NAME);
        create(&folder).unwrap();
        create(&folder).unwrap();
        assert_eq!(distrust(&folder), None);
        fs::write(root.path().join("file"), "").unwrap();
        assert!(create(&root.path().join("file").join("folder")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_is_not_trusted() {
        use std::os::unix::fs::{PermissionsExt, chown};
        let folder = tempfile::tempdir().unwrap();
        for (mode, is_trusted) in [(0o700, true), (0o755, true), (0o775, false), (0o1777, false)] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(distrust(folder.path()).is_none(), is_trusted, "{mode:o}");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        // Only root can give a folder away.
        if chown(folder.path(), Some(12345), None).is_ok() {
            assert!(distrust(folder.path()).unwrap().contains("belongs to another user"));
        }
    }

    #[test]
    fn only_old_folders_of_this_program_and_machine_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let marked = |name: &str| {
            let folder = root.path().join(name);
            create(&folder).unwrap();
            drop(mark(&folder).unwrap());
            folder
        };
        let (old, used) = (marked(NAME), marked("0123456789abcdef-sm89"));
        let others = ["notes", "0123-sm90", "0123456789abcdef-sm", "kernels-sm90"].map(marked);
        let (unmarked, elsewhere) =
            (marked("1123456789abcdef-sm90"), marked("2123456789abcdef-sm90"));
        fs::remove_file(unmarked.join(MARKER)).unwrap();
        fs::write(elsewhere.join(MARKER), "another machine").unwrap();
        let lock = mark(&used).unwrap();
        remove_old(root.path(), Duration::from_secs(1000));
        assert!(old.exists());
        std::thread::sleep(Duration::from_millis(20));
        remove_old(root.path(), Duration::from_millis(1));
        // Without a machine id nothing is removed.
        assert_eq!(old.exists(), machine().is_none());
        assert!(others.iter().chain([&used, &unmarked, &elsewhere]).all(|folder| folder.exists()));
        drop(lock);
    }
}
