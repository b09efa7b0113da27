//! Whether communities are what is said of them.

mod connected;
mod weights;

use std::collections::BTreeMap;

use equipoise_graph::{Graph, parallel::*};

use self::weights::CommunityWeights;
use super::{Communities, CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy};
use crate::{Result, certificate::class_sizes, error::wrong};

/// How far a modularity may be from another of the same communities that was added up in another order, for a resolution
/// of 1; and by what share of its weight the most frequent label may be beaten.
const BOUND: f64 = 1e-9;

impl Communities {
    /// Checks the communities against the graph they were found in, with these options.
    ///
    /// 1. Each vertex has a community; they are numbered from 0 on in the order of their first vertices, and there are as
    ///    many as is said, the largest with as many vertices.
    /// 2. Modularity, added up anew over the edges of the graph, is within 1e-9 of what is said. So is the objective, if that is
    ///    another, relative to the weights and penalties that it adds up.
    /// 3. For louvain and leiden, the objective does not fall from level to level but for rounding, and the last level's is that of
    ///    the result. No community is larger than allowed. If it converged, the gains of communities that each alone joins its
    ///    best neighbour add up to the tolerance at most.
    /// 4. For leiden, the vertices of each community are connected by edges within it.
    /// 5. For label propagation that came to its end, no community has more weight among the neighbours of a vertex than
    ///    its own.
    ///
    /// Adds up the edges by pairs of communities and sorts these sums, of 16 bytes each.
    pub fn verify(&self, graph: &Graph, options: &CommunitiesOptions) -> Result<()> {
        graph.check()?;
        self.check_numbers(graph)?;
        let weights = CommunityWeights::new(graph, &self.communities, self.count)?;
        let bound = BOUND * options.resolution.max(1.0);
        let modularity = weights.modularity(options.resolution);
        if !is_near(self.modularity, modularity, bound) {
            return wrong(format!("the modularity is {modularity}, not {}", self.modularity));
        }
        match self.strategy {
            CommunitiesStrategy::LabelPropagation if self.converged => self.check_labels(graph),
            CommunitiesStrategy::LabelPropagation => Ok(()),
            _ => self.check_levels(graph, options, &weights),
        }
    }

    /// Checks what Louvain and Leiden say.
    fn check_levels(
        &self,
        graph: &Graph,
        options: &CommunitiesOptions,
        weights: &CommunityWeights,
    ) -> Result<()> {
        let (quality, scale) = weights.quality(options);
        let bound = BOUND * scale;
        match (self.quality, options.objective) {
            (None, CommunitiesObjective::Modularity) => {}
            (Some(said), CommunitiesObjective::DirectedModularity | CommunitiesObjective::Cpm)
                if is_near(said, quality, bound) => {}
            (said, objective) => wrong(format!("the {objective} is {quality}, not {said:?}"))?,
        }
        let name = options.objective.name();
        let is_odd = |pair: &&[f64]| pair.iter().any(|quality| quality.is_nan());
        let falls = |pair: &&[f64]| is_odd(pair) || pair[1] < pair[0] - bound;
        if let Some(pair) = self.levels.windows(2).find(falls) {
            return wrong(format!("{name} falls from {} to {}", pair[0], pair[1]));
        }
        match self.levels.last() {
            Some(&last) if is_near(last, quality, bound) => {}
            last => wrong(format!("the last level has a {name} of {last:?}"))?,
        }
        let most = options.max_community_size;
        if most != 0 && self.largest > most {
            let largest = self.largest;
            return wrong(format!("a community has {largest} vertices, and {most} are allowed"));
        }
        if self.strategy == CommunitiesStrategy::Leiden {
            self.check_connected(graph)?;
        }
        if self.converged { weights.check_merges(options) } else { Ok(()) }
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
                    "vertex {} is in community {community}, and only {count} came before",
                    graph.ids().id(vertex)
                ));
            }
            count = count.max(community + 1);
        }
        if count != self.count {
            return wrong(format!("{} communities, not {count}", self.count));
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

/// Whether a number is within a bound of the correct one.
fn is_near(said: f64, correct: f64, bound: f64) -> bool {
    (said - correct).abs() <= bound
}

/// Where the edges of a vertex lead, and their weights.
fn edges(graph: &Graph, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
    let weight = |edge: usize| graph.weights().map_or(1.0, |weights| weights.get(edge));
    let row = graph.csr().range(vertex);
    graph.neighbors(vertex).iter().copied().zip(row.map(weight))
}
