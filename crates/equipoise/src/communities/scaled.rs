//! The weights of an undirected graph in 32 bits, for a GPU.

use equipoise_graph::parallel::*;

use super::undirected::UndirectedGraph;

impl UndirectedGraph {
    /// The weights of edges and of loops in 32 bits, if all are whole and no strength exceeds 32 bits.
    pub fn whole_weights(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let is_small = |&strength: &f64| strength <= f64::from(u32::MAX);
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let loops = || self.within.par_iter().map(|within| within / 2.0);
        let are_whole = self.weights_are_whole()
            && loops().all(|weight| is_whole(&weight))
            && self.strengths.par_iter().all(is_small);
        are_whole.then(|| (self.scaled_by(1.0), loops().map(|weight| weight as u32).collect()))
    }

    fn weights_are_whole(&self) -> bool {
        let weights = self.weights.as_ref();
        weights.is_none_or(|weights| weights.par_iter().all(|weight| weight.fract() == 0.0))
    }

    /// The products of weights and a factor, rounded down.
    fn scaled_by(&self, factor: f64) -> Vec<u32> {
        let weight = |edge: usize| self.weights.as_ref().map_or(1.0, |weights| weights[edge]);
        let edges = (0..self.neighbors.entries() as usize).into_par_iter();
        edges.map(|edge| (weight(edge) * factor) as u32).collect()
    }

    /// Weights scaled so that the strengths fit 32 bits, and rounded down; unchanged if they are whole and small enough.
    pub fn scaled(&self) -> ScaledWeights {
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let most = f64::from(u32::MAX);
        let strongest = self.strengths.par_iter().copied().reduce(|| 0.0, f64::max);
        let are_whole = self.weights_are_whole() && self.within.par_iter().all(is_whole);
        let factor = if are_whole && strongest <= most { 1.0 } else { most / strongest };
        let scale = |weight: &f64| (weight * factor) as u32;
        let weights = self.scaled_by(factor);
        let within: Vec<u32> = self.within.par_iter().map(scale).collect();
        let strength = |(vertex, &within): (usize, &u32)| {
            let of_edges = &weights[self.neighbors.range(vertex as u32)];
            of_edges.iter().fold(within, |sum, &weight| sum.saturating_add(weight))
        };
        let strengths = within.par_iter().enumerate().map(strength).collect();
        let is_exact = factor == 1.0 && self.total <= most;
        ScaledWeights { weights, strengths, is_exact }
    }
}

/// The weights of an [`UndirectedGraph`] in 32 bits.
pub(super) struct ScaledWeights {
    /// Per edge.
    pub weights: Vec<u32>,
    /// Per vertex.
    pub strengths: Vec<u32>,
    /// Whether these are the weights themselves, all of which 32 bits can sum.
    pub is_exact: bool,
}
