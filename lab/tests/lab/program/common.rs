//! Runs of the program.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use crate::shared::Built;

/// The built program.
pub const LAB: Built = Built { name: "equipoise-lab", path: env!("CARGO_BIN_EXE_equipoise-lab") };

/// Runs the program in `folder` with arguments separated by spaces.
pub fn run(folder: &Path, arguments: &str) -> Output {
    LAB.run(folder, arguments)
}

/// Runs the program, which must succeed. Returns its standard output.
pub fn stdout_of(folder: &Path, arguments: &str) -> String {
    LAB.stdout_of(folder, arguments)
}

/// The JSON document that the program prints.
pub fn json_of(folder: &Path, arguments: &str) -> serde_json::Value {
    LAB.json_of(folder, arguments)
}

/// Runs the program, which must fail with this exit code. Returns its errors.
pub fn failure_of(folder: &Path, arguments: &str, code: i32) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A folder, on a machine with a GPU, which can be one in software.
#[cfg(feature = "wgpu")]
pub fn folder_with_gpu() -> tempfile::TempDir {
    crate::experiments::gpu::common::device();
    tempfile::tempdir().unwrap()
}
