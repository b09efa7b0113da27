//! What a strategy finds, and what is made of it.

use super::{Communities, CommunitiesOptions, CommunitiesStrategy, weighted::Weighted};
use crate::{Step, Times, Trace};

/// What a strategy has found.
pub(super) struct Found {
    /// For each vertex a number that those of its community have, and no others; less than there are vertices.
    pub labels: Vec<u32>,
    pub levels: Vec<f64>,
    pub converged: bool,
    pub steps: Vec<Step>,
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
