//! The undirected weighted graph under any graph, and the graph of its communities.

use std::{
    ops::{Range, RangeInclusive},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Csr, Graph, memory, numbers::short, parallel::*};

use super::{groups::Groups, tally::Tally};
use crate::{Error, Result};

/// The allowed sums of all strengths: products of two sums and the largest resolution neither overflow nor underflow.
const TOTALS: RangeInclusive<f64> = 1e-140..=1e140;

/// Rows per task of a thread.
const ROWS_PER_PIECE: u32 = 1 << 8;
/// Numbers that a thread adds up. The same for any number of threads, so that sums are.
const NUMBERS_PER_PART: usize = 1 << 12;
/// From here on, an `f64` does not have all whole numbers.
const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// An undirected weighted graph without parallel edges.
pub(super) struct UndirectedGraph {
    /// The neighbours of each vertex, excluding itself.
    pub neighbors: Csr,
    /// The weight of each edge to a neighbour.
    weights: Vec<f64>,
    /// Twice the weight of the loops of each vertex.
    pub within: Vec<f64>,
    /// The total weight of the edges of each vertex, with loops counted twice.
    pub strengths: Vec<f64>,
    /// The sum of all strengths: twice the weight of all edges.
    pub total: f64,
    /// The number of vertices of the input in each vertex.
    pub sizes: Vec<u32>,
    /// Whether strengths are whole numbers whose sums are exact, in any order.
    has_exact_sums: bool,
}

impl UndirectedGraph {
    /// Adds the weights of parallel edges and of both directions of a sound graph.
    ///
    /// Fails if a weight is negative or not finite, the sum is out of [`TOTALS`], or memory is too short.
    pub fn new(graph: &Graph) -> Result<Self> {
        check_weights(graph)?;
        if graph.is_undirected() && graph.is_simple() {
            return Self::of_simple(graph)?.checked();
        }
        let backward = if graph.is_undirected() { None } else { Some(graph.transpose()?) };
        let entries = graph.edges().saturating_mul(1 + u64::from(backward.is_some()));
        let len =
            |vertex: u32| graph.degree(vertex) + backward.map_or(0, |graph| graph.degree(vertex));
        let sizes = vec![1; graph.vertices() as usize];
        Self::from_rows(sizes, entries, len, |vertex, tally| {
            let both = [Some((graph, 2.0)), backward.map(|graph| (graph, 0.0))];
            for (graph, loop_factor) in both.into_iter().flatten() {
                let row = graph.csr().range(vertex);
                for (&target, edge) in graph.neighbors(vertex).iter().zip(row) {
                    let weight = graph.weights().map_or(1.0, |weights| weights.get(edge));
                    // A loop is in both directions. It counts twice in the first one.
                    tally.add(target, if target == vertex { loop_factor * weight } else { weight });
                }
            }
        })?
        .checked()
    }

    /// The same for an undirected graph without loops and parallel edges.
    fn of_simple(graph: &Graph) -> Result<Self> {
        let edge_bytes = memory::bytes_of::<f64>(graph.edges());
        let vertex_bytes = memory::bytes_of::<[u32; 5]>(graph.vertices().into());
        let what = format_args!("the weights between {} vertices", graph.vertices());
        memory::check(what, edge_bytes.saturating_add(vertex_bytes))?;
        let edges = (0..graph.edges() as usize).into_par_iter();
        let weights: Vec<f64> = match graph.weights() {
            None => edges.map(|_| 1.0).collect(),
            Some(weights) => edges.map(|edge| weights.get(edge)).collect(),
        };
        let strength = |vertex: u32| weights[graph.csr().range(vertex)].iter().sum::<f64>();
        let strengths: Vec<f64> = (0..graph.vertices()).into_par_iter().map(strength).collect();
        let within = vec![0.0; strengths.len()];
        let sizes = vec![1; strengths.len()];
        Ok(Self::from_parts(graph.csr().clone(), weights, within, strengths, sizes))
    }

    fn from_parts(
        neighbors: Csr,
        weights: Vec<f64>,
        within: Vec<f64>,
        strengths: Vec<f64>,
        sizes: Vec<u32>,
    ) -> Self {
        let total = sum_in_parts(&strengths, |&strength| strength);
        let are_whole = || strengths.par_iter().all(|strength| strength.fract() == 0.0);
        let has_exact_sums = total < EXACT && are_whole();
        Self { neighbors, weights, within, strengths, total, sizes, has_exact_sums }
    }

