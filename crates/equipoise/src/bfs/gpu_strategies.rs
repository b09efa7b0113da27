//! What breadth-first search has beside the strategies of all searches.

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
    gpu_graph::DeviceRows,
    traversal::{Implementation, OnGraph},
};

impl OnGraph for Discover {
    const ALGORITHM: &'static str = "bfs";

    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>> {
        vec![
            Box::new(Fused::default()),
            Box::new(Pull),
            Box::new(LevelSynchronous),
            Box::new(Scan::default()),
        ]
    }

    fn arg(gpu: &Gpu, _: &DeviceRows, levels: &Buffer<u32>) -> DiscoverLaunch<GpuRuntime> {
        DiscoverLaunch::new(AtomicArray::of(gpu, levels), ComptimeOptionArgs::None)
    }
}
