//! Settings of strategies on a GPU, and their names.

use equipoise_graph::{Graph, parallel::*};

use super::steps::Steps;
#[cfg(feature = "clap")]
use crate::algorithm::help::PAPERS;
use crate::{
    Error, Result,
    limits::{power_within, within},
};

equipoise_graph::named_enum! {
    /// A way to do a search, or one iteration of it.
    ///
    /// ```
    /// use equipoise::traversal::Strategy;
    ///
    /// assert_eq!("edge-topology".parse(), Ok(Strategy::EdgeTopology));
    /// assert_eq!(Strategy::default(), Strategy::Auto);
    /// ```
    #[derive(Default, PartialOrd, Ord)]
    pub enum Strategy("strategy") {
        /// As the policy decides.
        #[default]
        Auto = "auto",
        /// Push or pull at each level, by the rule of Beamer et al.
        DirectionOptimising = "direction-optimising",
        /// Delta-stepping, on all threads of the cpu, or on a GPU.
        Delta = "delta",
        /// Dijkstra's algorithm with a binary heap, on one thread of the cpu.
        Dijkstra = "dijkstra",
        /// One pushed level of direction-optimising.
        FusedPush = "fused-push",
        /// One pulled level of direction-optimising.
        FusedPull = "fused-pull",
        /// One GPU thread per vertex of the worklist; on the cpu, always push.
        Node = "node",
        /// One GPU thread per vertex of the graph.
        Topology = "topology",
        /// One GPU thread per vertex of the graph, without atomic operations.
        LevelSynchronous = "level-synchronous",
        /// One GPU thread per vertex of the graph; unreached ones look for a parent.
        Pull = "pull",
        /// One GPU thread per edge of a worklist of edges.
        Edge = "edge",
        /// One GPU thread per edge of the graph.
        EdgeTopology = "edge-topology",
        /// One GPU thread per edge of the graph, in the order of their targets.
        EdgeReverse = "edge-reverse",
        /// A group of GPU threads per equal number of vertices of the graph, one after the other.
        VirtualWarp = "virtual-warp",
        /// An equal block of the worklist's edges per GPU thread.
        Decompose = "decompose",
        /// One GPU thread per part of a vertex: large ones are split beforehand.
        Split = "split",
        /// One GPU thread per few edges of each vertex of the worklist, in several steps.
        Hierarchy = "hierarchy",
        /// Like node, with the next worklist built by a prefix sum instead of atomic counting.
        Scan = "scan",
        /// The schedule group-mapped over the worklist, on a GPU.
        Group = "group",
        /// The schedule plane-mapped over the worklist, on a GPU.
        Plane = "plane",
        /// The schedule cube-mapped over the worklist, on a GPU.
        Cube = "cube",
        /// The schedule merge-path over the worklist, on a GPU.
        MergePath = "merge-path",
        /// The schedule binned over the worklist, on a GPU.
        Binned = "binned",
        /// Near and far worklists, on a GPU.
        NearFar = "near-far",
        /// Costs and updated costs on a GPU, in two launches per iteration.
        TwoPhase = "two-phase",
    }
}

use Strategy::{
    Auto, Binned, Cube, Decompose, Delta, Dijkstra, DirectionOptimising, Edge, EdgeReverse,
    EdgeTopology, FusedPull, FusedPush, Group, Hierarchy, LevelSynchronous, MergePath, NearFar,
    Node, Plane, Pull, Scan, Split, Topology, TwoPhase, VirtualWarp,
};

