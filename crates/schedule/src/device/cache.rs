//! Compiled kernels on disk.
//!
//! CubeCL's key for a kernel holds neither its code nor the GPU's architecture, so both are in
//! the folder's name: a hash of this program, and the architecture.

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use xxhash_rust::xxh3::Xxh3;

use super::cuda;

/// The folders of programs that were not run for so long are removed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The folder for the kernels of this program on this machine's GPUs. None if there is no CUDA
/// (CubeCL caches nothing for wgpu), if it cannot be written, or if it is not wanted.
pub(super) fn folder() -> Option<PathBuf> {
    let root = root(env::var_os("EQUIPOISE_CACHE"), dirs::cache_dir())?;
    let architecture = cuda::architecture()?;
    let program = hash(&env::current_exe().ok()?).ok()?;
    let folder = root.join(format!("{program:016x}-sm{architecture}"));
    prepare(&folder).ok()?;
    remove_old(&root, KEPT);
    Some(folder)
}

/// The folder for the kernels of all programs, from `EQUIPOISE_CACHE` and the user's cache folder.
fn root(setting: Option<OsString>, user: Option<PathBuf>) -> Option<PathBuf> {
    match setting.filter(|setting| !setting.is_empty()) {
        Some(setting) if setting == "off" => None,
        Some(setting) => Some(PathBuf::from(setting).join("kernels")),
        None => Some(user?.join("equipoise").join("kernels")),
    }
}

fn hash(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hasher = Xxh3::new();
    let mut bytes = vec![0; 1 << 20];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hasher.digest()),
            count => hasher.update(&bytes[..count]),
        }
    }
}

/// Makes the folder and writes to it, which also notes in its time that it was used.
fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!("probe-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(&probe)
}

/// Removes what was not used for long. What cannot be removed stays.
fn remove_old(root: &Path, kept: Duration) {
    let folders = fs::read_dir(root).into_iter().flatten().flatten();
    for folder in folders {
        let used = folder.metadata().and_then(|metadata| metadata.modified());
        if used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > kept)) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, time::Duration};

    use super::{hash, prepare, remove_old, root};

    #[test]
    fn the_setting_moves_it_or_turns_it_off() {
        let user = || Some(PathBuf::from("/home/me/.cache"));
        let expected = PathBuf::from("/home/me/.cache/equipoise/kernels");
        assert_eq!(root(None, user()), Some(expected.clone()));
        assert_eq!(root(Some("".into()), user()), Some(expected));
        assert_eq!(root(Some("off".into()), user()), None);
        assert_eq!(root(Some("/scratch".into()), user()), Some("/scratch/kernels".into()));
        assert_eq!(root(None, None), None);
    }

    #[test]
    fn another_program_has_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, vec![1; 3 << 20]).unwrap();
        fs::write(&b, [vec![1; (3 << 20) - 1], vec![2]].concat()).unwrap();
        assert_eq!(hash(&a).unwrap(), hash(&a).unwrap());
        assert_ne!(hash(&a).unwrap(), hash(&b).unwrap());
        assert!(hash(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_folder_is_made_and_old_ones_go() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("0123-sm90");
        prepare(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        remove_old(root.path(), Duration::from_secs(1000));
        assert!(folder.exists());
        std::thread::sleep(Duration::from_millis(20));
        remove_old(root.path(), Duration::from_millis(1));
        assert!(!folder.exists());
        fs::write(root.path().join("file"), "").unwrap();
        assert!(prepare(&root.path().join("file").join("folder")).is_err());
    }
}
