//! The levels of Louvain.

use equipoise_graph::parallel::*;

use super::{
    CommunitiesOptions,
    local_moves::{self, all_gains},
    partition::{Partition, numbered},
    undirected::UndirectedGraph,
};
use crate::{Result, Step, times::Clock};

/// Gains of modularity that may be nothing but rounding.
const ROUNDING: f64 = 1e-12;

/// Runs Louvain on the cpu.
pub(super) fn run(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Partition> {
    levels(graph, options, |level| Ok(local_moves::move_all(level, options)))
}

/// Calls `move_all` on a graph, then on the graph of its communities, and so on until the gains that
/// communities have left by joining others add up to the tolerance or less.
pub(super) fn levels(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    mut move_all: impl FnMut(&UndirectedGraph) -> Result<Moved>,
) -> Result<Partition> {
    let mut clock = Clock::start();
    let mut communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
    let mut last = graph.modularity(&communities, options.resolution);
    let (mut levels, mut steps, mut converged) = (Vec::new(), Vec::new(), true);
    let mut aggregated: Option<UndirectedGraph> = None;
    loop {
        let level = aggregated.as_ref().unwrap_or(graph);
        if all_gains(level, options) <= options.tolerance.max(ROUNDING) {
            if levels.is_empty() {
                levels.push(last);
            }
            return Ok(Partition { labels: communities, levels, converged, steps });
        }
        let mut moved = move_all(level)?;
        if moved.modularity <= last {
            // In units of 32 bits, a GPU may see no gain.
            moved = local_moves::move_all(level, options);
        }
        let (numbers, count) = numbered(&moved.communities);
        communities.par_iter_mut().for_each(|label| *label = numbers[*label as usize]);
        levels.push(moved.modularity);
        let vertices = level.neighbors.rows();
        let step = Step {
            frontier: vertices.into(),
            edges: u64::from(moved.sweeps).saturating_mul(level.neighbors.entries()),
            found: (vertices - count).into(),
            sub_steps: moved.sweeps,
            time: clock.lap(),
            ..Step::new(steps.len() as u32, format!("modularity {:.6}", moved.modularity))
        };
        steps.push(step);
        converged &= moved.converged;
        if moved.modularity <= last {
            let converged = false;
            return Ok(Partition { labels: communities, levels, converged, steps });
        }
        last = moved.modularity;
        aggregated = Some(level.aggregated(&numbers, count)?);
    }
}

/// The communities after the sweeps of a level.
#[derive(Clone)]
pub(super) struct Moved {
    /// For each vertex a vertex that represents its community.
    pub communities: Vec<u32>,
    pub modularity: f64,
    pub sweeps: u32,
    /// False if the maximum number of sweeps ended the level.
    pub converged: bool,
}

impl Moved {
    /// Every vertex is a community.
    pub fn none(graph: &UndirectedGraph, resolution: f64) -> Self {
        let communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
        let modularity = graph.modularity(&communities, resolution);
        Self { communities, modularity, sweeps: 0, converged: false }
    }
}