impl Strategy {
    /// The strategies of breadth-first search.
    ///
    /// ```
    /// use equipoise::traversal::Strategy;
    ///
    /// assert!(Strategy::BFS.contains(&Strategy::Pull) && !Strategy::SSSP.contains(&Strategy::Pull));
    /// ```
    #[rustfmt::skip]
    pub const BFS: &'static [Self] = &[
        Auto, DirectionOptimising, Node, Topology, LevelSynchronous, Pull, Edge, EdgeTopology, EdgeReverse,
        VirtualWarp, Decompose, Split, Hierarchy, Scan, Group, Plane, Cube, MergePath, Binned,
    ];

    /// The strategies of shortest paths from one vertex.
    #[rustfmt::skip]
    pub const SSSP: &'static [Self] = &[
        Auto, Delta, Dijkstra, Node, Topology, Edge, EdgeTopology, EdgeReverse, VirtualWarp,
        Decompose, Split, Hierarchy, Scan, Group, Plane, Cube, MergePath, Binned, NearFar, TwoPhase,
    ];

    /// The strategies of one iteration, which a plan can have.
    #[rustfmt::skip]
    pub const STEPS: &'static [Self] = &[
        FusedPush, FusedPull, Node, Topology, LevelSynchronous, Pull, Edge, EdgeTopology, EdgeReverse, VirtualWarp,
        Decompose, Split, Hierarchy, Scan, Group, Plane, Cube, MergePath, Binned, TwoPhase,
    ];

    /// Whether it is for one iteration: a [plan](crate::traversal::IterationPlan) can contain it.
    pub fn is_step(self) -> bool {
        Self::STEPS.contains(&self)
    }

    /// Whether it is one of the two of [`DirectionOptimising`](Self::DirectionOptimising): levels of both can follow
    /// each other without a host synchronisation.
    pub fn is_fused(self) -> bool {
        matches!(self, Self::FusedPush | Self::FusedPull)
    }

    /// The parser of these strategies on a command line.
    #[cfg(feature = "clap")]
    pub(crate) fn parser(
        all: &'static [Self],
    ) -> impl clap::builder::TypedValueParser<Value = Self> {
        use clap::builder::{PossibleValuesParser, TypedValueParser};
        let values = all.iter().filter_map(clap::ValueEnum::to_possible_value);
        PossibleValuesParser::new(values).try_map(|name| name.parse::<Self>())
    }

    /// Fails unless it is one of the strategies of an algorithm.
    pub(crate) fn check_among(self, all: &[Self], algorithm: &str) -> Result<()> {
        if all.contains(&self) {
            Ok(())
        } else {
            Err(Error::Option(format!("the strategy `{self}` is not for {algorithm}")))
        }
    }
}

equipoise_graph::named_enum! {
    /// How the strategy [`Auto`](Strategy::Auto) decides, by the name that `--policy` takes.
    ///
    /// ```
    /// use equipoise::traversal::Policy;
    ///
    /// assert_eq!("learned".parse(), Ok(Policy::Learned));
    /// assert_eq!(Policy::default(), Policy::Rule);
    /// ```
    #[derive(Default)]
    pub enum Policy("policy") {
        /// One threshold for BFS, one width for SSSP: on graphs that no model was trained on, as fast as a model.
        #[default]
        Rule = "rule",
        /// The built-in model for the device, if any; otherwise the rule.
        Learned = "learned",
    }
}

equipoise_graph::named_enum! {
    /// How kernels over the whole graph count the vertices they find: the values of `--count`.
    ///
    /// ```
    /// use equipoise::traversal::Count;
    ///
    /// assert_eq!("plane".parse(), Ok(Count::Plane));
    /// assert_eq!(Count::default(), Count::Cube);
    /// ```
    #[derive(Default)]
    pub enum Count("way to count") {
        /// Each vertex adds one to the count.
        Atomic = "atomic",
        /// Each thread adds its count.
        Thread = "thread",
        /// Each warp adds up the counts of its threads.
        Plane = "plane",
        /// Each block adds up the counts of its warps, and these those of their threads.
        #[default]
        Cube = "cube",
    }
}

equipoise_graph::named_enum! {
    /// How a worklist of edges treats vertices that are improved more than once in an iteration: the values of
    /// `--worklist-duplicates`.
    ///
    /// ```
    /// use equipoise::traversal::WorklistDuplicates;
    ///
    /// assert_eq!("condense".parse(), Ok(WorklistDuplicates::Condense));
    /// assert_eq!(WorklistDuplicates::default(), WorklistDuplicates::None);
    /// ```
    #[derive(Default)]
    pub enum WorklistDuplicates("what becomes of duplicates") {
        /// None occur: a vertex lists its edges once per iteration.
        #[default]
        None = "none",
        /// A vertex lists its edges whenever it improves; duplicates are removed after each iteration.
        Condense = "condense",
        /// A vertex lists its edges whenever it improves, and all are relaxed, up to twice those of the graph.
        Keep = "keep",
    }
}

