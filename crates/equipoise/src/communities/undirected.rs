//! The undirected weighted graph under any graph, and the graph of its communities.

use std::ops::{Range, RangeInclusive};

use equipoise_graph::{Csr, Graph, memory, numbers::short, parallel::*};

use super::{
    groups::Groups,
    tally::{Tallies, Tally},
    totals::ExactSums,
};
use crate::{Error, Result};

/// The allowed sums of all strengths: products of two sums and the largest resolution neither overflow nor underflow.
const TOTALS: RangeInclusive<f64> = 1e-140..=1e140;

/// The most rows per task of a thread.
const ROWS_PER_PIECE: u32 = 1 << 8;
/// Numbers that a thread adds up. The same for any number of threads, so that sums are.
const NUMBERS_PER_PART: usize = 1 << 12;
/// An undirected weighted graph without parallel edges.
pub(super) struct UndirectedGraph {
    /// The neighbours of each vertex, excluding itself.
    pub neighbors: Csr,
    /// The weight of each edge to a neighbour.
    /// The weight of each edge; without, 1.
    pub weights: Option<Vec<f64>>,
    /// Twice the weight of the loops of each vertex.
    pub within: Vec<f64>,
    /// The total weight of the edges of each vertex, with loops counted twice. Rounded to units.
    pub strengths: Vec<f64>,
    /// The part of the strengths of edges that leave, of a directed graph. Rounded to units.
    pub leaving: Option<Vec<f64>>,
    /// The sum of all strengths: twice the weight of all edges.
    pub total: f64,
    /// The number of vertices of the input in each vertex.
    pub sizes: Vec<u32>,
    /// A power of two of which strengths are multiples, so that their sums are exact in any order.
    pub unit: f64,
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
        let sizes = vec![1; graph.vertices() as usize];
        let weight = |edge: usize| graph.weights().map_or(1.0, |weights| weights.get(edge));
        let leaving = backward.map(|_| {
            let leaving = |vertex| graph.csr().range(vertex).map(weight).sum();
            (0..graph.vertices()).into_par_iter().map(leaving).collect()
        });
        let new =
            Self::from_rows(sizes, entries, &Tallies::new(graph.vertices()), |vertex, tally| {
                tally.clear(graph.degree(vertex));
                let both = [Some((graph, 2.0)), backward.map(|graph| (graph, 0.0))];
                for (graph, loop_factor) in both.into_iter().flatten() {
                    let row = graph.csr().range(vertex);
                    for (&target, edge) in graph.neighbors(vertex).iter().zip(row) {
                        let weight = graph.weights().map_or(1.0, |weights| weights.get(edge));
                        // A loop is in both directions. It counts twice in the first one.
                        tally.add(
                            target,
                            if target == vertex { loop_factor * weight } else { weight },
                        );
                    }
                }
            })?;
        new.with_leaving(leaving).checked()
    }

    /// The same for an undirected graph without loops and parallel edges.
    fn of_simple(graph: &Graph) -> Result<Self> {
        let weights = graph.weights().map(|_| memory::bytes_of::<f64>(graph.edges()));
        let vertex_bytes = memory::bytes_of::<[u32; 5]>(graph.vertices().into());
        let what = format_args!("the weights between {} vertices", graph.vertices());
        memory::check(what, weights.unwrap_or(0).saturating_add(vertex_bytes))?;
        let weights: Option<Vec<f64>> = graph.weights().map(|weights| {
            (0..weights.len()).into_par_iter().map(|edge| weights.get(edge)).collect()
        });
        let strength = |vertex: u32| match &weights {
            None => graph.degree(vertex) as f64,
            Some(weights) => weights[graph.csr().range(vertex)].iter().sum(),
        };
        let strengths: Vec<f64> = (0..graph.vertices()).into_par_iter().map(strength).collect();
        let within = vec![0.0; strengths.len()];
        let sizes = vec![1; strengths.len()];
        Ok(Self::from_parts(graph.csr().clone(), weights, within, strengths, sizes))
    }

    fn from_parts(
        neighbors: Csr,
        weights: Option<Vec<f64>>,
        within: Vec<f64>,
        mut strengths: Vec<f64>,
        sizes: Vec<u32>,
    ) -> Self {
        let sum = |strengths: &[f64]| sum_in_parts(strengths, |&strength| strength);
        let total = sum(&strengths);
        if !TOTALS.contains(&total) {
            // Nothing to sum, or refused.
            return Self {
                neighbors,
                weights,
                within,
                strengths,
                leaving: None,
                total,
                sizes,
                unit: 1.0,
            };
        }
        let unit = unit_of(total);
        strengths.par_iter_mut().for_each(|strength| *strength = rounded(*strength, unit));
        let total = sum(&strengths);
        Self { neighbors, weights, within, strengths, leaving: None, total, sizes, unit }
    }

    fn with_leaving(self, mut leaving: Option<Vec<f64>>) -> Self {
        if TOTALS.contains(&self.total) {
            let leaving = leaving.iter_mut().flatten();
            leaving.for_each(|leaving| *leaving = rounded(*leaving, self.unit));
        }
        Self { leaving, ..self }
    }

    /// A graph whose vertices may have loops: what the weights of a vertex lack of its strength. Each vertex counts as one.
    pub fn from_sums(neighbors: Csr, weights: Vec<f64>, strengths: Vec<f64>) -> Self {
        let within = |vertex: u32| {
            strengths[vertex as usize] - weights[neighbors.range(vertex)].iter().sum::<f64>()
        };
        let within = (0..neighbors.rows()).into_par_iter().map(within).collect();
        let sizes = vec![1; strengths.len()];
        Self::from_parts(neighbors, Some(weights), within, strengths, sizes)
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
        let leaving = self.leaving.as_ref().map(|leaving| {
            let mut sums = ExactSums::new(communities, leaving, self.unit).to_vec();
            sums.truncate(count as usize);
            sums
        });
        let tallies = Tallies::new(count);
        let new =
            Self::from_rows(sizes, self.neighbors.entries(), &tallies, |community, tally| {
                let members = groups.members(community);
                self.tally_all(members, &tallies, tally, |other| communities[other as usize]);
                let within = members.iter().map(|&vertex| self.within[vertex as usize]);
                tally.add(community, within.sum());
            })?;
        Ok(new.with_leaving(leaving))
    }

    /// A graph of vertices of these sizes with at most `entries` edges; `fill` sums the weights of a row.
    fn from_rows(
        sizes: Vec<u32>,
        entries: u64,
        tallies: &Tallies,
        fill: impl Fn(u32, &mut Tally) + Sync,
    ) -> Result<Self> {
        let vertices = sizes.len() as u32;
        // Neighbours and weights in pieces, with room to grow, and then in one array; ends of rows, loops, strengths and
        // sorted members.
        let edge_bytes = memory::bytes_of::<[u32; 9]>(entries);
        let vertex_bytes = memory::bytes_of::<[u64; 7]>(vertices.into());
        let what = format_args!("the weights between {vertices} vertices");
        memory::check(what, edge_bytes.saturating_add(vertex_bytes))?;
        let rows = (vertices / ROWS_PER_PIECE).clamp(1, ROWS_PER_PIECE);
        let pieces: Vec<Rows> = (0..vertices.div_ceil(rows))
            .into_par_iter()
            .map(|piece| {
                let start = piece * rows;
                let end = vertices.min(start.saturating_add(rows));
                tallies.with_one(|tally| Rows::new(start..end, tally, &fill))
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
        Ok(Self::from_parts(neighbors, Some(weights), within, strengths, sizes))
    }

    /// Runs `visit` for the neighbour at the end of each of some edges, with the weight.
    #[inline]
    pub fn for_edges(&self, edges: Range<usize>, mut visit: impl FnMut(u32, f64)) {
        let targets = &self.neighbors.indices()[edges.clone()];
        match &self.weights {
            None => targets.iter().for_each(|&target| visit(target, 1.0)),
            Some(weights) => {
                let edges = targets.iter().zip(&weights[edges]);
                edges.for_each(|(&target, &weight)| visit(target, weight));
            }
        }
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

    /// The modularity of communities of a directed graph.
    pub fn directed_modularity(&self, communities: &[u32], resolution: f64) -> f64 {
        let Some(leaving) = &self.leaving else { return self.modularity(communities, resolution) };
        if self.total == 0.0 {
            return 0.0;
        }
        let leaving = ExactSums::new(communities, leaving, self.unit).to_vec();
        let totals = self.totals(communities);
        let share = |sum: f64| 2.0 * sum / self.total;
        let expected: Vec<f64> = leaving
            .par_iter()
            .zip(&totals)
            .map(|(&leaving, &all)| share(leaving) * share(all - leaving))
            .collect();
        let expected = sum_in_parts(&expected, |&expected| expected);
        self.inside(communities) / self.total - resolution * expected
    }

    /// Twice the weight of the edges within communities.
    pub fn inside(&self, communities: &[u32]) -> f64 {
        let inside =
            |vertex: u32| self.within[vertex as usize] + self.weight_to_own(vertex, communities);
        let inside: Vec<f64> = (0..self.neighbors.rows()).into_par_iter().map(inside).collect();
        sum_in_parts(&inside, |&inside| inside)
    }

    /// The total strength of each community.
    pub fn totals(&self, communities: &[u32]) -> Vec<f64> {
        ExactSums::new(communities, &self.strengths, self.unit).to_vec()
    }

    /// The number of vertices of the input in each community.
    pub fn sizes_of(&self, communities: &[u32]) -> Vec<u32> {
        let sizes = self.sizes.par_iter().map(|&size| f64::from(size)).collect::<Vec<f64>>();
        let sums = ExactSums::new(communities, &sizes, 1.0).to_vec();
        sums.into_par_iter().map(|sum| sum as u32).collect()
    }
}

/// The unit for values of which the sum of all has 52 bits.
fn unit_of(total: f64) -> f64 {
    const BITS: i32 = f64::MANTISSA_DIGITS as i32 - 1;
    2f64.powi(total.log2().ceil() as i32 - BITS)
}

/// A value as a multiple of a unit: of 0 only if it is 0.
fn rounded(value: f64, unit: f64) -> f64 {
    if value > 0.0 { (value / unit).round().max(1.0) * unit } else { value }
}

/// The sum of a function of each item. It does not depend on the number of threads.
pub(super) fn sum_in_parts<T: Sync>(items: &[T], value: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts = items.par_chunks(NUMBERS_PER_PART);
    let parts: Vec<f64> = parts.map(|part| part.iter().map(&value).sum()).collect();
    parts.into_iter().sum()
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
    fn new(vertices: Range<u32>, tally: &mut Tally, fill: impl Fn(u32, &mut Tally)) -> Self {
        let mut rows = Self::default();
        let mut row: Vec<u32> = Vec::new();
        for vertex in vertices {
            fill(vertex, tally);
            row.clear();
            row.extend(tally.sums().map(|(target, _)| target));
            row.sort_unstable();
            let (mut within, mut others) = (0.0, 0.0);
            for &target in &row {
                let weight = tally.get(target);
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
