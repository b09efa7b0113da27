//! Searches on the cpu, each by one thread.

use std::sync::{Mutex, PoisonError};

use equipoise_graph::{Graph, cancel::Cancel, memory};

use super::{
    super::sums::Farthest,
    Group, HopSum, Searches,
    cpu::{Distance, Sums},
};
use crate::{
    NONE, Result,
    team::{Lanes, Team, collect},
};

/// The fewest edges per vertex of a graph whose searches share their edges. With fewer, as of roads and grids, paths are long, and
/// frontiers from different sources hardly overlap: 64 of them at once wait for memory as often, and for more of it.
const SHARING_EDGES: u64 = 6;

/// Whether each search is better on its own.
pub(super) fn is_sparse(graph: &Graph) -> bool {
    graph.edges() < SHARING_EDGES * u64::from(graph.vertices())
}

/// Searches of a sparse graph on the cpu.
pub(super) struct SingleSearches<'a> {
    team: &'a Team<'a>,
    graph: &'a Graph,
    sums: Vec<Sums>,
    lanes: Lanes<Lane>,
}

/// The state of a thread.
#[derive(Default)]
struct Lane {
    levels: Vec<u32>,
    frontier: Vec<u32>,
    next: Vec<u32>,
}

/// What one search found.
struct Single {
    eccentricity: u32,
    /// The first vertex at that distance.
    farthest: u32,
    reached: u64,
    edges: u64,
    near: u32,
}

impl Searches for SingleSearches<'_> {
    type Sums = Vec<HopSum>;

    fn search(&mut self, sources: &[u32], within: Option<u32>) -> Result<Group> {
        let cancel = Cancel::current();
        let found: Vec<_> = sources.iter().map(|_| Mutex::new(None)).collect();
        let Self { team, graph, sums, lanes } = self;
        team.for_parts(sources.len(), 1, |index, part| {
            let mut lane = lanes.get(index);
            for position in part {
                let single = lane.search(graph, sources[position], within, sums, &cancel);
                *found[position].lock().unwrap_or_else(PoisonError::into_inner) = Some(single);
            }
        });
        let mut group = Group::new(sources);
        group.eccentricities.clear();
        group.reached = 0;
        let mut near = Vec::new();
        for single in found {
            let single = single.into_inner().unwrap_or_else(PoisonError::into_inner);
            let Some(single) = single else { continue };
            let distance = single.eccentricity.into();
            let farthest = Farthest { vertex: single.farthest, distance };
            group.farthest = group.farthest.or_farther(farthest);
            group.eccentricities.push(single.eccentricity);
            group.reached += single.reached;
            group.edges += single.edges;
            near.push(single.near);
        }
        group.near = within.map(|_| near);
        Ok(group)
    }

    fn sums(&self) -> Result<Vec<HopSum>> {
        let sums = &self.sums;
        Ok(collect(self.team, sums.len(), |vertex| sums[vertex].get()))
    }
}

impl<'a> SingleSearches<'a> {
    /// Fails if memory does not suffice for the searches and their results.
    pub fn check_memory(vertices: u32) -> Result<()> {
        const BYTES: usize = size_of::<Sums>() + size_of::<HopSum>() + 16;
        let bytes = memory::bytes_of::<[u8; BYTES]>(vertices.into());
        // Levels and two lists of vertices per thread.
        let lane = memory::bytes_of::<[u32; 3]>(vertices.into());
        let threads = rayon::current_num_threads().max(1) as u64;
        let bytes = bytes.saturating_add(lane.saturating_mul(threads));
        Ok(memory::check(format_args!("distances between {vertices} vertices"), bytes)?)
    }

    pub fn new(team: &'a Team<'a>, graph: &'a Graph) -> Self {
        Self {
            team,
            graph,
            sums: collect(team, graph.vertices() as usize, |_| Sums::default()),
            lanes: Lanes::new(team.size(), Lane::default),
        }
    }
}

impl Lane {
    /// Searches from a source, and adds its distances to the sums.
    fn search(
        &mut self,
        graph: &Graph,
        source: u32,
        within: Option<u32>,
        sums: &[Sums],
        cancel: &Cancel,
    ) -> Single {
        let Self { levels, frontier, next } = self;
        levels.clear();
        levels.resize(graph.vertices() as usize, NONE);
        levels[source as usize] = 0;
        frontier.clear();
        frontier.push(source);
        let mut single =
            Single { eccentricity: 0, farthest: source, reached: 1, edges: 0, near: 1 };
        while !cancel.is_cancelled() {
            let distance = Distance::new(single.eccentricity + 1);
            next.clear();
            for &vertex in &*frontier {
                let row = graph.neighbors(vertex);
                single.edges += row.len() as u64;
                for &target in row {
                    if levels[target as usize] == NONE {
                        levels[target as usize] = distance.hops;
                        sums[target as usize].add_shared(distance);
                        next.push(target);
                    }
                }
            }
            std::mem::swap(frontier, next);
            let Some(&first) = frontier.iter().min() else { break };
            (single.eccentricity, single.farthest) = (distance.hops, first);
            single.reached += frontier.len() as u64;
            if within.is_some_and(|within| distance.hops <= within) {
                single.near += frontier.len() as u32;
            }
        }
        single
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};

    use super::*;
    use crate::{paths::hops::cpu::CpuSearches, team};

    #[test]
    fn single_searches_find_what_groups_find() {
        for spec in
            ["grid:width=30,height=20,drop=0.3", "rmat:scale=8", "er:n=300,m=400,directed=true"]
        {
            let graph = load(spec, &ReadOptions::default()).unwrap();
            let sources: Vec<u32> =
                (0..graph.vertices()).step_by(7).take(40).chain([7, 7]).collect();
            let run = |single: bool| {
                team::run(|team| {
                    let mut groups = CpuSearches::new(team, &graph);
                    let mut singles = SingleSearches::new(team, &graph);
                    let searches = sources.chunks(21).map(|sources| {
                        if single {
                            singles.search(sources, Some(2)).unwrap()
                        } else {
                            groups.search(sources, Some(2)).unwrap()
                        }
                    });
                    let found: Vec<Group> =
                        searches.map(|group| Group { edges: 0, ..group }).collect();
                    let sums = if single { singles.sums() } else { groups.sums() };
                    (found, sums.unwrap())
                })
            };
            assert_eq!(run(true), run(false), "{spec}");
        }
    }
}
