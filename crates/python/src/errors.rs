//! Conversion of failures to Python exceptions.

use std::{io, path::Path};

use equipoise::graph::{Error as GraphError, Remedy};
use equipoise_schedule::Error as DeviceError;
use pyo3::{
    create_exception,
    exceptions::{
        PyIndexError, PyMemoryError, PyOSError, PyOverflowError, PyRuntimeError, PyValueError,
    },
    prelude::*,
};

create_exception!(
    equipoise,
    Error,
    PyRuntimeError,
    "A device failed, a result is wrong, or Equipoise has a defect.\n\nWhat Python has an exception for raises that: \
     ValueError for an option or an array, IndexError for a vertex, MemoryError for what does not fit, OSError for a file."
);

create_exception!(equipoise, VerificationError, Error, "A verifier found a result wrong.");

create_exception!(
    equipoise,
    ConvergenceError,
    Error,
    "Iterations ended before the result was within its tolerance."
);

/// Why a call failed.
pub enum Failure {
    /// An error of the library.
    Library(equipoise::Error),
    /// An invalid argument.
    Value(String),
    /// A result that exceeds the range of the Python type.
    Overflow(String),
    /// A panic of the library.
    Panic(String),
}

impl<E: Into<equipoise::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Library(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Library(error) => of_library(&error),
            Failure::Value(message) => PyValueError::new_err(message),
            Failure::Overflow(message) => PyOverflowError::new_err(message),
            Failure::Panic(message) => Error::new_err(format!(
                "Equipoise has a defect, please report it with what you called: {message}"
            )),
        }
    }
}

fn of_library(error: &equipoise::Error) -> PyErr {
    use equipoise::Error as Library;
    let message = error.to_string();
    match error {
        Library::Graph(error) => of_graph(error),
        Library::Device(error) => of_device(error),
        Library::NoSuchVertex { .. } => PyIndexError::new_err(message),
        Library::Option(_)
        | Library::Shape(_)
        | Library::BadWeight { .. }
        | Library::WeightsTooWide { .. } => PyValueError::new_err(message),
        Library::NotConverged { .. } => ConvergenceError::new_err(message),
        Library::Wrong(_) => VerificationError::new_err(message),
        Library::TooFar { .. } => PyOverflowError::new_err(message),
        _ => Error::new_err(message),
    }
}

fn of_graph(error: &GraphError) -> PyErr {
    let message = error.to_string();
    match error {
        GraphError::Io { path, source } => of_file(path, source, message),
        GraphError::VertexOutOfRange { .. } => PyIndexError::new_err(message),
        GraphError::OutOfMemory { .. } | GraphError::TooManyForDevice { .. } => {
            PyMemoryError::new_err(message)
        }
        GraphError::Changed { .. } => Error::new_err(message),
        GraphError::Unclear { remedy, .. } => match advice(*remedy) {
            Some(advice) => PyValueError::new_err(format!("{message} (pass {advice})")),
            None => PyValueError::new_err(message),
        },
        _ => PyValueError::new_err(message),
    }
}

/// The keyword of `equipoise.read` that resolves an ambiguity of a file.
fn advice(remedy: Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Header => "header=True or header=False".into(),
        Remedy::Columns => "columns=[1, 2] or the names of columns".into(),
        Remedy::Ids => "ids=\"names\" to keep them, or ids=\"numbers\" to leave them out".into(),
        Remedy::Names => "ids=\"names\" if vertices are called by names".into(),
        Remedy::Numbers => "ids=\"numbers\" to call vertices by their ids".into(),
        Remedy::Format(format) => format!("format=\"{format}\""),
        _ => return None,
    })
}

/// Python derives the class from the error number: FileNotFoundError, PermissionError and so on.
fn of_file(path: &Path, error: &io::Error, message: String) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let (text, path) = (error.to_string(), path.display().to_string());
            // Python appends the error number itself.
            let reason = text.split(" (os error").next().unwrap_or(&text).to_owned();
            PyOSError::new_err((number, reason, path))
        }
        None => io::Error::new(error.kind(), message).into(),
    }
}

fn of_device(error: &DeviceError) -> PyErr {
    let message = error.to_string();
    match error {
        DeviceError::OutOfMemory { .. }
        | DeviceError::BufferTooLarge { .. }
        | DeviceError::TooMany { .. } => PyMemoryError::new_err(message),
        DeviceError::Schedule(_) => PyValueError::new_err(message),
        _ => Error::new_err(message),
    }
}
