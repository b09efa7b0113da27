//! Developer tasks. `cargo xtask test` runs everything that a change must pass.

mod build_times;
mod chromium;
mod command;
mod concurrent;
mod licences;
mod lines;
mod mpi;
mod nvrtc;
mod packages;
mod pip;
mod python;
mod spdx;
mod step;
mod test;
mod times;
mod typos;
#[cfg(test)]
mod versions;
mod vulkan;
mod workspace;

use std::process::ExitCode;

use workspace::workspace;

const USAGE: &str = "\
Developer tasks of Equipoise.

Usage: cargo xtask <TASK>

Tasks:
  test      Check formatting, licences, spelling, lints and documentation, then run the tests
  licences  Check that deny.toml allows the licence of every dependency
  typos     Check the spelling of code and documents
  python    Compile the Python package, and run its tests
  mpi       Compile the program for MPI with each that is installed, and run its tests with mpirun
  nvrtc     Fetch the compiler with which the tests compile kernels for CUDA
  lines     Count the lines of code of each schedule, and of algorithms on the operators
  build-times
            Build the program from nothing, and write the times of packages to docs/internals.md

Options of test:
  --quick   For between two changes: formatting, licences, spelling, the lints of libraries and
            programs, the unit tests of graph, select and xtask, and the tests of what the
            programs print. Left out are all tests of GPU code and of algorithms, the other tests
            of the programs, the Python package, MPI, examples, benchmarks and documentation
  --thorough
            For after a change of a kernel, and before a release: also every option, setting and
            limit on a GPU, and a software GPU with planes of 4 and 16
  --times   Name each step, test program and test that takes over 20 seconds
  --list    Print the commands instead of running them";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["test", ref options @ ..] => {
            test::run(options).unwrap_or_else(|message| usage_error(&message))
        }
        ["licences"] => code_of(licences::run()),
        ["typos"] => code_of(typos::run()),
        ["python"] => code_of(python::run()),
        ["mpi"] => code_of(mpi::run()),
        ["nvrtc"] => code_of(nvrtc::ensure().map(drop)),
        ["lines"] => code_of(lines::run()),
        ["build-times"] => code_of(build_times::run()),
        ["timed", program, ref arguments @ ..] => times::run(program, arguments),
        ["-h" | "--help" | "help"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        [] => usage_error("no task is given"),
        [task] => usage_error(&format!(
            "unknown task `{task}`; known are: `test`, `licences`, `typos`, `python`, `mpi`, `nvrtc`, `lines`, `build-times`"
        )),
        [_, argument, ..] => usage_error(&format!("`{argument}` is not understood")),
    }
}

fn code_of(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{USAGE}");
    ExitCode::from(2)
}
