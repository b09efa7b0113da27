//! The models shipped with the program.

use std::sync::LazyLock;

use crate::Model;

/// The model files, one for each algorithm and kind of device.
const FILES: &[&str] = &[
    include_str!("../models/bfs-gpu.json"),
    include_str!("../models/bfs-cpu.json"),
    include_str!("../models/sssp-gpu.json"),
    include_str!("../models/spmv-gpu.json"),
    include_str!("../models/color-gpu.json"),
    include_str!("../models/color-switch-gpu.json"),
];

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
    // Invalid files are skipped; a test asserts that all are valid.
    FILES.iter().filter_map(|text| Model::from_json(text).ok()).collect()
});

impl Model {
    /// The embedded model for an algorithm and a kind of device, if one exists: `gpu` (measured on
    /// an H200) or `cpu`.
    ///
    /// ```
    /// use equipoise_select::Model;
    ///
    /// assert!(Model::embedded("sorting", "gpu").is_none());
    /// ```
    pub fn embedded(algorithm: &str, device: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| {
            let description = model.description();
            description.algorithm == algorithm && description.device == device
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_model_of_its_own() {
        let names = |model: &Model| {
            let description = model.description();
            (description.algorithm.clone(), description.device.clone())
        };
        let mut all: Vec<_> =
            FILES.iter().map(|text| names(&Model::from_json(text).unwrap())).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), FILES.len());
    }
}
