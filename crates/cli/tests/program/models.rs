//! The embedded model, and files that are no models. The tests of `equipoise-lab` cover models in files.

use std::fs;

use crate::{
    common::{run, stdout_of},
    gpu::folder_with_gpu,
};

#[test]
fn the_embedded_model_explains() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout_of(folder.path(), "explain star:n=50");
    assert!(text.contains("\nlevel 0 gets `fused-pu"), "{text}");
    assert!(text.contains("frontier_edges_relative is "), "{text}");
}

#[test]
fn files_that_are_no_models_are_refused() {
    let folder = folder_with_gpu();
    let folder = folder.path();
    fs::write(folder.join("model.json"), "{}").unwrap();
    for command in ["explain path:n=4", "bfs path:n=4 --device wgpu", "spmv path:n=4 --device wgpu"]
    {
        let output = run(folder, &format!("{command} --model model.json"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {error}");
        assert!(error.contains("model.json: this is not a model"), "{error}");
    }
}
