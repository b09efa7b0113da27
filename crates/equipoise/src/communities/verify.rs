//! Whether communities are what is said of them.

use std::collections::BTreeMap;

use equipoise_graph::{Graph, memory, parallel::*};

use super::{Communities, CommunitiesOptions, CommunitiesStrategy};
use crate::{Result, error::wrong};

/// How far a modularity may be from another of the same communities that was added up in another order, for a resolution
/// of 1; and by what share of its weight the most frequent label may be beaten.
const BOUND: f64 = 1e-9;

impl Communities {
    /// Checks the communities against the graph they were found in, with these options.
    ///
    /// 1. Each vertex has a community; they are numbered from 0 on in the order of their first vertices, and there are as
    ///    many as is said, the largest with as many vertices.
    /// 2. Modularity, added up anew over the edges of the graph, is within 1e-9 of what is said.
    /// 3. For louvain, it does not fall from level to level but for rounding, and the last level's is that of the result.
    /// 4. For label propagation that came to its end, no community has more weight among the neighbours of a vertex than
    ///    its own.
    ///
    /// Takes time linear in the edges, and 20 bytes a vertex.
    pub fn verify(&self, graph: &Graph, options: &CommunitiesOptions) -> Result<()> {
        graph.check()?;
        self.check_numbers(graph)?;
        let bound = BOUND * options.resolution.max(1.0);
        let modularity = self.modularity_of(graph, options.resolution)?;
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
                    Some(&last) if is_near(last) => Ok(()),
                    last => wrong(format!("the last level has a modularity of {last:?}")),
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
        let mut sizes: Vec<u32> = Vec::new();
        for (vertex, &community) in (0..).zip(&self.communities) {
            if community as usize > sizes.len() {
                return wrong(format!(
                    "vertex {} is in community {community}, and {} were there before",
                    graph.ids().id(vertex),
                    sizes.len()
                ));
            }
            if community as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[community as usize] += 1;
        }
        if sizes.len() as u64 != u64::from(self.count) {
            return wrong(format!("{} are said to be there, of {}", self.count, sizes.len()));
        }
        match sizes.into_iter().max().unwrap_or(0) {
            largest if largest == self.largest => Ok(()),
            largest => wrong(format!("the largest has {largest} vertices, not {}", self.largest)),
        }
    }

    /// The modularity: edges within communities as a share of all, less what chance would have there.
    fn modularity_of(&self, graph: &Graph, resolution: f64) -> Result<f64> {
        let count = u64::from(self.count);
        memory::check("verifying communities", memory::bytes_of::<[f64; 2]>(count))?;
        let mut degrees = vec![0.0; self.count as usize];
        let (mut within, mut all) = (0.0, 0.0);
        // An undirected edge is there from either end, a directed one and a loop once.
        let ends = if graph.is_undirected() { 1.0 } else { 2.0 };
        for source in 0..graph.vertices() {
            let of_source = self.communities[source as usize] as usize;
            for (target, weight) in edges(graph, source) {
                let of_target = self.communities[target as usize] as usize;
                let both = if target == source { 2.0 } else { ends } * weight;
                all += both;
                degrees[of_source] += both / 2.0;
                degrees[of_target] += both / 2.0;
                if of_source == of_target {
                    within += both;
                }
            }
        }
        if all == 0.0 {
            return Ok(0.0);
        }
        let by_chance: f64 = degrees.iter().map(|degree| (degree / all) * (degree / all)).sum();
        Ok(within / all - resolution * by_chance)
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