/// Settings of the strategies on a GPU.
///
/// ```
/// use equipoise::traversal::{Count, TraversalSettings};
///
/// let settings = TraversalSettings { count: Count::Plane, ..TraversalSettings::default() };
/// assert_eq!(settings.warp_size, 32);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct TraversalSettings {
    /// Strategies over the whole graph: how they count vertices.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = PAPERS))]
    pub count: Count,
    /// Edge-reverse: also examine edges that lead to reached vertices.
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub no_early_exit: bool,
    /// Virtual-warp: threads per virtual warp, 2 to 32.
    ///
    /// A power of two.
    #[cfg_attr(feature = "clap", arg(long, value_name = "THREADS", default_value_t = WARP_SIZE, help_heading = PAPERS))]
    pub warp_size: u32,
    /// Edge: reserve worklist entries per edge, not per vertex.
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub no_chunking: bool,
    /// Edge: what to do with vertices that improve repeatedly.
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", value_enum, default_value_t, help_heading = PAPERS))]
    pub worklist_duplicates: WorklistDuplicates,
    /// Split, hierarchy: edges per thread [default: from the degrees].
    ///
    /// At most 16777216.
    #[cfg_attr(feature = "clap", arg(long, value_name = "EDGES", help_heading = PAPERS))]
    pub mdt: Option<u32>,
    /// Split, hierarchy: histogram bins for that default.
    ///
    /// From 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = BINS, help_heading = PAPERS))]
    pub bins: u32,
    /// Hierarchy: decompose fewer vertices than this.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = THRESHOLD, help_heading = PAPERS))]
    pub threshold: u32,
    /// Hierarchy: decompose after this many steps.
    ///
    /// From 1 to 65536, or unlimited.
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEPS", default_value_t, help_heading = PAPERS))]
    pub steps: Steps,
    /// Two-phase: vertices per thread, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = 1, help_heading = PAPERS))]
    pub coarsening: u32,
}

/// Vertices per task of a thread that counts degrees.
const VERTICES_PER_PIECE: u32 = 1 << 16;
const WARP_SIZE: u32 = 32;
const BINS: u32 = 10;
const THRESHOLD: u32 = 1024;

/// The upper limits of settings: larger numbers would make no difference.
const MOST_MDT: u32 = 1 << 24;
const MOST_BINS: u32 = 1 << 16;
const MOST_STEPS: u32 = 1 << 16;
const MOST_COARSENING: u32 = 1 << 16;

impl Default for TraversalSettings {
    fn default() -> Self {
        Self {
            count: Count::default(),
            no_early_exit: false,
            warp_size: WARP_SIZE,
            no_chunking: false,
            worklist_duplicates: WorklistDuplicates::None,
            mdt: None,
            bins: BINS,
            threshold: THRESHOLD,
            steps: Steps::default(),
            coarsening: 1,
        }
    }
}

impl TraversalSettings {
    /// Fails where a number is out of its range.
    pub(crate) fn check(&self) -> Result<()> {
        power_within("warp-size", self.warp_size, 2..=32)?;
        within("mdt", self.mdt.unwrap_or(1), 1..=MOST_MDT)?;
        within("bins", self.bins, 1..=MOST_BINS)?;
        if self.steps != Steps::UNLIMITED {
            within("steps", self.steps.most(), 1..=MOST_STEPS)?;
        }
        within("coarsening", self.coarsening, 1..=MOST_COARSENING)
    }

    /// The most edges that a unit takes at a time: `mdt`, or by the rule of Raval et al. the upper end of the fullest bin
    /// in a histogram of degrees.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, traversal::TraversalSettings};
    ///
    /// let star = (1..=10).map(|leaf| (0, leaf)).collect::<Vec<(u32, u32)>>();
    /// let star = GraphBuilder::new().build(Edges::from(star))?;
    /// let settings = TraversalSettings { bins: 5, ..TraversalSettings::default() };
    /// // Ten of eleven vertices are in the first of five bins up to degree 10.
    /// assert_eq!(settings.most_edges(&star), 2);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn most_edges(&self, graph: &Graph) -> u32 {
        self.mdt.map(|most| most.max(1)).unwrap_or_else(|| {
            let largest = graph.max_degree() as u64;
            if largest == 0 {
                return 1;
            }
            // Memory is estimated before `check`: the number may be out of its range.
            let bins = u64::from(self.bins.clamp(1, MOST_BINS));
            let none = || vec![0u64; bins as usize];
            let count_piece = |piece: u32| {
                let mut counts = none();
                let start = piece * VERTICES_PER_PIECE;
                for vertex in start..graph.vertices().min(start.saturating_add(VERTICES_PER_PIECE))
                {
                    counts[(graph.degree(vertex) as u64 * bins / (largest + 1)) as usize] += 1;
                }
                counts
            };
            let add = |mut counts: Vec<u64>, others: Vec<u64>| {
                counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
                counts
            };
            let pieces = (0..graph.vertices().div_ceil(VERTICES_PER_PIECE)).into_par_iter();
            let counts = pieces.map(count_piece).reduce(none, add);
            // The first of equal bins.
            let fullest = (0..counts.len()).rev().max_by_key(|&bin| counts[bin]).unwrap_or(0);
            ((fullest as u64 + 1) * largest / bins).max(1) as u32
        })
    }
}
