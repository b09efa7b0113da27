//! Times every candidate at every level of a breadth-first search.

mod contest;
mod cpu;
mod gpu;
mod levels;

use equipoise::{LoadedGraph, Result};

pub use self::levels::{MeasureOptions, MeasuredBfs, MeasuredLevel};

/// Times every candidate at every level of a breadth-first search, which continues with the fastest
/// fusible candidate. Each candidate starts from the state that this one leaves; converting the
/// frontier to another representation is part of a candidate's time.
///
/// A candidate that does not fit in memory has the reason instead of a time. On the cpu, the [two
/// directions](equipoise::bfs::Candidate::directions_of_cpu) are timed, regardless of the options' candidates.
/// Fails if no candidate fits in memory, and as [`LoadedGraph::bfs`] does.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{io::ReadOptions, load}};
/// use equipoise_lab::experiments::{MeasureOptions, measure_bfs};
///
/// let graph = load("path:n=4", &ReadOptions::default())?;
/// let loaded = LoadedGraph::new(&Device::Cpu.open()?, &graph)?;
/// let levels = measure_bfs(&loaded, 0, &MeasureOptions::default())?.levels;
/// assert!(levels.len() == 4 && levels.iter().all(|level| level.times.len() == 2));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn measure_bfs(
    device_graph: &LoadedGraph,
    source: u32,
    options: &MeasureOptions,
) -> Result<MeasuredBfs> {
    options.check()?;
    if device_graph.is_on_gpu() {
        gpu::measure(device_graph, source, options)
    } else {
        cpu::measure(device_graph.graph(), source, options)
    }
}
