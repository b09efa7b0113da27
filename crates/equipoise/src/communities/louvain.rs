//! Louvain: the levels, and how the cpu moves vertices.

use rayon::prelude::*;

use super::{
    CommunitiesOptions,
    classes::Classes,
    found::{Found, numbered},
    tally::{Tallies, Tally},
    weighted::Weighted,
};
use crate::{Result, Step, times::Clock};

/// A class moves in so many pieces, so that not all of it moves to where it does not know of the others.
pub(super) const PIECES: usize = 16;
/// The fewest vertices of a piece.
const FEWEST_OF_PIECE: usize = 32;

/// Moves vertices on the cpu.
pub(super) fn run(graph: &Weighted, options: &CommunitiesOptions) -> Result<Found> {
    levels(graph, options, |level| moved(level, options))
}

/// Lets `moved` move vertices between communities until modularity does not rise by more than the tolerance, and goes on
/// with the graph of the communities, until that does not make it rise either. Nothing is kept that makes it fall.
pub(super) fn levels(
    graph: &Weighted,
    options: &CommunitiesOptions,
    mut moved: impl FnMut(&Weighted) -> Result<Moved>,
) -> Result<Found> {
    let mut clock = Clock::start();
    let mut communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
    let mut last = graph.modularity(&communities, options.resolution);
    let (mut levels, mut steps, mut converged) = (Vec::new(), Vec::new(), true);
    let mut aggregated: Option<Weighted> = None;
    loop {
        let level = aggregated.as_ref().unwrap_or(graph);
        let moved = moved(level)?;
        let (numbers, count) = numbered(&moved.communities);
        communities.par_iter_mut().for_each(|place| *place = numbers[*place as usize]);
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
            return Ok(Found { labels: communities, levels, converged, steps });
        }
        last = moved.modularity;
        aggregated = Some(level.aggregated(&numbers, count)?);
    }
}

/// What came of moving vertices.
#[derive(Clone)]
pub(super) struct Moved {
    /// For each vertex a vertex that stands for its community.
    pub communities: Vec<u32>,
    pub modularity: f64,
    pub sweeps: u32,
    /// Whether there were not too many sweeps.
    pub converged: bool,
}

impl Moved {
    /// Every vertex is a community of its own.
    pub fn none(graph: &Weighted, resolution: f64) -> Self {
        let communities: Vec<u32> = (0..graph.neighbors.rows()).collect();
        let modularity = graph.modularity(&communities, resolution);
        Self { communities, modularity, sweeps: 0, converged: false }
    }
}

/// Lets every vertex, which starts as a community of its own, move again and again.
fn moved(graph: &Weighted, options: &CommunitiesOptions) -> Result<Moved> {
    let classes = Classes::of(&graph.neighbors, options.seed)?;
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
        // Where vertices that move together are in each other's way, they do so alone.
        one_by_one = !rises;
    }
    Ok(best)
}

/// Moves each vertex once, if that is for the better. How many moved.
fn sweep(
    graph: &Weighted,
    classes: &Classes,
    communities: &mut [u32],
    resolution: f64,
    one_by_one: bool,
) -> u64 {
    let (tallies, mut targets) = (Tallies::new(), Vec::new());
    let mut totals = graph.totals(communities);
    let mut moves = 0;
    for class in classes.iter() {
        let piece = match one_by_one {
            true => 1,
            false => class.len().div_ceil(PIECES).max(FEWEST_OF_PIECE),
        };
        for piece in class.chunks(piece) {
            tallies.for_each(graph, piece, &mut targets, |vertex, tally| {
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

/// The community of a vertex or of a neighbour in which it adds most to modularity: its own if no other is better, and
/// the smallest of several others.
fn best_community(
    graph: &Weighted,
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
