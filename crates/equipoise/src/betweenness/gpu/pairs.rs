//! The arrays of pairs of a source and a vertex.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
};

use super::count::Words;
use crate::{NONE, Result};

/// The words of each pair.
pub(super) const WORDS: u64 = 4;

/// What is known of each pair, in a kernel. The pairs of a source are contiguous.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Pairs {
    /// The level, or `NONE`.
    pub levels: AtomicArray,
    /// The number of shortest paths: a number from 1 to 2, and the exponent of a power of two. Once the dependency is
    /// known, its [`ratio`] takes the place of the number.
    pub paths: Array<Words>,
    pub dependencies: AtomicArray,
    pub vertices: u32,
}

/// One more than the dependency of a pair, divided by the number of its paths: what each path to it contributes to the
/// dependency of the pair before.
#[cube]
pub(super) fn ratio(dependency: f32, number: f32) -> f32 {
    (1.0f32 + dependency) / number
}

/// What is known of each pair.
pub(super) struct PairBuffers {
    gpu: Gpu,
    pub levels: Buffer<u32>,
    paths: Buffer<u32>,
    pub dependencies: Buffer<u32>,
    vertices: u32,
}

impl PairBuffers {
    pub fn new(gpu: &Gpu, sources: u32, vertices: u32) -> Result<Self> {
        let pairs = sources as usize * vertices as usize;
        Ok(Self {
            gpu: gpu.clone(),
            levels: gpu.empty(pairs)?,
            paths: gpu.empty(2 * pairs)?,
            dependencies: gpu.empty(pairs)?,
            vertices,
        })
    }

    /// Forgets all levels.
    pub fn clear(&self) -> Result<()> {
        Ok(self.gpu.fill(&self.levels, NONE)?)
    }

    pub fn arg(&self) -> PairsLaunch<GpuRuntime> {
        PairsLaunch::new(
            AtomicArray::bind(&self.gpu, &self.levels),
            self.paths.vector_arg(2),
            AtomicArray::bind(&self.gpu, &self.dependencies),
            self.vertices,
        )
    }
}
