//! Breadth-first search: the fewest edges from a source to every vertex.
//!
//! The search goes level by level. A level can be found in two directions \[1\]:
//!
//! - **push**: every vertex of the frontier looks at the edges that leave it and claims the
//!   vertices there that have no parent yet. Cheap while the frontier is small.
//! - **pull**: every vertex that is not yet reached looks at the edges that enter it until one
//!   comes from the frontier. Cheap while the frontier is large, as most vertices find a parent
//!   after a few edges and skip the others.
//!
//! `auto` chooses for each level by a learned policy, `direction-optimising` by the edges that
//! leave the frontier; `node` pushes always. Levels too narrow to be worth a second thread run on one.
//!
//! \[1\] Scott Beamer, Krste Asanović, David Patterson: "Direction-Optimizing Breadth-First
//! Search". International Conference for High Performance Computing, Networking, Storage and
//! Analysis (SC), 2012.

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
mod policy;
mod pull;
mod push;
mod search;
mod shared;
mod stepper;
mod verify;

use std::sync::Arc;

use equipoise_graph::{Graph, memory};
use equipoise_select::Model;

pub(crate) use self::{
    batch::{SEARCHES as BATCH, bfs_batch as batch_on_gpu},
    gpu::bfs as on_gpu,
};
pub use self::{candidate::Candidate, search::BfsSearch, stepper::LevelStepper};
use direction::{Decide, Policy};

use crate::{
    Error, NONE, Result, Times, Trace,
    rows::Rows,
    team,
    traversal::{IterationPlan, Strategy, TraversalSettings},
    tree::{self, check_vertex},
};

/// What a breadth-first search should do.
///
/// ```
/// use equipoise::bfs::BfsOptions;
///
/// let options = BfsOptions { max_depth: Some(2), ..BfsOptions::default() };
/// assert_eq!(options.target, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BfsOptions {
    /// How levels are found.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_parser = Strategy::parser(Strategy::BFS), default_value_t)
    )]
    pub strategy: Strategy,
    /// Go no further than this many edges from the source: vertices beyond are not settled.
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEVELS"))]
    pub max_depth: Option<u32>,
    /// Stop after the level that reaches this vertex. Vertices up to and including that level are
    /// settled ([`Bfs::is_settled`]), those beyond are not.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub target: Option<u32>,
    /// A strategy for each level, on a GPU; `strategy` is not looked at then.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub plan: Option<IterationPlan>,
    /// A learned policy that chooses the strategy of each level; `strategy` is not looked at then.
    /// On a GPU, one that chooses from more than `fused-push` and `fused-pull` takes a host
    /// synchronisation at each level.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
    /// On a GPU, do not record parents while searching: where they are asked for, they are looked for
    /// afterwards, which takes longer.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub levels_only: bool,
    /// Settings of strategies on a GPU.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub gpu: TraversalSettings,
}

impl BfsOptions {
    /// Whether a search that found these levels has found all that there are.
    pub(crate) fn is_complete(&self, graph: &Graph, levels: &[u32]) -> bool {
        let is_reached = |vertex: u32| levels[vertex as usize] != NONE;
        let stops = self.max_depth.is_some() || self.target.is_some();
        !stops || !Rows::of(graph).leads_out(is_reached)
    }

    /// Fails where a number is out of its range, or the strategy is another algorithm's.
    pub(crate) fn check(&self) -> Result<()> {
        self.gpu.check()?;
        self.strategy.check_among(Strategy::BFS, "bfs")
    }

    /// Fails where only a GPU has what is asked for.
    fn check_cpu(&self) -> Result<()> {
        use Strategy::{Auto, DirectionOptimising, Node};
        match (&self.plan, self.strategy) {
            (Some(_), _) => Err(Error::Option("a plan of strategies needs a GPU".into())),
            (None, Auto | DirectionOptimising | Node) => Ok(()),
            (None, strategy) => Err(Error::Option(format!(
                "the strategy `{strategy}` needs a GPU; the cpu has: `auto`, \
                 `direction-optimising`, `node`"
            ))),
        }
    }
}

