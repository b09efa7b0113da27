//! Distances by edges, from 64 sources at once: each vertex has a word with a bit per search (Then et al., The More the
//! Merrier, 2014).
//!
//! Nothing is stored per vertex and source. As a search reaches a vertex, its distance goes into the sums of the vertex.
//! While few vertices are reached per level, they push their bits along their edges; otherwise each vertex pulls the bits
//! of its neighbours, until it has all. A pull reads the bits of the previous level and writes those of the next level to
//! another array.
//!
//! Sums are integers, so that their order does not matter: they are the same on every device and for any number of threads.

mod cpu;
mod gpu;
mod group;
mod single;

use equipoise_graph::Graph;

pub(super) use self::group::Group;
use self::{
    cpu::CpuSearches,
    gpu::GpuSearches,
    group::LevelSums,
    single::{SingleSearches, is_sparse},
};
use super::{
    Search,
    sums::{Found, SourceSums, SumsOfVertices, VertexSums},
};
use crate::{Result, Step, Trace, gpu_graph::GpuGraph, team, times::Clock};

/// Searches per group: the bits of a word.
pub(super) const SEARCHES: usize = 64;

/// The sums of a vertex over the sources that reach it, without itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HopSum {
    /// The number of these sources.
    pub reached: u32,
    pub distance: u64,
    /// The sum of the reciprocal distances, in units of 2⁻⁶⁴.
    pub inverse: u128,
}

impl HopSum {
    /// The sum of the reciprocal distances.
    fn harmonic(&self) -> f64 {
        const UNIT: f64 = 1.0 / (1u128 << 64) as f64;
        self.inverse as f64 * UNIT
    }
}

impl From<HopSum> for VertexSums {
    fn from(sum: HopSum) -> Self {
        Self { reached: sum.reached, distance: sum.distance as f64, inverse: sum.harmonic() }
    }
}

/// The reciprocal of a distance in units of 2⁻⁶⁴, rounded.
fn inverse(distance: u32) -> u128 {
    let distance = u128::from(distance.max(1));
    ((1 << 64) + distance / 2) / distance
}

/// Searches of a graph on a device, a group at a time.
trait Searches {
    type Sums: SumsOfVertices + Send;

    /// Searches from up to [`SEARCHES`] sources, and adds their distances to the sums of the vertices. Counts the vertices
    /// within a distance of each source, if there is one.
    fn search(&mut self, sources: &[u32], within: Option<u32>) -> Result<Group>;

    /// The sums of all searches so far, of each vertex.
    fn sums(&self) -> Result<Self::Sums>;
}

/// Finds the distances by edges from the sources on the cpu.
pub(super) fn hops_on_cpu(graph: &Graph, search: &Search) -> Result<Found<impl SumsOfVertices>> {
    if is_sparse(graph) {
        SingleSearches::check_memory(graph.vertices())?;
        return team::run(|team| search_all(graph, &mut SingleSearches::new(team, graph), search));
    }
    CpuSearches::check_memory(graph.vertices())?;
    team::run(|team| search_all(graph, &mut CpuSearches::new(team, graph), search))
}

/// The same on a GPU.
pub(super) fn hops_on_gpu(graph: &GpuGraph, search: &Search) -> Result<Found<impl SumsOfVertices>> {
    search_all(graph.graph, &mut GpuSearches::new(graph)?, search)
}

/// Searches in groups on the cpu.
pub(super) fn groups_on_cpu(graph: &Graph, sources: &[u32]) -> Result<Vec<Group>> {
    if is_sparse(graph) {
        SingleSearches::check_memory(graph.vertices())?;
        return team::run(|team| groups(&mut SingleSearches::new(team, graph), sources));
    }
    CpuSearches::check_memory(graph.vertices())?;
    team::run(|team| groups(&mut CpuSearches::new(team, graph), sources))
}

/// The same on a GPU.
pub(super) fn groups_on_gpu(graph: &GpuGraph, sources: &[u32]) -> Result<Vec<Group>> {
    groups(&mut GpuSearches::new(graph)?, sources)
}

fn groups(searches: &mut impl Searches, sources: &[u32]) -> Result<Vec<Group>> {
    sources.chunks(SEARCHES).map(|sources| searches.search(sources, None)).collect()
}

fn search_all<S: Searches>(
    graph: &Graph,
    searches: &mut S,
    search: &Search,
) -> Result<Found<S::Sums>> {
    let mut of_sources = SourceSums::new(search.within);
    // Saturates: a larger limit than any distance.
    let within = search.within.map(|within| within as u32);
    let mut trace = Trace::default();
    let mut clock = Clock::start();
    for (index, sources) in (0..).zip(search.sources.chunks(SEARCHES)) {
        let group = searches.search(sources, within)?;
        let (frontier, found, edges) = (sources.len() as u64, group.reached, group.edges);
        of_sources.add_group(graph.vertices(), group);
        let time = clock.lap();
        trace.steps.push(Step { frontier, edges, found, time, ..Step::new(index, "search") });
    }
    let of_vertices = searches.sums()?;
    if let Some(farthest) = of_sources.farthest().filter(|_| search.from_farthest) {
        let group = searches.search(&[farthest.vertex], None)?;
        of_sources.add_distance(group.farthest.distance);
    }
    Ok(Found { of_sources, of_vertices, trace })
}
