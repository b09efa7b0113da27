//! From the labels of a strategy to the result.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::parallel::*;

use super::{
    Communities, CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy, objective,
    undirected::UndirectedGraph,
};
use crate::{NONE, Step, Times, Trace};

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
            _ => Some(objective::quality(graph, &communities, options)),
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
    let firsts: Vec<AtomicU32> = labels.par_iter().map(|_| AtomicU32::new(NONE)).collect();
    (0u32..labels.len() as u32).into_par_iter().for_each(|vertex| {
        let first = &firsts[labels[vertex as usize] as usize];
        // Load first: a contended `fetch_min` is expensive.
        if first.load(Relaxed) > vertex {
            first.fetch_min(vertex, Relaxed);
        }
    });
    let first = |label: u32| firsts[label as usize].load(Relaxed);
    let is_first = |vertex: &u32| first(labels[*vertex as usize]) == *vertex;
    let first_vertices: Vec<u32> =
        (0..labels.len() as u32).into_par_iter().filter(is_first).collect();
    let numbers: Vec<AtomicU32> = labels.par_iter().map(|_| AtomicU32::new(0)).collect();
    first_vertices.par_iter().enumerate().for_each(|(number, &vertex)| {
        numbers[labels[vertex as usize] as usize].store(number as u32, Relaxed);
    });
    let number = |&label: &u32| numbers[label as usize].load(Relaxed);
    (labels.par_iter().map(number).collect(), first_vertices.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_first_vertices() {
        assert_eq!(numbered(&[3, 1, 3, 0, 1]), (vec![0, 1, 0, 2, 1], 3));
        let labels: Vec<u32> = (0..50_000).map(|vertex| 49_999 - vertex % 7).collect();
        let expected = (0..50_000).map(|vertex| vertex % 7).collect();
        assert_eq!(numbered(&labels), (expected, 7));
        assert_eq!(numbered(&[]), (Vec::new(), 0));
    }
}
