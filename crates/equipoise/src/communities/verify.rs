//! Whether communities are what is said of them.

use std::collections::BTreeMap;

use equipoise_graph::{Graph, memory, parallel::*};

use super::{Communities, CommunitiesOptions, CommunitiesStrategy};
use crate::{Result, certificate::class_sizes, error::wrong};

/// How far a modularity may be from another of the same communities that was added up in another order, for a resolution
/// of 1; and by what share of its weight the most frequent label may be beaten.
const BOUND: f64 = 1e-9;

impl Communities {
    /// Checks the communities against the graph they were found in, with these options.
    ///
    /// 1. Each vertex has a community; they are numbered from 0 on in the order of their first vertices, and there are as
    ///    many as is said, the largest with as many vertices.
    /// 2. Modularity, added up anew over the edges of the graph, is within 1e-9 of what is said.
    /// 3. For louvain, it does not fall from level to level but for rounding, and the last level's is that of the result. If
    ///    it converged, the gains of communities that each alone joins its best neighbour add up to the tolerance at most.
    /// 4. For label propagation that came to its end, no community has more weight among the neighbours of a vertex than
    ///    its own.
    ///
    /// Sorts the edges between communities, of 16 bytes each.
    pub fn verify(&self, graph: &Graph, options: &CommunitiesOptions) -> Result<()> {
        graph.check()?;
        self.check_numbers(graph)?;
        let bound = BOUND * options.resolution.max(1.0);
        let weights = CommunityWeights::new(graph, &self.communities, self.count)?;
        let modularity = weights.modularity(options.resolution);
        let is_near = |said: f64| (said - modularity).abs() <= bound;
        if !is_near(self.modularity) {
            return wrong(format!("the modularity is {modularity}, not {}", self.modularity));
        }
        match self.strategy {
            CommunitiesStrategy::LabelPropagation if self.converged => self.check_labels(graph),
            CommunitiesStrategy::LabelPropagation => Ok(()),
            _ => {
                let is_odd = |pair: &&[f64]| pair.iter().any(|modularity| modularity.is_nan());
                let falls = |pair: &&[f64]| is_odd(pair) || pair[1] < pair[0] - bound;
                if let Some(pair) = self.levels.windows(2).find(falls) {
                    return wrong(format!("modularity falls from {} to {}", pair[0], pair[1]));
                }
                match self.levels.last() {
                    Some(&last) if is_near(last) => {}
                    last => wrong(format!("the last level has a modularity of {last:?}"))?,
                }
                if self.converged {
                    weights.check_merges(options.resolution, options.tolerance + bound)
                } else {
                    Ok(())
                }
            }
        }
    }

    fn check_numbers(&self, graph: &Graph) -> Result<()> {
        let vertices = graph.vertices();
        if self.communities.len() as u64 != u64::from(vertices) {
            let found = self.communities.len();
            return wrong(format!("{found} communities for {vertices} vertices"));
        }
        let mut count = 0;
        for (vertex, &community) in (0..).zip(&self.communities) {
            if community > count {
                return wrong(format!(
                    "vertex {} is in community {community}, and {count} were there before",
                    graph.ids().id(vertex)
                ));
            }
            count = count.max(community + 1);
        }
        if count != self.count {
            return wrong(format!("{} are said to be there, of {count}", self.count));
        }
        match class_sizes(&self.communities, count).into_iter().max().unwrap_or(0) {
            largest if largest == self.largest => Ok(()),
            largest => wrong(format!("the largest has {largest} vertices, not {}", self.largest)),
        }
    }

    fn check_labels(&self, graph: &Graph) -> Result<()> {
        let backward = match graph.is_undirected() {
            true => None,
            false => Some(graph.transpose()?),
        };
        let beaten = (0..graph.vertices()).into_par_iter().find_map_first(|vertex| {
            let mut weights = BTreeMap::new();
            let mut add =
                |community: u32, weight: f64| *weights.entry(community).or_insert(0.0) += weight;
            for (target, weight) in edges(graph, vertex) {
                add(self.communities[target as usize], weight);
            }
            // Loops are among the edges that leave.
            let entering = backward.into_iter().flat_map(|backward| edges(backward, vertex));
            for (target, weight) in entering.filter(|&(target, _)| target != vertex) {
                add(self.communities[target as usize], weight);
            }
            let own = self.communities[vertex as usize];
            let held: f64 = weights.get(&own).copied().unwrap_or(0.0);
            let all: f64 = weights.values().sum();
            let stronger = |(_, weight): &(&u32, &f64)| **weight > held + BOUND * all;
            weights.iter().find(stronger).map(|(&community, _)| (vertex, own, community))
        });
        match beaten {
            None => Ok(()),
            Some((vertex, own, other)) => wrong(format!(
                "vertex {} is in community {own}, but community {other} has more of its neighbours",
                graph.ids().id(vertex)
            )),
        }
    }
}

