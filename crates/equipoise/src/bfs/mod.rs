//! Breadth-first search: the fewest edges from a source to every vertex.
//!
//! The search goes level by level. A level can be found in two directions \[1\]:
//!
//! - **push**: every vertex of the frontier examines the edges that leave it and claims the unreached targets. Cheap while
//!   the frontier is small.
//! - **pull**: every unreached vertex examines the edges that enter it until one comes from the frontier. Cheap while the
//!   frontier is large, as most vertices find a parent after a few edges and skip the others.
//!
//! `auto` pulls a level if its frontier has more than a fixed share of all edges or few edges are left, or as a learned model
//! says ([`Policy`](crate::traversal::Policy)); `direction-optimising` follows the rule of \[1\]; `node` always pushes. Levels
//! too narrow to be worth a second thread run on one.
//!
//! \[1\] Scott Beamer, Krste Asanović, David Patterson: "Direction-Optimizing Breadth-First
//! Search". International Conference for High Performance Computing, Networking, Storage and
//! Analysis (SC), 2012.

mod algorithm;
mod batch;
mod bitmap;
mod candidate;
mod cpu;
mod direction;
mod frontier_size;
pub(crate) mod gpu;
mod gpu_fused;
mod gpu_memory;
mod gpu_parents;
mod gpu_plain;
mod gpu_pull;
mod gpu_strategies;
mod loaded;
mod options;
mod policy;
mod pull;
mod push;
mod result;
mod search;
mod shared;
mod stepper;
mod verify;

use equipoise_graph::{Graph, memory};

pub(crate) use self::{
    batch::{SEARCHES as BATCH, bfs_batch as batch_on_gpu},
    gpu::bfs as on_gpu,
};
pub use self::{
    candidate::Candidate, options::BfsOptions, result::Bfs, search::BfsSearch,
    stepper::LevelStepper,
};
use direction::{Decide, LearnedDirections};

use crate::{Result, team, traversal::Strategy, tree::check_vertex};

/// Finds the fewest edges from `source` to every vertex.
///
/// Takes time linear in the reached vertices and edges, and O(vertices) memory. A directed graph's transpose is built when a
/// level first needs it, and cached with the graph.
///
/// Fails where the graph is not sound, or the source or target is not one of its vertices.
///
/// ```
/// use equipoise::{NONE, bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (3, 0)]);
/// let graph = GraphBuilder::new().build(edges)?;
/// let search = bfs(&graph, 0, &BfsOptions::default())?;
/// assert_eq!(search.levels, [0, 1, 2, NONE]);
/// assert_eq!(search.parents, [0, 0, 1, NONE]);
/// assert_eq!((search.reached, search.depth), (3, 2));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn bfs(graph: &Graph, source: u32, options: &BfsOptions) -> Result<Bfs> {
    let mut searches = bfs_many(graph, &[source], options)?;
    Ok(searches.remove(0))
}

/// One search from each of `sources`, one after the other, which reuse buffers.
///
/// ```
/// use equipoise::{bfs::{BfsOptions, bfs_many}, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let searches = bfs_many(&graph, &[0, 1], &BfsOptions::default())?;
/// assert_eq!(searches[0].reached, 3);
/// assert_eq!(searches[1].reached, 2);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn bfs_many(graph: &Graph, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
    options.check()?;
    options.check_cpu()?;
    check_searches(graph, sources, options)?;
    let learned = LearnedDirections::new(graph, options)?;
    let decide = match (&learned, options.strategy) {
        (Some(learned), _) => Decide::Learned(learned),
        (None, Strategy::Node) => Decide::PullAt(&|_| false),
        (None, Strategy::DirectionOptimising) => Decide::Beamer,
        (None, _) => Decide::Threshold,
    };
    search(graph, sources, options, decide)
}

/// One search from each of `sources`, like [`bfs_many`], in given directions: from a level for which `pulls` is true the next
/// one is pulled, from the others pushed. The level of the source is 0.
///
/// Fails where the graph is not sound, or a source is not one of its vertices.
///
/// ```
/// use equipoise::{bfs::bfs_pulled_at, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let search = bfs_pulled_at(&graph, &[0], &|level| level == 1)?.remove(0);
/// let directions: Vec<&str> = search.trace.steps.iter().map(|step| step.strategy.as_ref()).collect();
/// assert_eq!(directions, ["push", "pull", "push"]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn bfs_pulled_at(
    graph: &Graph,
    sources: &[u32],
    pulls: &(dyn Fn(u32) -> bool + Sync),
) -> Result<Vec<Bfs>> {
    let options = BfsOptions::default();
    check_searches(graph, sources, &options)?;
    search(graph, sources, &options, Decide::PullAt(pulls))
}

fn check_searches(graph: &Graph, sources: &[u32], options: &BfsOptions) -> Result<()> {
    graph.check()?;
    sources.iter().chain(&options.target).try_for_each(|&vertex| check_vertex(graph, vertex))?;
    check_memory(graph, sources.len())
}

fn search(
    graph: &Graph,
    sources: &[u32],
    options: &BfsOptions,
    decide: Decide,
) -> Result<Vec<Bfs>> {
    team::run(|team| {
        let mut searcher = cpu::Searcher::new(team, graph, options, decide);
        sources.iter().map(|&source| searcher.run(source)).collect()
    })
}

/// Fails where memory does not suffice for the levels and parents of each search, two lists with all vertices in total and
/// room to grow, and three bits per vertex.
fn check_memory(graph: &Graph, searches: usize) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let results = memory::bytes_of::<[u32; 2]>(vertices.saturating_mul(searches as u64));
    let lists = memory::bytes_of::<[u32; 2]>(vertices);
    let bytes = results.saturating_add(lists).saturating_add(3 * vertices / 8);
    Ok(memory::check(format_args!("BFS of {vertices} vertices from {searches} sources"), bytes)?)
}
