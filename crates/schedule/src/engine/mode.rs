//! How a device loop is run.

use super::DeviceGraph;
use crate::device::Gpu;

/// Edges of a graph, for each cube that waits for the others, and edges of a vertex, with which most
/// work is in wide iterations.
const MANY_EDGES: u32 = 1 << 19;
const HIGH_DEGREE: u32 = 8;

/// How a device loop is run.
///
/// ```
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::LoopMode};
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
///     let at_once = matches!(LoopMode::of(&gpu), LoopMode::OneLaunch { .. });
///     assert_eq!(at_once, gpu.is_cuda());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// In launches of one iteration, or of several that are narrow.
    Launches,
    /// In one launch, in which cubes wait for each other after each iteration. Where they turn out
    /// not to be on the device at the same time, nothing is done, and it is run in launches.
    OneLaunch {
        /// How many cubes there are.
        cubes: u32,
    },
}

impl LoopMode {
    /// What suits a GPU: one launch with a cube for each multiprocessor where cubes can wait for each
    /// other, which takes CUDA.
    pub fn of(gpu: &Gpu) -> Self {
        match gpu.properties().multiprocessors {
            Some(cubes) if gpu.is_cuda() && cubes > 0 => Self::OneLaunch { cubes },
            _ => Self::Launches,
        }
    }

    /// What suits a search for distances in a graph: one launch unless its iterations are so wide that
    /// more units than can wait for each other gain more than waiting costs.
    pub(super) fn of_distances(graph: &DeviceGraph) -> Self {
        let (vertices, edges) = (graph.vertices(), graph.edges());
        match (graph.mode(), Self::of(graph.gpu())) {
            (Some(said), _) => said,
            (None, Self::OneLaunch { cubes })
                if edges / MANY_EDGES > cubes && edges / vertices.max(1) >= HIGH_DEGREE =>
            {
                Self::Launches
            }
            (None, mode) => mode,
        }
    }
}