    /// A graph whose vertices may have loops: what the weights of a vertex lack of its strength. Each vertex counts as one.
    pub fn from_sums(neighbors: Csr, weights: Vec<f64>, strengths: Vec<f64>) -> Self {
        let within = |vertex: u32| {
            strengths[vertex as usize] - weights[neighbors.range(vertex)].iter().sum::<f64>()
        };
        let within = (0..neighbors.rows()).into_par_iter().map(within).collect();
        let sizes = vec![1; strengths.len()];
        Self::from_parts(neighbors, weights, within, strengths, sizes)
    }

    /// Fails if the sum of all strengths is out of [`TOTALS`].
    fn checked(self) -> Result<Self> {
        let total = self.total;
        if total == 0.0 || TOTALS.contains(&total) {
            return Ok(self);
        }
        let (least, most) = (TOTALS.start(), TOTALS.end());
        Err(Error::Option(format!(
            "the weights of all edges, from both ends, add up to {total:e}: communities need {least:e} to {most:e}, so \
             multiply all weights by the same number"
        )))
    }

    /// The graph whose vertices are the communities `0..count` of this graph.
    pub fn aggregated(&self, communities: &[u32], count: u32) -> Result<Self> {
        let groups = Groups::new(communities, count);
        let size = |community: u32| -> u32 {
            groups.members(community).iter().map(|&vertex| self.sizes[vertex as usize]).sum()
        };
        let sizes = (0..count).into_par_iter().map(size).collect();
        let len = |community: u32| {
            let members = groups.members(community).iter();
            let edges = members.map(|&vertex| self.neighbors.row_len(vertex));
            edges.sum::<usize>().min(count as usize)
        };
        Self::from_rows(sizes, self.neighbors.entries(), len, |community, tally| {
            for &vertex in groups.members(community) {
                tally.add(community, self.within[vertex as usize]);
                for (target, weight) in self.edges(vertex) {
                    tally.add(communities[target as usize], weight);
                }
            }
        })
    }

    /// A graph of vertices of these sizes with at most `entries` edges; `fill` sums the weights of a row, which has at most `len`
    /// neighbours.
    fn from_rows(
        sizes: Vec<u32>,
        entries: u64,
        len: impl Fn(u32) -> usize + Sync,
        fill: impl Fn(u32, &mut Tally) + Sync,
    ) -> Result<Self> {
        let vertices = sizes.len() as u32;
        // Neighbours and weights in pieces, with room to grow, and then in one array; ends of rows, loops, strengths and
        // sorted members.
        let edge_bytes = memory::bytes_of::<[u32; 9]>(entries);
        let vertex_bytes = memory::bytes_of::<[u64; 6]>(vertices.into());
        let what = format_args!("the weights between {vertices} vertices");
        memory::check(what, edge_bytes.saturating_add(vertex_bytes))?;
        let pieces: Vec<Rows> = (0..vertices.div_ceil(ROWS_PER_PIECE))
            .into_par_iter()
            .map_init(Tally::default, |tally, piece| {
                let start = piece * ROWS_PER_PIECE;
                let end = vertices.min(start.saturating_add(ROWS_PER_PIECE));
                Rows::new(start..end, tally, &len, &fill)
            })
            .collect();
        Self::from_pieces(sizes, pieces)
    }

    fn from_pieces(sizes: Vec<u32>, pieces: Vec<Rows>) -> Result<Self> {
        let mut offsets = vec![0];
        for piece in &pieces {
            let start = offsets.last().copied().unwrap_or(0);
            offsets.extend(piece.ends.iter().map(|&end| start + end as u64));
        }
        let targets = concatenated(&pieces, |piece| &piece.targets);
        let weights = concatenated(&pieces, |piece| &piece.weights);
        let within = concatenated(&pieces, |piece| &piece.within);
        let strengths = concatenated(&pieces, |piece| &piece.strengths);
        let neighbors = Csr::new(sizes.len() as u32, offsets, targets)?;
        Ok(Self::from_parts(neighbors, weights, within, strengths, sizes))
    }

