//! Launches whose cubes wait for each other, for kernels with a loop of their own.

use cubecl::prelude::*;

use super::{
    barrier::{BARRIER_WORDS, Barrier, FIRST_LOOKS, MOST_BARRIERS, MOST_CUBES, Outcome, outcome},
    device_loop::large_cube,
    pace::LoopMode,
};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
};

/// The most barriers of a launch on devices that end long loops.
const FEW_BARRIERS: u32 = 128;

/// The words in which the cubes of a launch count arrivals, in a kernel.
///
/// All units of all cubes call each function together.
#[derive(CubeType, CubeLaunch)]
pub struct BarrierWords {
    words: AtomicArray,
    /// Polls at the first barrier until a cube gives up.
    looks: u32,
    #[cube(comptime)]
    fences: bool,
}

#[cube]
impl BarrierWords {
    /// The barrier of this launch.
    pub fn barrier(&self) -> Barrier {
        Barrier::new(&self.words, 0u32.runtime(), self.fences)
    }

    /// Waits until all cubes are resident. Returns whether they are; if not, the kernel must return.
    pub fn start(&mut self, barrier: &mut Barrier) -> bool {
        barrier.start(&mut self.words, self.looks)
    }

    /// Waits until all cubes arrive, so that each sees the writes of all. Returns whether they did; if not, the kernel
    /// must return.
    pub fn wait(&mut self, barrier: &mut Barrier) -> bool {
        barrier.wait(&mut self.words)
    }
}

/// The cubes of launches that wait for each other: as many as are resident on an idle device.
pub struct WaitingCubes {
    gpu: Gpu,
    words: Buffer<u32>,
    cubes: u32,
}

impl WaitingCubes {
    /// The cubes of a mode; `None` if each iteration is a launch.
    pub fn new(gpu: &Gpu, mode: LoopMode) -> Result<Option<Self>> {
        let LoopMode::OneLaunch { cubes } = mode else { return Ok(None) };
        let words = gpu.filled(BARRIER_WORDS, 0)?;
        Ok(Some(Self { gpu: gpu.clone(), words, cubes: cubes.clamp(1, MOST_CUBES) }))
    }

    /// The number of cubes of each launch.
    pub fn cubes(&self) -> CubeCount {
        self.gpu.cubes(self.cubes.into())
    }

    /// The units of each cube.
    pub fn units(&self) -> u32 {
        large_cube(&self.gpu)
    }

    /// The most barriers that a launch may pass after the first.
    pub fn most_barriers(&self) -> u32 {
        if self.gpu.takes_cuda_source() { MOST_BARRIERS - 2 } else { FEW_BARRIERS }
    }

    /// The argument of a launch.
    pub fn arg(&self) -> BarrierWordsLaunch<GpuRuntime> {
        let fences = self.gpu.takes_cuda_source();
        let looks = if fences { FIRST_LOOKS } else { 0 };
        BarrierWordsLaunch::new(AtomicArray::bind(&self.gpu, &self.words), looks, fences)
    }

    /// Whether all launches so far started: if not, that launch and those after it did nothing.
    ///
    /// Fails if a launch stopped in the middle.
    pub fn have_started(&self) -> Result<bool> {
        match outcome(&self.gpu.download(&self.words)?) {
            Outcome::Complete => Ok(true),
            Outcome::NotStarted => Ok(false),
            Outcome::GivenUp => {
                let problem = "cubes waited for each other in vain, in the middle of a launch";
                Err(Error::Device(problem.into()))
            }
        }
    }
}
