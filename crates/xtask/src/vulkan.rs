//! A Vulkan device for the tests of GPU code: lavapipe, which needs no GPU.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use crate::packages;

const ELSEWHERE: &str = "lavapipe, the software Vulkan device that GPU code is tested on, is not \
    installed: its package is called mesa-vulkan-drivers on Fedora and vulkan-swrast on Arch";

/// On other systems than Linux, the tests of GPU code use the system's graphics interface.
pub const IS_LAVAPIPE_EXPECTED: bool = cfg!(target_os = "linux");

/// Ensures that lavapipe is installed where it is expected.
pub fn ensure() -> Result<(), String> {
    if !IS_LAVAPIPE_EXPECTED || is_installed() {
        return Ok(());
    }
    packages::install(&["mesa-vulkan-drivers"], ELSEWHERE)?;
    if is_installed() {
        Ok(())
    } else {
        Err("mesa-vulkan-drivers is installed, but has no lavapipe".into())
    }
}

/// A folder for `XDG_RUNTIME_DIR` if the environment has none: lavapipe complains without it.
pub fn runtime_folder() -> Result<Option<PathBuf>, String> {
    if env::var_os("XDG_RUNTIME_DIR").is_some() {
        return Ok(None);
    }
    let folder = crate::workspace().join("target").join("runtime");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
    Ok(Some(folder))
}

/// Whether one of the folders or files in which Vulkan looks for drivers names lavapipe.
fn is_installed() -> bool {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(env::var_os);
    match named.into_iter().flatten().next() {
        Some(files) => env::split_paths(&files).any(|file| file.exists() && is_lavapipe(&file)),
        None => data_folders().any(|folder| has_lavapipe(&folder.join("vulkan/icd.d"))),
    }
}

fn data_folders() -> impl Iterator<Item = PathBuf> {
    let folders = env::var_os("XDG_DATA_DIRS").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let home = env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let usual = ["/usr/share", "/usr/local/share", "/etc"].map(PathBuf::from);
    folders.into_iter().chain(home).chain(usual)
}

fn has_lavapipe(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| is_lavapipe(&entry.path()))
}

fn is_lavapipe(file: &Path) -> bool {
    let name = file.file_name().map(OsString::from).unwrap_or_default();
    name.to_string_lossy().starts_with("lvp_icd")
}