    /// The neighbours of a vertex, with weights.
    pub fn edges(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        let weights = &self.weights[self.neighbors.range(vertex)];
        self.neighbors.row(vertex).iter().copied().zip(weights.iter().copied())
    }

    /// The weights of edges and of loops in 32 bits, if all are whole and no strength exceeds 32 bits.
    pub fn whole_weights(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let is_small = |&strength: &f64| strength <= f64::from(u32::MAX);
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let loops = || self.within.par_iter().map(|within| within / 2.0);
        let are_whole = self.weights.par_iter().all(is_whole)
            && loops().all(|weight| is_whole(&weight))
            && self.strengths.par_iter().all(is_small);
        are_whole.then(|| {
            let weights = self.weights.par_iter().map(|&weight| weight as u32).collect();
            (weights, loops().map(|weight| weight as u32).collect())
        })
    }

    /// Weights scaled so that the strengths fit 32 bits, and rounded down; unchanged if they are whole and small enough.
    pub fn scaled(&self) -> ScaledWeights {
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let (weights, most) = (&self.weights, f64::from(u32::MAX));
        let strongest = self.strengths.par_iter().copied().reduce(|| 0.0, f64::max);
        let are_whole = weights.par_iter().all(is_whole) && self.within.par_iter().all(is_whole);
        let factor = if are_whole && strongest <= most { 1.0 } else { most / strongest };
        let scale = |weight: &f64| (weight * factor) as u32;
        let weights: Vec<u32> = weights.par_iter().map(scale).collect();
        let within: Vec<u32> = self.within.par_iter().map(scale).collect();
        let strength = |(vertex, &within): (usize, &u32)| {
            let of_edges = &weights[self.neighbors.range(vertex as u32)];
            of_edges.iter().fold(within, |sum, &weight| sum.saturating_add(weight))
        };
        let strengths = within.par_iter().enumerate().map(strength).collect();
        let within = within.into_par_iter().map(u64::from).sum();
        let is_exact = factor == 1.0 && self.total <= most;
        ScaledWeights { weights, within, strengths, is_exact }
    }

    /// The rise of the objective by a gain in units of weight, as a share of all weight: that of modularity itself.
    pub fn rise(&self, gain: f64) -> f64 {
        match self.total {
            _ if gain <= 0.0 => 0.0,
            0.0 => gain,
            total => 2.0 * gain / total,
        }
    }

    /// The modularity of communities, which are labelled with vertices.
    pub fn modularity(&self, communities: &[u32], resolution: f64) -> f64 {
        if self.total == 0.0 {
            return 0.0;
        }
        let expected = |total: &f64| (total / self.total).powi(2);
        let expected = sum_in_parts(&self.totals(communities), expected);
        self.inside(communities) / self.total - resolution * expected
    }

    /// Twice the weight of the edges within communities.
    pub fn inside(&self, communities: &[u32]) -> f64 {
        let inside = |vertex: u32| {
            let own = communities[vertex as usize];
            let same = self.edges(vertex).filter(|&(other, _)| communities[other as usize] == own);
            self.within[vertex as usize] + same.map(|(_, weight)| weight).sum::<f64>()
        };
        let inside: Vec<f64> = (0..self.neighbors.rows()).into_par_iter().map(inside).collect();
        sum_in_parts(&inside, |&inside| inside)
    }

    /// The total strength of each community.
    pub fn totals(&self, communities: &[u32]) -> Vec<f64> {
        self.sums(communities, &self.strengths)
    }

    /// The sum of the members' values for each community. Values have to be strengths or sizes.
    pub fn sums(&self, communities: &[u32], values: &[f64]) -> Vec<f64> {
        if !self.has_exact_sums {
            let mut sums = vec![0.0; communities.len()];
            for (&community, value) in communities.iter().zip(values) {
                sums[community as usize] += value;
            }
            return sums;
        }
        exact_sums(communities, values)
    }

    /// The number of vertices of the input in each community.
    pub fn sizes_of(&self, communities: &[u32]) -> Vec<u32> {
        let sizes = self.sizes.par_iter().map(|&size| f64::from(size)).collect::<Vec<f64>>();
        exact_sums(communities, &sizes).into_par_iter().map(|sum| sum as u32).collect()
    }
}

