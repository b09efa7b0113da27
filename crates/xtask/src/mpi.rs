//! The MPI program: compiled with each installed MPI, and run with its `mpirun`.

use std::{env, fs, path::Path, process::Command};

use crate::{
    command::{cargo, succeed, works},
    packages, workspace,
};

/// An MPI implementation, as installed by Debian next to others.
struct Mpi {
    name: &'static str,
    /// Its compiler wrapper; the crate `mpi-sys` queries it for headers and libraries.
    compiler: &'static str,
    launcher: &'static str,
}

const OPEN_MPI: Mpi =
    Mpi { name: "openmpi", compiler: "mpicc.openmpi", launcher: "mpirun.openmpi" };
const MPICH: Mpi = Mpi { name: "mpich", compiler: "mpicc.mpich", launcher: "mpirun.mpich" };
/// The only MPI of a system.
const ANY: Mpi = Mpi { name: "any", compiler: "mpicc", launcher: "mpirun" };

/// Both implementations, and the library with which the crate `bindgen` parses their headers.
const PACKAGES: [&str; 6] = [
    "libopenmpi-dev",
    "openmpi-bin",
    "libmpich-dev",
    "mpich",
    "libclang1-14",
    "libclang-common-14-dev",
];

const ELSEWHERE: &str = "MPI is not installed: Open MPI or MPICH with their headers, and libclang";

/// For the whole workspace: everything but the program was checked before, with the same features.
const LINTS: &[&str] =
    &["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"];
const DOCUMENTATION: &[&str] = &["doc", "--workspace", "--all-features", "--no-deps"];

/// Without GPUs.
const TESTS: &[&str] =
    &["test", "--package", "equipoise-mpi", "--features", "faults", "--no-fail-fast"];

/// With GPUs, whose code is slow to compile: with the features of all other tests, and in their
/// build folder.
const WITH_GPUS: &[&str] = &[
    "test",
    "--workspace",
    "--all-features",
    "--test",
    "mpi_comm",
    "--test",
    "mpi_gpu",
    "--test",
    "mpi_program",
    "--no-fail-fast",
];

/// Lints and documents the program, and tests it with each MPI. Prints a note if none is installed.
pub fn run() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        println!("── SKIPPED: the program for MPI is tested on Linux only");
        return Ok(());
    }
    if !(OPEN_MPI.is_installed() && MPICH.is_installed() && has_libclang())
        && let Err(message) = packages::install(&PACKAGES, ELSEWHERE)
    {
        println!("── {message}");
    }
    let mut installed: Vec<Mpi> = [MPICH, OPEN_MPI].into_iter().filter(Mpi::is_installed).collect();
    if installed.is_empty() {
        installed.extend(Some(ANY).filter(Mpi::is_installed));
    }
    let (Some(first), Some(last)) = (installed.first(), installed.last()) else { return skipped() };
    if !has_libclang() {
        return skipped();
    }
    let all = workspace().join("target");
    let own = all.join(format!("mpi-{}", first.name));
    last.cargo(LINTS, &all)?;
    last.cargo(DOCUMENTATION, &all)?;
    first.cargo(TESTS, &own)?;
    last.cargo(WITH_GPUS, &all)
}

fn skipped() -> Result<(), String> {
    println!("── SKIPPED: NOTHING OF THE PROGRAM FOR MPI IS TESTED: {ELSEWHERE}");
    Ok(())
}

impl Mpi {
    fn is_installed(&self) -> bool {
        let programs = [self.compiler, self.launcher];
        programs.iter().all(|program| works(Command::new(program).arg("--version")))
    }

    /// Runs cargo for this MPI. Each has a separate build folder: `mpi-sys` is not rebuilt when
    /// only the variable that names the compiler changes.
    fn cargo(&self, arguments: &[&str], folder: &Path) -> Result<(), String> {
        let line = format!(
            "MPICC={} EQUIPOISE_MPIRUN={} CARGO_TARGET_DIR={} cargo {}",
            self.compiler,
            self.launcher,
            folder.display(),
            arguments.join(" ")
        );
        println!("── {line}");
        let mut command = cargo();
        command
            .args(arguments)
            .env("MPICC", self.compiler)
            .env("EQUIPOISE_MPIRUN", self.launcher)
            .env("CARGO_TARGET_DIR", folder)
            .env("RUSTDOCFLAGS", "--deny warnings");
        succeed(&mut command, &format!("{line}: cargo"))
    }
}

/// Whether `bindgen` finds a libclang.
fn has_libclang() -> bool {
    let of_llvm = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let of_llvm = of_llvm
        .filter(|folder| folder.file_name().to_string_lossy().starts_with("llvm-"))
        .map(|folder| folder.path().join("lib"));
    let usual = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(Into::into);
    let named = env::var_os("LIBCLANG_PATH").map(Into::into);
    named.into_iter().chain(of_llvm).chain(usual).any(|folder| holds_libclang(&folder))
}

fn holds_libclang(folder: &Path) -> bool {
    let Ok(files) = fs::read_dir(folder) else { return false };
    files.flatten().any(|file| {
        let name = file.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libclang.so") || name.starts_with("libclang-") && name.contains(".so")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_not_installed() {
        assert!(!Mpi { compiler: "no-such-mpicc", ..ANY }.is_installed());
        assert!(!Mpi { launcher: "no-such-mpirun", compiler: "true", ..ANY }.is_installed());
    }

    #[test]
    fn a_folder_without_libclang_has_none() {
        assert!(!holds_libclang(&workspace().join("crates")));
        assert!(!holds_libclang("no/such/folder".as_ref()));
    }
}