/// What a breadth-first search found.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bfs {
    /// Where the search started.
    pub source: u32,
    /// The fewest edges from the source to each vertex; [`NONE`] where not reached.
    pub levels: Vec<u32>,
    /// The vertex before each one on a shortest path from the source. The source is its own
    /// parent; [`NONE`] where not reached. Of several valid parents, any.
    pub parents: Vec<u32>,
    /// How many vertices were reached, the source included.
    pub reached: u32,
    /// The largest level.
    pub depth: u32,
    /// How many directed edges leave the vertices that were reached.
    pub edges: u64,
    /// Whether all vertices were reached that can be. Where a search stops at its target or its last
    /// level there may be more, beyond `depth`: they have no level here, and are not
    /// [settled](Self::is_settled).
    pub complete: bool,
    /// What happened, level by level: `push` or `pull`.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Bfs {
    /// A shortest path from the source to `vertex`, both ends included, or `None` where it was
    /// not reached.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().vertices(4).build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let search = bfs(&graph, 0, &BfsOptions::default())?;
    /// assert_eq!(search.path_to(2), Some(vec![0, 1, 2]));
    /// assert_eq!(search.path_to(3), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn path_to(&self, vertex: u32) -> Option<Vec<u32>> {
        tree::path(&self.parents, self.source, vertex)
    }

    /// Whether what is known of `vertex` is final: its level, or that there is no path. Of a vertex
    /// that is not settled it is only known that it is more than `depth` edges away, if it can be
    /// reached at all.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let near = BfsOptions { max_depth: Some(1), ..BfsOptions::default() };
    /// let search = bfs(&graph, 0, &near)?;
    /// assert!(!search.complete && search.is_settled(1) && !search.is_settled(2));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn is_settled(&self, vertex: u32) -> bool {
        self.complete || self.levels.get(vertex as usize).is_some_and(|&level| level != NONE)
    }
}

/// Finds the fewest edges from `source` to every vertex.
///
/// Takes time linear in the vertices and edges that are reached, and O(vertices) memory. A
/// directed graph's transpose is made when a level first needs it, and kept with the graph.
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

/// One search from each of `sources`, one after the other, in the same buffers.
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
    let policy = Policy::of(graph, options)?;
    let decide = match (&policy, options.strategy) {
        (Some(policy), _) => Decide::Policy(policy),
        (None, Strategy::Node) => Decide::PullAt(&|_| false),
        (None, _) => Decide::Rule,
    };
    search(graph, sources, options, decide)
}

/// One search from each of `sources`, as [`bfs_many`] does them, in given directions: from the
/// levels of which `pulls` is true the next one is pulled, from the others pushed. The level of the
/// source is 0.
///
/// Fails where the graph is not sound, or a source is not one of its vertices.
///
/// ```
/// use equipoise::{bfs::bfs_pulled_at, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let search = bfs_pulled_at(&graph, &[0], &|level| level == 1)?.remove(0);
/// let ways: Vec<&str> = search.trace.steps.iter().map(|step| step.strategy.as_ref()).collect();
/// assert_eq!(ways, ["push", "pull", "push"]);
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

/// Refuses what there is no memory for: levels and parents of each search, two lists of vertices
/// whose sum is all of them, with room to grow, and three bits a vertex.
fn check_memory(graph: &Graph, searches: usize) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let results = memory::bytes_of::<[u32; 2]>(vertices.saturating_mul(searches as u64));
    let lists = memory::bytes_of::<[u32; 2]>(vertices);
    let bytes = results.saturating_add(lists).saturating_add(3 * vertices / 8);
    Ok(memory::check(format_args!("BFS of {vertices} vertices from {searches} sources"), bytes)?)
}
