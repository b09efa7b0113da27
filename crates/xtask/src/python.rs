//! The Python package: compiled, put beside its files in Python, and tested with what it is compared with.

use std::{
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{packages, step::cargo, workspace};

/// What the tests import: wheels only, so that nothing is compiled.
const WHEELS: [&str; 6] = [
    "mypy==2.4.1",
    "networkx==3.6.1",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "pytest==9.2.0",
    "scipy==1.17.1",
];

/// Libraries, and one small test: with the whole workspace and a test among what is compiled, dependencies have the
/// features that they have for `cargo test`, and are not compiled again.
const BUILD: &[&str] = &[
    "build",
    "--workspace",
    "--exclude",
    "equipoise-mpi",
    "--all-features",
    "--lib",
    "--test",
    "select",
];

const PYTHONS: [&str; 6] =
    ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
/// Ends well from Python 3.11 on, where it can make environments.
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
        // Nothing is left beside the sources.
        command.env("PYTHONPATH", &folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command.current_dir(&package).arg("-m").args(arguments);
        succeed(&mut command, arguments[0])
    };
    run(&["mypy", "--cache-dir", "../../target/mypy", "--package", "equipoise"])?;
    run(&["pytest", "--quiet", "-p", "no:cacheprovider"])
}

/// The package as it is installed: files in Python, and the compiled library by the name that all versions of Python
/// import.
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

/// Copies a folder with all that is in it.
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

/// The Python of an environment that has the wheels, made where it is missing or has others.
fn environment() -> Result<PathBuf, String> {
    let folder = workspace().join("target/python-venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (stamp, text) = (folder.join("wheels.txt"), WHEELS.join("\n"));
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|there| there == text) {
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

/// A Python that can make environments, which is installed where it is missing.
fn find_python() -> Result<&'static str, String> {
    if let Some(python) = PYTHONS.into_iter().find(|python| is_usable(python)) {
        return Ok(python);
    }
    packages::install(&["python3", "python3-venv"], ELSEWHERE)?;
    let python = PYTHONS.into_iter().find(|python| is_usable(python));
    python.ok_or_else(|| format!("python3-venv is installed, but {ELSEWHERE}"))
}

fn is_usable(python: impl AsRef<OsStr>) -> bool {
    Command::new(python).args(["-c", CHECK]).output().is_ok_and(|output| output.status.success())
}

fn succeed(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} ended with {status}")),
        Err(error) => Err(format!("{what} could not be started: {error}")),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_python_is_not_usable() {
        assert!(!is_usable("no-such-python"));
        assert!(!is_usable("false"));
    }

    #[test]
    fn a_command_that_fails_is_named() {
        let error = succeed(&mut Command::new("no-such-command"), "something").unwrap_err();
        assert!(error.starts_with("something could not be started"), "{error}");
    }

    /// A test that is not there would be an error of cargo that says nothing of Python.
    #[test]
    fn the_small_test_is_there() {
        assert!(BUILD.contains(&"select"));
        assert!(workspace().join("crates/select/tests/select").exists());
    }
}
