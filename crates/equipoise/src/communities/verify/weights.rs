//! Weights within and between communities, added up over the edges of a graph.

use equipoise_graph::{Graph, memory, parallel::*};

use super::{
    super::{CommunitiesObjective, CommunitiesOptions},
    BOUND, edges,
};
use crate::{Result, certificate::class_sizes, error::wrong, team::Lanes};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 11;

/// The weights within and between communities. Each edge counts from both ends.
pub(super) struct CommunityWeights {
    /// The number of vertices of each community.
    sizes: Vec<u32>,
    /// The strength of each community, and the part of the edges that leave its vertices.
    strengths: Vec<f64>,
    leaving: Vec<f64>,
    /// Pairs of adjacent communities, and the weights between them.
    pairs: Vec<(u32, u32, f64)>,
    within: f64,
    all: f64,
}

impl CommunityWeights {
    pub fn new(graph: &Graph, communities: &[u32], count: u32) -> Result<Self> {
        let weights = memory::bytes_of::<(u64, f64)>(graph.edges().saturating_mul(2));
        let numbers = memory::bytes_of::<[f64; 3]>(u64::from(graph.vertices()) + u64::from(count));
        let threads = rayon::current_num_threads().max(1);
        let tallies = memory::bytes_of::<f64>(u64::from(count).saturating_mul(threads as u64));
        let bytes = weights.saturating_add(numbers).saturating_add(tallies);
        memory::check("verifying communities", bytes)?;
        let mut order: Vec<u32> = (0..graph.vertices()).into_par_iter().collect();
        order.par_sort_unstable_by_key(|&vertex| (communities[vertex as usize], vertex));
        let tallies = Lanes::new(threads, || vec![0.0; count as usize]);
        let sums = |vertices: &[u32]| {
            let thread = rayon::current_thread_index().unwrap_or(0) % threads;
            sums_of(graph, communities, vertices, &mut tallies.get(thread))
        };
        let sums: Vec<Vec<(u64, f64)>> = order.par_chunks(VERTICES_AT_ONCE).map(sums).collect();
        let mut sums = sums.concat();
        sums.par_sort_unstable_by_key(|&(pair, _)| pair);
        let (mut strengths, mut pairs, mut within) = (vec![0.0; count as usize], Vec::new(), 0.0);
        for same in sums.chunk_by(|a, b| a.0 == b.0) {
            let [a, b] = [(same[0].0 >> 32) as u32, same[0].0 as u32];
            let weight: f64 = same.iter().map(|&(_, weight)| weight).sum();
            strengths[a as usize] += weight / 2.0;
            strengths[b as usize] += weight / 2.0;
            if a == b {
                within += weight;
            } else {
                pairs.push((a, b, weight));
            }
        }
        let all = strengths.iter().sum();
        let sizes = class_sizes(communities, count);
        let leaving = match graph.is_undirected() {
            true => strengths.iter().map(|strength| strength / 2.0).collect(),
            false => leaving(graph, communities, count),
        };
        Ok(Self { sizes, strengths, leaving, pairs, within, all })
    }

    /// Edges within communities as a share of all, less what chance would have.
    pub fn modularity(&self, resolution: f64) -> f64 {
        if self.all == 0.0 {
            return 0.0;
        }
        let by_chance = |strength: &f64| (strength / self.all) * (strength / self.all);
        self.within / self.all - resolution * self.strengths.iter().map(by_chance).sum::<f64>()
    }

    /// Edges within communities as a share of all, less what chance would have if as many edges left and entered each vertex.
    fn directed_modularity(&self, resolution: f64) -> f64 {
        if self.all == 0.0 {
            return 0.0;
        }
        let by_chance = (0..self.strengths.len() as u32).map(|community| {
            let (leaves, enters) = self.shares(community);
            leaves * enters
        });
        self.within / self.all - resolution * by_chance.sum::<f64>()
    }

    /// The shares of all edges that leave and enter the vertices of a community.
    fn shares(&self, community: u32) -> (f64, f64) {
        let [all, leaving] = [&self.strengths, &self.leaving].map(|of| of[community as usize]);
        (2.0 * leaving / self.all, 2.0 * (all - leaving) / self.all)
    }

