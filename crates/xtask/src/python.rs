//! The Python package: compiled, staged with its Python files, and tested against its peers.

use std::{
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    command::{cargo, succeed, works, write},
    packages, workspace,
};

/// The packages that the tests import: wheels only, so that nothing is compiled.
const WHEELS: [&str; 6] = [
    "mypy==2.4.1",
    "networkx==3.6.1",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "pytest==9.2.0",
    "scipy==1.17.1",
];

/// The whole workspace, so that dependencies have the same features as for `cargo test`, and are
/// not rebuilt.
const BUILD: &[&str] =
    &["build", "--workspace", "--exclude", "equipoise-mpi", "--all-features", "--lib"];

const PYTHONS: [&str; 6] =
    ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
/// Succeeds from Python 3.11 on, if it can create environments.
const CHECK: &str = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))";
const ELSEWHERE: &str = "the Python package is tested with Python 3.11 or newer and its module venv, which were not \
    found: install them, so that `python3 -c 'import ensurepip, venv'` works";

/// Compiles the package and runs its tests.
pub fn run() -> Result<(), String> {
    succeed(cargo().args(BUILD), "compiling the Python package")?;
    let python = environment()?;
    let folder =
        stage().map_err(|error| format!("the package could not be put together: {error}"))?;
    let package = workspace().join("crates/python");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        // No files are written to the source folders.
        command.env("PYTHONPATH", &folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command.current_dir(&package).arg("-m").args(arguments);
        succeed(&mut command, arguments[0])
    };
    run(&["mypy", "--cache-dir", "../../target/mypy", "--package", "equipoise"])?;
    run(&["pytest", "--quiet", "-p", "no:cacheprovider"])
}

/// The package as installed: Python files, and the compiled library under the name that all
/// versions of Python import.
fn stage() -> io::Result<PathBuf> {
    let target = workspace().join("target");
    let folder = target.join("python");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    copy(&workspace().join("crates/python/python"), &folder)?;
    let package = folder.join("equipoise");
    let library = target.join("debug").join(format!("{DLL_PREFIX}_native{DLL_SUFFIX}"));
    let name = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    fs::copy(library, package.join(name))?;
    Ok(folder)
}

/// Copies a folder recursively.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The Python of an environment with the wheels, which is created if missing or outdated.
fn environment() -> Result<PathBuf, String> {
    let folder = workspace().join("target/python-venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (stamp, text) = (folder.join("wheels.txt"), WHEELS.join("\n"));
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|stamped| stamped == text) {
        return Ok(python);
    }
    println!("── installing {}", WHEELS.join(", "));
    let mut make = Command::new(find_python()?);
    succeed(make.args(["-m", "venv", "--clear"]).arg(&folder), "making a Python environment")?;
    let mut install = Command::new(&python);
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--only-binary", ":all:"])
        .args(WHEELS);
    succeed(&mut install, "installing what the Python tests import")?;
    write(&stamp, &text)?;
    Ok(python)
}

/// A Python that can create environments, which is installed if missing.
fn find_python() -> Result<&'static str, String> {
    if let Some(python) = PYTHONS.into_iter().find(|python| is_usable(python)) {
        return Ok(python);
    }
    packages::install(&["python3", "python3-venv"], ELSEWHERE)?;
    let python = PYTHONS.into_iter().find(|python| is_usable(python));
    python.ok_or_else(|| format!("python3-venv is installed, but {ELSEWHERE}"))
}

fn is_usable(python: impl AsRef<OsStr>) -> bool {
    works(Command::new(python).args(["-c", CHECK]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_are_not_usable_as_python() {
        assert!(!is_usable("no-such-python"));
        assert!(!is_usable("false"));
    }
}