/// Where the edges of a vertex lead, and their weights.
fn edges(graph: &Graph, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
    let weight = |edge: usize| graph.weights().map_or(1.0, |weights| weights.get(edge));
    let row = graph.csr().range(vertex);
    graph.neighbors(vertex).iter().copied().zip(row.map(weight))
}

/// The weights within and between communities. Each edge counts from both ends.
struct CommunityWeights {
    /// The strength of each community.
    strengths: Vec<f64>,
    /// Pairs of adjacent communities, and the weights between them.
    pairs: Vec<(u32, u32, f64)>,
    within: f64,
    all: f64,
}

impl CommunityWeights {
    fn new(graph: &Graph, communities: &[u32], count: u32) -> Result<Self> {
        let crossing = memory::bytes_of::<(u64, f64)>(graph.edges().saturating_mul(2));
        let numbers = memory::bytes_of::<[f64; 2]>(u64::from(graph.vertices()) + u64::from(count));
        memory::check("verifying communities", crossing.saturating_add(numbers))?;
        let community = |vertex: u32| communities[vertex as usize];
        // An undirected edge is there from either end, a directed one and a loop once.
        let ends = if graph.is_undirected() { 1.0 } else { 2.0 };
        let vertices = || (0..graph.vertices()).into_par_iter();
        let within = |vertex: u32| -> f64 {
            let same = edges(graph, vertex).filter(|&(end, _)| community(end) == community(vertex));
            same.map(|(end, weight)| if end == vertex { 2.0 * weight } else { ends * weight }).sum()
        };
        let within_of: Vec<f64> = vertices().map(within).collect();
        let crossing = |vertex: u32| {
            let own = community(vertex);
            let pair =
                move |other: u32| u64::from(own.min(other)) << 32 | u64::from(own.max(other));
            let others = edges(graph, vertex).map(move |(end, weight)| (community(end), weight));
            others
                .filter(move |&(other, _)| other != own)
                .map(move |(other, weight)| (pair(other), ends * weight))
        };
        let mut crossing: Vec<(u64, f64)> = vertices().flat_map_iter(crossing).collect();
        crossing.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let sum = |pair: &[(u64, f64)]| {
            let weight: f64 = pair.iter().map(|&(_, weight)| weight).sum();
            ((pair[0].0 >> 32) as u32, pair[0].0 as u32, weight)
        };
        let pairs: Vec<(u32, u32, f64)> = crossing.chunk_by(|a, b| a.0 == b.0).map(sum).collect();
        let mut strengths = vec![0.0; count as usize];
        for (&community, within) in communities.iter().zip(&within_of) {
            strengths[community as usize] += within;
        }
        let within = strengths.iter().sum();
        for &(a, b, weight) in &pairs {
            strengths[a as usize] += weight / 2.0;
            strengths[b as usize] += weight / 2.0;
        }
        let all = strengths.iter().sum();
        Ok(Self { strengths, pairs, within, all })
    }

    /// Edges within communities as a share of all, less what chance would have there.
    fn modularity(&self, resolution: f64) -> f64 {
        if self.all == 0.0 {
            return 0.0;
        }
        let by_chance = |strength: &f64| (strength / self.all) * (strength / self.all);
        self.within / self.all - resolution * self.strengths.iter().map(by_chance).sum::<f64>()
    }

    /// Fails where the gains of communities that each alone joins its best neighbour add up to more than `most`.
    fn check_merges(&self, resolution: f64, most: f64) -> Result<()> {
        let share = |community: u32| self.strengths[community as usize] / self.all;
        let mut best = vec![0.0f64; self.strengths.len()];
        for &(a, b, weight) in &self.pairs {
            let gain = weight / self.all - 2.0 * resolution * share(a) * share(b);
            for community in [a, b] {
                let best = &mut best[community as usize];
                *best = best.max(gain);
            }
        }
        match best.into_iter().sum::<f64>() {
            gains if gains > most => wrong(format!(
                "communities that join others gain {gains}, and are said to have converged"
            )),
            _ => Ok(()),
        }
    }
}
