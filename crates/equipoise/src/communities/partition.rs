//! From the labels of a strategy to the result.

use super::{
    Communities, CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy, objective,
    undirected::UndirectedGraph,
};
use crate::{Step, Times, Trace};

/// The result of a strategy.
pub(super) struct Partition {
    /// The label of each vertex, smaller than the number of vertices. Each label is a community.
    pub labels: Vec<u32>,
    pub levels: Vec<Level>,
    pub converged: bool,
    pub steps: Vec<Step>,
}

/// The communities after a level.
pub(super) struct Level {
    pub quality: f64,
    /// The label of each vertex of the input, if these are requested.
    pub communities: Option<Vec<u32>>,
}

impl Communities {
    /// Numbers the communities, and computes their modularity and the objective.
    pub(super) fn new(
        graph: &UndirectedGraph,
        partition: Partition,
        options: &CommunitiesOptions,
        times: Times,
    ) -> Self {
        let (communities, count) = numbered(&partition.labels);
        let modularity = graph.modularity(&communities, options.resolution);
        let strategy = match options.strategy {
            CommunitiesStrategy::Auto => CommunitiesStrategy::Louvain,
            strategy => strategy,
        };
        let quality = match options.objective {
            CommunitiesObjective::Modularity => None,
            CommunitiesObjective::Cpm => Some(objective::quality(graph, &communities, options)),
        };
        let Partition { levels, converged, steps, .. } = partition;
        let hierarchy = levels.iter().filter_map(|level| level.communities.as_deref());
        let hierarchy = hierarchy.map(|labels| numbered(labels).0).collect();
        let levels = levels.iter().map(|level| level.quality).collect();
        let trace = Trace { steps };
        let (largest, on_gpu) = (0, false);
        let mut result = Self {
            communities,
            count,
            largest,
            modularity,
            quality,
            levels,
            hierarchy,
            converged,
            strategy,
            on_gpu,
            trace,
            times,
        };
        result.largest = result.sizes().into_iter().max().unwrap_or(0);
        result
    }
}

/// Renumbers labels, which are smaller than the number of vertices, from 0 in the order of their first vertices. Returns
/// the new labels and their count.
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
