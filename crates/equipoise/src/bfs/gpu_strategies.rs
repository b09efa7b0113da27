//! The strategies that only breadth-first search has.

use cubecl::prelude::ComptimeOptionArgs;
use equipoise_schedule::{
    atomics::AtomicArray,
    device::{Buffer, Gpu, GpuRuntime},
};

use super::{
    gpu::{Discover, DiscoverLaunch},
    gpu_fused::Fused,
    gpu_plain::{LevelSynchronous, Scan},
    gpu_pull::Pull,
};
use crate::{
    gpu_graph::WeightedRows,
    traversal::{GraphOp, Implementation},
};

impl GraphOp for Discover {
    const ALGORITHM: &'static str = "bfs";
    const READS_WEIGHTS: bool = false;
    // Levels are found in order: the first level of a vertex is its last.
    const FIRST_LABEL_IS_FINAL: bool = true;
    const EDGES_RAISE_LABELS: bool = true;

    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>> {
        vec![
            Box::new(Fused::default()),
            Box::new(Pull),
            Box::new(LevelSynchronous),
            Box::new(Scan::default()),
        ]
    }

    fn arg(gpu: &Gpu, _: &WeightedRows, levels: &Buffer<u32>) -> DiscoverLaunch<GpuRuntime> {
        DiscoverLaunch::new(AtomicArray::bind(gpu, levels), ComptimeOptionArgs::None)
    }
}
