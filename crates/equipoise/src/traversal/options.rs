//! Settings of strategies on a GPU, and their names.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::Steps;
use crate::{
    Error, Result,
    limits::{power_within, within},
};

equipoise_graph::named_enum! {
    /// How a search is done, or one iteration of it.
    ///
    /// ```
    /// use equipoise::traversal::Strategy;
    ///
    /// assert_eq!("edge-topology".parse(), Ok(Strategy::EdgeTopology));
    /// assert_eq!(Strategy::default(), Strategy::Auto);
    /// ```
    #[derive(Default, PartialOrd, Ord)]
    pub enum Strategy("strategy") {
        /// By a learned policy, which comes with the program or is given.
        #[default]
        Auto = "auto",
        /// Push or pull, chosen for each level.
        DirectionOptimising = "direction-optimising",
        /// Delta-stepping, on all threads of the cpu, or on a GPU.
        Delta = "delta",
        /// Dijkstra's algorithm with a binary heap, on one thread of the cpu.
        Dijkstra = "dijkstra",
        /// One level of direction-optimising, pushed.
        FusedPush = "fused-push",
        /// One level of direction-optimising, pulled.
        FusedPull = "fused-pull",
        /// One GPU thread for each vertex of the worklist; on the cpu, push always.
        Node = "node",
        /// One GPU thread for each vertex of the graph.
        Topology = "topology",
        /// One GPU thread for each vertex of the graph, without atomic operations.
        LevelSynchronous = "level-synchronous",
        /// One GPU thread for each vertex of the graph; those not reached look for a parent.
        Pull = "pull",
        /// One GPU thread for each edge of a worklist of edges.
        Edge = "edge",
        /// One GPU thread for each edge of the graph.
        EdgeTopology = "edge-topology",
        /// One GPU thread for each edge of the graph, in the order of where they lead.
        EdgeReverse = "edge-reverse",
        /// A group of GPU threads for as many vertices of the graph, one after the other.
        VirtualWarp = "virtual-warp",
        /// An equal block of the worklist's edges for each GPU thread.
        Decompose = "decompose",
        /// One GPU thread for each part of a vertex: large ones are split beforehand.
        Split = "split",
        /// One GPU thread for a few edges of each vertex of the worklist, in several steps.
        Hierarchy = "hierarchy",
        /// As node, with the next worklist built by adding up instead of counting atomically.
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
        /// Costs and updating costs on a GPU, in two launches an iteration.
        TwoPhase = "two-phase",
    }
}

use Strategy::{
    Auto, Binned, Cube, Decompose, Delta, Dijkstra, DirectionOptimising, Edge, EdgeReverse,
    EdgeTopology, FusedPull, FusedPush, Group, Hierarchy, LevelSynchronous, MergePath, NearFar,
    Node, Plane, Pull, Scan, Split, Topology, TwoPhase, VirtualWarp,
};

impl Strategy {
    /// Those of breadth-first search.
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

    /// Those of shortest paths from one vertex.
    #[rustfmt::skip]
    pub const SSSP: &'static [Self] = &[
        Auto, Delta, Dijkstra, Node, Topology, Edge, EdgeTopology, EdgeReverse, VirtualWarp,
        Decompose, Split, Hierarchy, Scan, Group, Plane, Cube, MergePath, Binned, NearFar, TwoPhase,
    ];

    /// Those of one iteration, which a plan can have.
    #[rustfmt::skip]
    pub const STEPS: &'static [Self] = &[
        FusedPush, FusedPull, Node, Topology, LevelSynchronous, Pull, Edge, EdgeTopology, EdgeReverse, VirtualWarp,
        Decompose, Split, Hierarchy, Scan, Group, Plane, Cube, MergePath, Binned, TwoPhase,
    ];

    /// Whether it is for one iteration: a [plan](crate::traversal::IterationPlan) can have it.
    pub fn is_step(self) -> bool {
        Self::STEPS.contains(&self)
    }

    /// Whether it is one of the two that [`DirectionOptimising`](Self::DirectionOptimising) chooses
    /// from: levels of both can follow each other without a host synchronisation.
    pub fn is_fused(self) -> bool {
        matches!(self, Self::FusedPush | Self::FusedPull)
    }

    /// What reads one of these from a command line.
    #[cfg(feature = "clap")]
    pub(crate) fn parser(
        all: &'static [Self],
    ) -> impl clap::builder::TypedValueParser<Value = Self> {
        use clap::builder::{PossibleValuesParser, TypedValueParser};
        let values = all.iter().filter_map(clap::ValueEnum::to_possible_value);
        PossibleValuesParser::new(values).try_map(|name| name.parse::<Self>())
    }

    /// Fails where it is not one of these, which are all of an algorithm.
    pub(crate) fn check_among(self, all: &[Self], algorithm: &str) -> Result<()> {
        match all.contains(&self) {
            true => Ok(()),
            false => Err(Error::Option(format!("the strategy `{self}` is not for {algorithm}"))),
        }
    }
}

