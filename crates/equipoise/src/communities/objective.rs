//! What communities maximise, and what a move gains.

use std::borrow::Cow;

use equipoise_graph::parallel::*;

use super::{
    CommunitiesObjective, CommunitiesOptions,
    masses::{Mass, Masses},
    undirected::{UndirectedGraph, sum_in_parts},
};

/// The gain of moves by any objective: a vertex in a community counts the weight of its edges there, less the penalty for the
/// product of its mass and that of the others.
pub(super) struct Gains<'g> {
    /// The mass of each vertex: its strength for modularity, its size for the constant Potts model.
    pub masses: Masses<'g>,
    /// The cost per product of two masses.
    pub penalty: f64,
}

impl<'g> Gains<'g> {
    pub fn new(graph: &'g UndirectedGraph, options: &CommunitiesOptions) -> Self {
        let resolution = options.resolution;
        let modularity = |leaving: Option<&'g [f64]>| {
            let penalty = if graph.total > 0.0 { resolution / graph.total } else { 0.0 };
            let all = Cow::Borrowed(&graph.strengths[..]);
            Self { masses: Masses { all, leaving, unit: graph.unit }, penalty }
        };
        match options.objective {
            CommunitiesObjective::Modularity => modularity(None),
            CommunitiesObjective::DirectedModularity => modularity(graph.leaving.as_deref()),
            CommunitiesObjective::Cpm => {
                let sizes = graph.sizes.par_iter().map(|&size| f64::from(size)).collect();
                let masses = Masses { all: Cow::Owned(sizes), leaving: None, unit: 1.0 };
                Self { masses, penalty: resolution }
            }
        }
    }

    /// What a vertex adds to a community of others with a mass, to which its edges have a weight.
    #[inline]
    pub fn of(&self, vertex: u32, weight: f64, mass: Mass) -> f64 {
        weight - self.penalty * self.masses.of(vertex).times(mass)
    }

    /// Whether a part with a mass has no less weight to the rest of its community than the penalty.
    #[inline]
    pub fn is_well_connected(&self, weight: f64, mass: Mass, rest: Mass) -> bool {
        weight >= self.penalty * mass.times(rest)
    }
}

/// The value of the objective, for communities that are labelled with vertices.
pub(super) fn quality(
    graph: &UndirectedGraph,
    communities: &[u32],
    options: &CommunitiesOptions,
) -> f64 {
    match options.objective {
        CommunitiesObjective::Modularity => graph.modularity(communities, options.resolution),
        CommunitiesObjective::DirectedModularity => {
            graph.directed_modularity(communities, options.resolution)
        }
        CommunitiesObjective::Cpm => {
            let pairs = |size: &u32| f64::from(*size) * (f64::from(*size) - 1.0) / 2.0;
            let pairs = sum_in_parts(&graph.sizes_of(communities), pairs);
            graph.inside(communities) / 2.0 - options.resolution * pairs
        }
    }
}
