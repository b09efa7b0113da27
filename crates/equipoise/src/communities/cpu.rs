//! Communities on the cpu.

use std::time::Duration;

use equipoise_graph::{Csr, Graph, memory};

use super::{
    Communities, CommunitiesOptions, CommunitiesStrategy, label_propagation, louvain,
    random_order::RandomOrder,
    weighted::{Weighted, sorted_by},
};
use crate::{
    Result, Step, Times, Trace,
    color::{ColorOptions, color_neighbors},
    times::timed,
};

/// What a strategy has found.
pub(super) struct Found {
    /// For each vertex a number that those of its community have, and no others; less than there are vertices.
    pub labels: Vec<u32>,
    pub levels: Vec<f64>,
    pub converged: bool,
    pub steps: Vec<Step>,
}

/// Finds communities in a sound graph.
pub(super) fn communities(graph: &Graph, options: &CommunitiesOptions) -> Result<Communities> {
    let (weighted, prepare) = timed(|| Weighted::of(graph));
    communities_of(&weighted?, options, prepare)
}

/// Finds communities in a graph that was made in the time given.
pub(super) fn communities_of(
    weighted: &Weighted,
    options: &CommunitiesOptions,
    prepare: Duration,
) -> Result<Communities> {
    let (found, run) = timed(|| match options.strategy {
        CommunitiesStrategy::LabelPropagation => label_propagation::run(weighted, options),
        _ => louvain::run(weighted, options),
    });
    let found = found?;
    let kernel = found.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { prepare, kernel, overhead, ..Times::default() };
    Ok(Communities::of(weighted, found, options, times))
}

impl Communities {
    /// Numbers the communities, and says how modular they are.
    pub(super) fn of(
        graph: &Weighted,
        found: Found,
        options: &CommunitiesOptions,
        times: Times,
    ) -> Self {
        let (communities, count) = numbered(&found.labels);
        let modularity = graph.modularity(&communities, options.resolution);
        let strategy = match options.strategy {
            CommunitiesStrategy::Auto => CommunitiesStrategy::Louvain,
            given => given,
        };
        let (levels, converged, trace) =
            (found.levels, found.converged, Trace { steps: found.steps });
        let mut sizes = vec![0; count as usize];
        communities.iter().for_each(|&community| sizes[community as usize] += 1);
        let largest = sizes.into_iter().max().unwrap_or(0);
        Self {
            communities,
            count,
            largest,
            modularity,
            levels,
            converged,
            strategy,
            on_gpu: false,
            trace,
            times,
        }
    }
}

/// Labels, which are less than there are vertices, numbered from 0 on in the order of the first vertices that have them;
/// and how many there are.
pub(super) fn numbered(labels: &[u32]) -> (Vec<u32>, u32) {
    let mut numbers = vec![None; labels.len()];
    let mut count = 0;
    let number = |&label: &u32| {
        *numbers[label as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    };
    let communities = labels.iter().map(number).collect();
    (communities, count)
}

/// Vertices in classes of which no two are neighbours.
pub(super) struct Classes {
    starts: Vec<u32>,
    vertices: Vec<u32>,
    /// In which order the classes come.
    order: Vec<u32>,
}

impl Classes {
    /// The colors of a coloring with few of them, in an order that a seed repeats.
    pub fn of(neighbors: &Csr, seed: u64) -> Result<Self> {
        let coloring = color_neighbors(neighbors, &ColorOptions::default(), Duration::ZERO)?;
        let bytes = memory::bytes_of::<[u32; 3]>(neighbors.rows().into());
        memory::check("the vertices of each color", bytes)?;
        let (starts, vertices) = sorted_by(&coloring.colors, coloring.count);
        let mut order: Vec<u32> = (0..coloring.count).collect();
        order.sort_unstable_by_key(|&color| RandomOrder::new(seed).rank(color));
        Ok(Self { starts, vertices, order })
    }

    /// The vertices of each class.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.order.iter().map(|&class| {
            let ends = [class, class + 1].map(|place| self.starts[place as usize] as usize);
            &self.vertices[ends[0]..ends[1]]
        })
    }
}