equipoise_graph::named_enum! {
    /// How kernels over the whole graph count the vertices they find, by the name that `--count`
    /// takes.
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
        /// Each thread adds what it found.
        Thread = "thread",
        /// Each warp adds up what its threads found.
        Plane = "plane",
        /// Each block adds up what its warps found, and these what their threads did.
        #[default]
        Cube = "cube",
    }
}

equipoise_graph::named_enum! {
    /// What becomes of vertices that a worklist of edges gets more than once, by the name that
    /// `--worklist-duplicates` takes.
    ///
    /// ```
    /// use equipoise::traversal::WorklistDuplicates;
    ///
    /// assert_eq!("condense".parse(), Ok(WorklistDuplicates::Condense));
    /// assert_eq!(WorklistDuplicates::default(), WorklistDuplicates::None);
    /// ```
    #[derive(Default)]
    pub enum WorklistDuplicates("what becomes of duplicates") {
        /// There are none: a vertex puts its edges into the worklist once an iteration.
        #[default]
        None = "none",
        /// Whenever it is improved; edges that are listed twice are taken out after each iteration.
        Condense = "condense",
        /// Whenever it is improved, and all are relaxed, up to twice as many as the graph has.
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
    /// Strategies over the whole graph: how they count the vertices they find.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub count: Count,
    /// Edge-reverse: look where an edge comes from also if it leads to a vertex that is reached.
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_early_exit: bool,
    /// Virtual-warp: the threads of a virtual warp, a power of two from 2 to 32.
    #[cfg_attr(feature = "clap", arg(long, value_name = "THREADS", default_value_t = WARP_SIZE))]
    pub warp_size: u32,
    /// Edge: take room in the worklist for one edge at a time, not for all of a vertex.
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_chunking: bool,
    /// Edge: what becomes of vertices that are improved more than once in an iteration.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub worklist_duplicates: WorklistDuplicates,
    /// Split and hierarchy: the most edges a thread takes, 1 to 16777216; without it, from the
    /// degrees.
    #[cfg_attr(feature = "clap", arg(long, value_name = "EDGES"))]
    pub mdt: Option<u32>,
    /// Split and hierarchy: the histogram bins used to choose that number, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = BINS))]
    pub bins: u32,
    /// Hierarchy: decompose what is left where it has fewer vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = THRESHOLD))]
    pub threshold: u32,
    /// Hierarchy: decompose what is left after so many steps of an iteration, 1 to 65536, or
    /// unlimited.
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEPS", default_value_t))]
    pub steps: Steps,
    /// Two-phase: the vertices a thread takes, one after the other, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = 1))]
    pub coarsening: u32,
}

const WARP_SIZE: u32 = 32;
const BINS: u32 = 10;
const THRESHOLD: u32 = 1024;

/// The largest numbers that settings take: more would make no difference.
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

    /// The most edges a unit takes at a time: what was given, or by the rule of Raval et al. the
    /// fullest bin of a histogram of degrees, counted from 1, as a part of the largest degree.
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
        let given = self.mdt.map(|most| most.max(1));
        given.unwrap_or_else(|| {
            let degrees = || graph.csr().offsets().par_windows(2).map(|ends| ends[1] - ends[0]);
            let largest = degrees().max().unwrap_or(0);
            if largest == 0 {
                return 1;
            }
            // What a search refuses can be asked for its memory before.
            let bins = u64::from(self.bins.clamp(1, MOST_BINS));
            let none = || vec![0u64; bins as usize];
            let counted = |mut counts: Vec<u64>, degree: u64| {
                counts[(degree * bins / (largest + 1)) as usize] += 1;
                counts
            };
            let added = |mut counts: Vec<u64>, others: Vec<u64>| {
                counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
                counts
            };
            let counts = degrees().fold(none, counted).reduce(none, added);
            // Of equals the first.
            let fullest = (0..counts.len()).rev().max_by_key(|&bin| counts[bin]).unwrap_or(0);
            ((fullest as u64 + 1) * largest / bins).max(1) as u32
        })
    }
}
