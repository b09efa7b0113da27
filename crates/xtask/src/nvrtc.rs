//! NVRTC, NVIDIA's runtime compiler, with which tests compile kernels for CUDA without a GPU.

use std::path::PathBuf;

use crate::pip;

/// Python packages with the compiler, and with the headers that kernels include. The Dockerfile
/// lists the same.
const WHEELS: [&str; 2] = ["nvidia-cuda-nvrtc-cu12==12.9.86", "nvidia-cuda-runtime-cu12==12.9.79"];

/// Downloads NVRTC, unless it exists, and returns its folder. Tests use it on Linux only.
pub fn ensure() -> Result<Option<PathBuf>, String> {
    if !cfg!(target_os = "linux") {
        println!("── kernels are not compiled for CUDA: that is done on Linux only");
        return Ok(None);
    }
    pip::ensure("nvrtc", &WHEELS).map(Some)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace;

    #[test]
    fn the_image_has_the_compiler_that_is_tested() {
        let image = fs::read_to_string(workspace().join("Dockerfile")).unwrap();
        assert!(image.contains(&WHEELS.join(" ")));
    }
}
