//! Settings of strategies on a GPU, and their names.

use equipoise_graph::Graph;

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
    EdgeTopology, FusedPull, FusedPush, Group, Hierarchy, MergePath, NearFar, Node, Plane, Pull,
    Scan, Split, Topology, TwoPhase, VirtualWarp,
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
        Auto, DirectionOptimising, Node, Topology, Pull, Edge, EdgeTopology, EdgeReverse,
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
        FusedPush, FusedPull, Node, Topology, Pull, Edge, EdgeTopology, EdgeReverse, VirtualWarp,
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
        /// Each warp adds up what its threads found.
        Plane = "plane",
        /// Each block adds up what its threads found.
        #[default]
        Cube = "cube",
    }
}

/// Settings of the strategies on a GPU.
///
/// ```
/// use equipoise::traversal::{Count, TraversalSettings};
///
/// let settings = TraversalSettings { count: Count::Plane, ..TraversalSettings::default() };
/// assert_eq!(settings.group, 32);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct TraversalSettings {
    /// Strategies over the whole graph: how they count the vertices they find.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub count: Count,
    /// Virtual-warp: the threads of a group, a power of two from 2 to 32.
    #[cfg_attr(feature = "clap", arg(long, value_name = "THREADS", default_value_t = GROUP))]
    pub group: u32,
    /// Edge: take room in the worklist for one edge at a time, not for all of a vertex.
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_chunking: bool,
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
    /// Hierarchy: decompose what is left after so many steps of an iteration, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEPS", default_value_t = DEPTH))]
    pub steps: u32,
    /// Two-phase: the vertices a thread takes, one after the other, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = 1))]
    pub coarsening: u32,
}

const GROUP: u32 = 32;
const BINS: u32 = 10;
const THRESHOLD: u32 = 1024;
const DEPTH: u32 = 64;

/// The largest numbers that settings take: more would make no difference.
const MOST_MDT: u32 = 1 << 24;
const MOST_BINS: u32 = 1 << 16;
const MOST_STEPS: u32 = 1 << 16;
const MOST_COARSENING: u32 = 1 << 16;

impl Default for TraversalSettings {
    fn default() -> Self {
        Self {
            count: Count::default(),
            group: GROUP,
            no_chunking: false,
            mdt: None,
            bins: BINS,
            threshold: THRESHOLD,
            steps: DEPTH,
            coarsening: 1,
        }
    }
}

impl TraversalSettings {
    /// Fails where a number is out of its range.
    pub(crate) fn check(&self) -> Result<()> {
        power_within("group", self.group, 2..=32)?;
        within("mdt", self.mdt.unwrap_or(1), 1..=MOST_MDT)?;
        within("bins", self.bins, 1..=MOST_BINS)?;
        within("steps", self.steps, 1..=MOST_STEPS)?;
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
            let degrees = graph.csr().offsets().windows(2).map(|ends| ends[1] - ends[0]);
            let largest = degrees.clone().max().unwrap_or(0);
            if largest == 0 {
                return 1;
            }
            // What a search refuses can be asked for its memory before.
            let bins = u64::from(self.bins.clamp(1, MOST_BINS));
            let mut counts = vec![0u64; bins as usize];
            for degree in degrees {
                counts[(degree * bins / (largest + 1)) as usize] += 1;
            }
            // Of equals the first.
            let fullest = (0..counts.len()).rev().max_by_key(|&bin| counts[bin]).unwrap_or(0);
            ((fullest as u64 + 1) * largest / bins).max(1) as u32
        })
    }
}
