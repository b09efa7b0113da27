//! The compiled part of the Python package `equipoise`: graphs and matrices on devices, and results
//! as arrays that NumPy reads in place. The public interface is written in Python, and calls this
//! module.

mod array;
mod device_array;
mod device_input;
mod device_product;
mod dlpack;
mod errors;
mod explain;
#[cfg(debug_assertions)]
mod for_tests;
mod graph;
mod input;
mod listed;
mod matrix;
mod options;
mod run_result;
mod shared;
mod work;

use pyo3::prelude::*;

/// The devices of this machine, as JSON.
#[pyfunction]
fn devices(py: Python<'_>) -> PyResult<String> {
    let devices = work::run(py, || Ok(equipoise::device::list()))?;
    run_result::as_json(&devices)
}

/// Runs the program `equipoise` with `arguments`, whose first is the program's name, and returns
/// its exit code. `launcher` is the command that starts it again.
#[pyfunction]
fn program(
    py: Python<'_>,
    arguments: Vec<std::ffi::OsString>,
    launcher: Vec<std::ffi::OsString>,
) -> u8 {
    equipoise_cli::launcher::set(launcher);
    py.detach(|| equipoise_cli::main(arguments))
}

/// Panics, for tests of the handling of panics.
#[cfg(debug_assertions)]
#[pyfunction]
fn panic(py: Python<'_>, message: String) -> PyResult<()> {
    work::run(py, move || std::panic::panic_any(message))
}

/// The module that the package's Python files import.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        array::Array,
        device_array::DeviceArray,
        devices,
        errors::{ConvergenceError, Error, VerificationError},
        explain::explain,
        graph::Graph,
        listed::{algorithms, run, verifies_by_default},
        matrix::Matrix,
        program,
        run_result::RunResult,
    };
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::{
        for_tests::{described_capsule, host_capsule, living_capsules},
        panic,
    };
}
