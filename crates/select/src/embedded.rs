//! Models that come with the program.

use std::sync::LazyLock;

use crate::Model;

/// The files, each of one algorithm and one kind of device.
const FILES: &[&str] = &[
    include_str!("../models/bfs-gpu.json"),
    include_str!("../models/bfs-cpu.json"),
    include_str!("../models/sssp-gpu.json"),
    include_str!("../models/spmv-gpu.json"),
    include_str!("../models/color-gpu.json"),
    include_str!("../models/color-switch-gpu.json"),
];

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
    // A test sees to it that all of them are valid.
    FILES.iter().filter_map(|text| Model::from_json(text).ok()).collect()
});

impl Model {
    /// The model for an algorithm that comes with the program, if there is one for that kind of
    /// device: `gpu`, which was measured on an H200, or `cpu`.
    ///
    /// ```
    /// use equipoise_select::Model;
    ///
    /// assert!(Model::embedded("sorting", "gpu").is_none());
    /// ```
    pub fn embedded(algorithm: &str, device: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| {
            let about = model.description();
            about.algorithm == algorithm && about.device == device
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_model_of_its_own() {
        let about = |model: &Model| {
            let about = model.description();
            (about.algorithm.clone(), about.device.clone())
        };
        let mut all: Vec<_> =
            FILES.iter().map(|text| about(&Model::from_json(text).unwrap())).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), FILES.len());
    }
}
