//! Developer tasks. `cargo xtask test` is all that stands between a change and `main`.

mod chromium;
mod lines;
mod nvrtc;
mod packages;
mod test;
mod vulkan;

use std::process::ExitCode;

const USAGE: &str = "\
Developer tasks of Equipoise.

Usage: cargo xtask <TASK>

Tasks:
  test   Check formatting, lints and documentation, then run every test
  nvrtc  Fetch the compiler with which the tests compile kernels for CUDA
  lines  Count the lines of code of each schedule, and of algorithms on the operators";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["test"] => test::run(),
        ["nvrtc"] => fetch_nvrtc(),
        ["lines"] => lines::run(),
        ["-h" | "--help" | "help"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        [] => usage_error("no task is given"),
        [task] => {
            usage_error(&format!("there is no task `{task}`; known are: `test`, `nvrtc`, `lines`"))
        }
        [_, argument, ..] => usage_error(&format!("`{argument}` is not understood")),
    }
}

fn fetch_nvrtc() -> ExitCode {
    match nvrtc::ensure() {
        Ok(_) => ExitCode::SUCCESS,
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
