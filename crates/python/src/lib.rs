//! The compiled part of the Python package `equipoise`: graphs and matrices on devices, and what algorithms find, as
//! arrays that NumPy looks at where they are. What people call is written in Python, and calls this.

mod algorithms;
mod array;
mod errors;
mod found;
mod graph;
mod input;
mod matrix;
mod options;
mod shared;
mod work;

use pyo3::prelude::*;

/// The devices that algorithms can run on, as JSON.
#[pyfunction]
fn devices(py: Python<'_>) -> PyResult<String> {
    let devices = work::run(py, || Ok(equipoise::device::list()))?;
    found::as_json(&devices)
}

/// Runs the program `equipoise` with these arguments, its name first, and gives its exit code.
#[pyfunction]
fn program(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| equipoise_cli::main(arguments))
}

/// Panics, so that tests see what becomes of a panic.
#[cfg(debug_assertions)]
#[pyfunction]
fn panic(py: Python<'_>, message: String) -> PyResult<()> {
    work::run(py, move || std::panic::panic_any(message))
}

/// What the package's files in Python call.
#[pymodule]
mod _native {
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::panic;
    #[pymodule_export]
    use super::{
        algorithms::{
            apsp, betweenness, bfs, bfs_many, color, communities, components, explain, kcore, mis,
            mst, pagerank, paths, sssp, triangles,
        },
        array::Array,
        devices,
        errors::Error,
        found::Found,
        graph::Graph,
        matrix::Matrix,
        program,
    };
}
