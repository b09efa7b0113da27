//! The `equipoise-mpi` program.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    ExitCode::from(equipoise_mpi::main(env::args_os().collect()))
}
