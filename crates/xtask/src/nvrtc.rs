//! NVRTC, NVIDIA's runtime compiler, with which tests compile kernels for CUDA without a GPU.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::packages;

/// Python packages that hold the compiler, and the headers that kernels include.
const WHEELS: [&str; 2] = ["nvidia-cuda-nvrtc-cu12==12.9.86", "nvidia-cuda-runtime-cu12==12.9.79"];

const PIPS: [&[&str]; 3] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip"]];

/// Fetches NVRTC, unless it is there, and gives its folder. Tests take it on Linux only.
pub fn ensure() -> Result<Option<PathBuf>, String> {
    if !cfg!(target_os = "linux") {
        println!("── kernels are not compiled for CUDA: that is done on Linux only");
        return Ok(None);
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let folder = workspace.unwrap_or(Path::new(".")).join("target/nvrtc");
    let stamp = folder.join("wheels.txt");
    let wheels = WHEELS.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wheels) {
        return Ok(Some(folder));
    }
    fetch(&folder)?;
    fs::write(&stamp, wheels).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(Some(folder))
}

fn fetch(folder: &Path) -> Result<(), String> {
    println!("── fetching NVRTC: {}", WHEELS.join(", "));
    let mut pip = pip()?;
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade"])
        .args(["--root-user-action", "ignore", "--only-binary", ":all:", "--target"])
        .arg(folder)
        .args(WHEELS);
    match pip.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("NVRTC could not be fetched: pip ended with {status}")),
        Err(error) => Err(format!("pip could not be started: {error}")),
    }
}

/// pip, which is installed where it is missing.
fn pip() -> Result<Command, String> {
    if let Some(pip) = find_pip() {
        return Ok(pip);
    }
    packages::install(&["python3-pip"], "pip, with which NVRTC is fetched, is not installed")?;
    find_pip().ok_or_else(|| "python3-pip is installed, but cannot be started".into())
}

fn find_pip() -> Option<Command> {
    let command = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    let works = |words: &&&[&str]| {
        command(words).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    PIPS.iter().find(works).map(|words| command(words))
}
