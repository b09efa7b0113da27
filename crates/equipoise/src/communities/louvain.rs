//! Louvain: the levels, and the sweeps on the cpu.

use equipoise_graph::parallel::*;

use super::{
    CommunitiesOptions,
    classes::Classes,
    partition::{Partition, numbered},
    tally::{Tallies, Tally},
    undirected::UndirectedGraph,
};
use crate::{Result, Step, times::Clock};

/// The number of pieces in which a class moves. Vertices of a piece move at the same time, without knowing the moves of
/// each other.
pub(super) const PIECES: usize = 16;
/// The fewest vertices per piece.
const FEWEST_PER_PIECE: usize = 32;

/// Runs Louvain on the cpu.
pub(super) fn run(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Partition> {
    levels(graph, options, |level| move_all(level, options))
}

/// Calls `move_all` on a graph, then on the graph of its communities, and so on while modularity rises by more than the
/// tolerance.
pub(super) fn levels(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    mut move_all: impl FnMut(&UndirectedGraph) -> Result<Moved>,
) -> Result<Partition> {
    let mut clock = Clock::start();
    let mut communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
    let mut last = graph.modularity(&communities, options.resolution);
    let (mut levels, mut steps, mut converged) = (Vec::new(), Vec::new(), true);
    let mut aggregated: Option<UndirectedGraph> = None;
    loop {
        let level = aggregated.as_ref().unwrap_or(graph);
        let moved = move_all(level)?;
        let (numbers, count) = numbered(&moved.communities);
        communities.par_iter_mut().for_each(|label| *label = numbers[*label as usize]);
        converged &= moved.converged;
        levels.push(moved.modularity);
        let vertices = level.neighbors.rows();
        let step = Step {
            frontier: vertices.into(),
            edges: u64::from(moved.sweeps).saturating_mul(level.neighbors.entries()),
            found: (vertices - count).into(),
            sub_steps: moved.sweeps,
            time: clock.lap(),
            ..Step::new(steps.len() as u32, format!("modularity {:.6}", moved.modularity))
        };
        steps.push(step);
        if count == vertices || moved.modularity <= last + options.tolerance {
            return Ok(Partition { labels: communities, levels, converged, steps });
        }
        last = moved.modularity;
        aggregated = Some(level.aggregated(&numbers, count)?);
    }
}

/// The communities after the sweeps of a level.
#[derive(Clone)]
pub(super) struct Moved {
    /// For each vertex a vertex that represents its community.
    pub communities: Vec<u32>,
    pub modularity: f64,
    pub sweeps: u32,
    /// False if the maximum number of sweeps ended the level.
    pub converged: bool,
}

impl Moved {
    /// Every vertex is a community.
    pub fn none(graph: &UndirectedGraph, resolution: f64) -> Self {
        let communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
        let modularity = graph.modularity(&communities, resolution);
        Self { communities, modularity, sweeps: 0, converged: false }
    }
}

/// Sweeps over the vertices, each of which starts as a community, until modularity converges.
fn move_all(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Moved> {
    let classes = Classes::new(&graph.neighbors, options.seed)?;
    let mut best = Moved::none(graph, options.resolution);
    let mut one_by_one = false;
    while !best.converged && best.sweeps < options.max_iterations {
        let mut next = best.communities.clone();
        let moves = sweep(graph, &classes, &mut next, options.resolution, one_by_one);
        let modularity = graph.modularity(&next, options.resolution);
        let (rises, is_enough) =
            (modularity > best.modularity, modularity > best.modularity + options.tolerance);
        best.sweeps += 1;
        best.converged = moves == 0 || (!is_enough && (rises || one_by_one));
        if rises {
            (best.communities, best.modularity) = (next, modularity);
        }
        // Simultaneous moves can cancel each other's gains; sequential moves cannot.
        one_by_one = !rises;
    }
    Ok(best)
}

/// Moves each vertex once if that increases modularity. Returns the number of moves.
fn sweep(
    graph: &UndirectedGraph,
    classes: &Classes,
    communities: &mut [u32],
    resolution: f64,
    one_by_one: bool,
) -> u64 {
    let (tallies, mut targets) = (Tallies::new(), Vec::new());
    let mut totals = graph.totals(communities);
    let mut moves = 0;
    for class in classes.iter() {
        let piece_len = class.len().div_ceil(PIECES).max(FEWEST_PER_PIECE);
        for piece in class.chunks(if one_by_one { 1 } else { piece_len }) {
            tallies.for_each(&graph.neighbors, piece, &mut targets, |vertex, tally| {
                best_community(graph, communities, &totals, vertex, resolution, tally)
            });
            for (&vertex, &target) in piece.iter().zip(&targets) {
                let own = &mut communities[vertex as usize];
                if *own != target {
                    totals[*own as usize] -= graph.strengths[vertex as usize];
                    totals[target as usize] += graph.strengths[vertex as usize];
                    *own = target;
                    moves += 1;
                }
            }
        }
    }
    moves
}

/// The community of a vertex or of a neighbour with the largest gain of modularity: its own if no other is better, the
/// smallest of several others.
fn best_community(
    graph: &UndirectedGraph,
    communities: &[u32],
    totals: &[f64],
    vertex: u32,
    resolution: f64,
    tally: &mut Tally,
) -> u32 {
    let (own, strength) = (communities[vertex as usize], graph.strengths[vertex as usize]);
    if strength == 0.0 {
        return own;
    }
    tally.clear();
    for (other, weight) in graph.edges(vertex) {
        tally.add(communities[other as usize], weight);
    }
    let gain = |weight: f64, total: f64| weight - resolution * strength * total / graph.total;
    let stay = gain(tally.get(own), totals[own as usize] - strength);
    let others = tally.sums().filter(|&(community, _)| community != own);
    let gains =
        others.map(|(community, weight)| (gain(weight, totals[community as usize]), community));
    let better = |best: (f64, u32), other: (f64, u32)| {
        let is_better =
            other.0 > best.0 || (other.0 == best.0 && best.1 != own && other.1 < best.1);
        if is_better { other } else { best }
    };
    gains.fold((stay, own), better).1
}