    /// The value of the objective, and the scale of its rounding.
    pub fn quality(&self, options: &CommunitiesOptions) -> (f64, f64) {
        let resolution = options.resolution;
        match options.objective {
            CommunitiesObjective::Modularity => (self.modularity(resolution), resolution.max(1.0)),
            CommunitiesObjective::DirectedModularity => {
                (self.directed_modularity(resolution), resolution.max(1.0))
            }
            CommunitiesObjective::Cpm => {
                let pairs = |&size: &u32| f64::from(size) * (f64::from(size) - 1.0) / 2.0;
                let penalty = resolution * self.sizes.iter().map(pairs).sum::<f64>();
                (self.within / 2.0 - penalty, self.all / 2.0 + penalty)
            }
        }
    }

    /// Fails where the gains of communities that each alone joins its best neighbour add up to more than the tolerance. Gains are
    /// shares of all weight.
    pub fn check_merges(&self, options: &CommunitiesOptions) -> Result<()> {
        let most = match options.max_community_size {
            0 => u64::MAX,
            most => most.into(),
        };
        let mut best = vec![0.0f64; self.strengths.len()];
        for &(a, b, weight) in &self.pairs {
            let [size_a, size_b] = [a, b].map(|community| self.sizes[community as usize]);
            if u64::from(size_a) + u64::from(size_b) > most {
                continue;
            }
            let gain = weight / self.all - self.penalty(a, b, options);
            for community in [a, b] {
                let best = &mut best[community as usize];
                *best = best.max(gain);
            }
        }
        match best.into_iter().sum::<f64>() {
            gains if gains > options.tolerance + BOUND * options.resolution.max(1.0) => {
                wrong(format!(
                    "communities that join others gain {gains}, and are said to have converged"
                ))
            }
            _ => Ok(()),
        }
    }

    /// What two communities lose by joining, without the edges between them.
    fn penalty(&self, a: u32, b: u32, options: &CommunitiesOptions) -> f64 {
        let product = match options.objective {
            CommunitiesObjective::Modularity => {
                let share = |community: u32| self.strengths[community as usize] / self.all;
                share(a) * share(b)
            }
            CommunitiesObjective::DirectedModularity => {
                let [(leaves_a, enters_a), (leaves_b, enters_b)] = [a, b].map(|c| self.shares(c));
                (leaves_a * enters_b + enters_a * leaves_b) / 2.0
            }
            CommunitiesObjective::Cpm => {
                let size = |community: u32| f64::from(self.sizes[community as usize]);
                size(a) * size(b) / self.all
            }
        };
        2.0 * options.resolution * product
    }
}

/// The weight of the edges that leave the vertices of each community.
fn leaving(graph: &Graph, communities: &[u32], count: u32) -> Vec<f64> {
    let leaving = |vertex| edges(graph, vertex).map(|(_, weight)| weight).sum();
    let leaving: Vec<f64> = (0..graph.vertices()).into_par_iter().map(leaving).collect();
    let mut sums = vec![0.0; count as usize];
    for (&community, leaving) in communities.iter().zip(leaving) {
        sums[community as usize] += leaving;
    }
    sums
}

/// Pairs of communities, and the weights of the edges that leave some vertices, which are sorted by their communities. All sums of
/// the tally are 0, before and after.
fn sums_of(
    graph: &Graph,
    communities: &[u32],
    vertices: &[u32],
    tally: &mut [f64],
) -> Vec<(u64, f64)> {
    let community = |vertex: u32| communities[vertex as usize];
    // An undirected edge is stored at either end, a directed one and a loop once.
    let ends = if graph.is_undirected() { 1.0 } else { 2.0 };
    let (mut others, mut sums) = (Vec::new(), Vec::new());
    for members in vertices.chunk_by(|&a, &b| community(a) == community(b)) {
        let own = community(members[0]);
        for &vertex in members {
            for (end, weight) in edges(graph, vertex) {
                let other = community(end);
                if tally[other as usize] == 0.0 {
                    others.push(other);
                }
                tally[other as usize] += if end == vertex { 2.0 * weight } else { ends * weight };
            }
        }
        for other in others.drain(..) {
            let pair = u64::from(own.min(other)) << 32 | u64::from(own.max(other));
            sums.push((pair, std::mem::take(&mut tally[other as usize])));
        }
    }
    sums
}