/// The sums of whole numbers by label. Labels are smaller than their count.
fn exact_sums(labels: &[u32], values: &[f64]) -> Vec<f64> {
    let sums: Vec<AtomicU64> = labels.par_iter().map(|_| AtomicU64::new(0)).collect();
    let labels = labels.par_chunks(NUMBERS_PER_PART);
    labels.zip(values.par_chunks(NUMBERS_PER_PART)).for_each(|(labels, values)| {
        // One addition per label and part: few labels would be contended.
        let mut tally = Tally::default();
        tally.clear(labels.len());
        labels.iter().zip(values).for_each(|(&label, &value)| tally.add(label, value));
        for (label, sum) in tally.sums() {
            sums[label as usize].fetch_add(sum as u64, Relaxed);
        }
    });
    sums.into_par_iter().map(|sum| sum.into_inner() as f64).collect()
}

/// The sum of a function of each item. It does not depend on the number of threads.
pub(super) fn sum_in_parts<T: Sync>(items: &[T], value: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts = items.par_chunks(NUMBERS_PER_PART);
    let parts: Vec<f64> = parts.map(|part| part.iter().map(&value).sum()).collect();
    parts.into_iter().sum()
}

/// The weights of an [`UndirectedGraph`] in 32 bits.
pub(super) struct ScaledWeights {
    /// Per edge.
    pub weights: Vec<u32>,
    /// The sum over all vertices.
    within: u64,
    /// Per vertex.
    pub strengths: Vec<u32>,
    /// Whether these are the weights themselves, all of which 32 bits can sum.
    is_exact: bool,
}

impl ScaledWeights {
    /// The weight within all vertices, if that is exact.
    pub fn exact_within(&self) -> Option<f64> {
        self.is_exact.then_some(self.within as f64)
    }
}

/// Some rows of an [`UndirectedGraph`].
#[derive(Default)]
struct Rows {
    ends: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<f64>,
    within: Vec<f64>,
    strengths: Vec<f64>,
}

impl Rows {
    fn new(
        vertices: Range<u32>,
        tally: &mut Tally,
        len: impl Fn(u32) -> usize,
        fill: impl Fn(u32, &mut Tally),
    ) -> Self {
        let mut rows = Self::default();
        let mut row = Vec::new();
        for vertex in vertices {
            // The neighbours, and the vertex itself.
            tally.clear(len(vertex) + 1);
            fill(vertex, tally);
            row.clear();
            row.extend(tally.sums());
            row.sort_unstable_by_key(|&(target, _)| target);
            let (mut within, mut others) = (0.0, 0.0);
            for &(target, weight) in &row {
                if target == vertex {
                    within = weight;
                } else {
                    rows.targets.push(target);
                    rows.weights.push(weight);
                    others += weight;
                }
            }
            rows.ends.push(rows.targets.len());
            rows.within.push(within);
            rows.strengths.push(within + others);
        }
        rows
    }
}

/// The numbers of all pieces in one array.
fn concatenated<T: Copy + Default + Send + Sync>(
    pieces: &[Rows],
    numbers: impl Fn(&Rows) -> &Vec<T>,
) -> Vec<T> {
    let mut all = vec![T::default(); pieces.iter().map(|piece| numbers(piece).len()).sum()];
    let (mut rest, mut copies) = (&mut all[..], Vec::new());
    for piece in pieces.iter().map(numbers) {
        let (to, others) = rest.split_at_mut(piece.len());
        copies.push((to, piece));
        rest = others;
    }
    copies.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
    all
}

fn check_weights(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let is_bad = |&edge: &usize| !(weights.get(edge) >= 0.0 && weights.get(edge).is_finite());
    let Some(edge) = (0..weights.len()).into_par_iter().find_first(is_bad) else { return Ok(()) };
    let source = graph.csr().offsets().partition_point(|&offset| offset <= edge as u64) - 1;
    Err(Error::Option(format!(
        "the edge from {} to {} has weight {}: communities need weights that are zero or more and \
         finite",
        graph.ids().id(source as u32),
        graph.ids().id(graph.csr().indices()[edge]),
        short(&weights.get(edge))
    )))
}
