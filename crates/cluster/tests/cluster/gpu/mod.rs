//! Ranks with a GPU each, which can be a shared one in software, compared with ranks on the CPU.

mod bfs;
mod color;
#[cfg(feature = "cli")]
mod commands;
mod components;
mod product;
mod sssp;

use equipoise_cluster::gpu::{Device, Gpu, OpenDevice};
use equipoise_cluster::{Comm, gpu, run_threads};
use proptest::prelude::*;

/// The GPU of a rank.
fn gpu_of(comm: &dyn Comm) -> Gpu {
    let opened = gpu::open(Device::Wgpu(0), comm.rank()).expect(
        "no Vulkan device: install one, such as the software one of `apt-get install mesa-vulkan-drivers`",
    );
    match opened.device {
        OpenDevice::Gpu(gpu) => gpu,
        OpenDevice::Cpu => unreachable!("a GPU was asked for"),
    }
}

/// A number of cases for a software GPU.
fn cases() -> ProptestConfig {
    ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() }
}

/// Ranks as threads, with messages in rounds of 64 bytes.
fn on_ranks<T: Send>(ranks: usize, work: impl Fn(&dyn Comm) -> T + Sync) -> Vec<T> {
    run_threads(ranks, 64, |comm| work(comm))
}

#[test]
fn a_second_rank_on_one_gpu_gets_a_warning() {
    let opened = gpu::open(Device::Wgpu(0), 64).expect("a Vulkan device");
    assert!(
        opened.warning.is_some_and(|text| text.contains("rank 64 of this machine shares wgpu"))
    );
}
