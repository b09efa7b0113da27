//! What strategies on a GPU can be told, and their names.

use equipoise_graph::Graph;

use crate::{
    Result,
    limits::{power_within, within},
};

equipoise_graph::named_enum! {
    /// How one turn of a search on a GPU is done: a strategy of a plan.
    ///
    /// ```
    /// use equipoise::Way;
    ///
    /// assert_eq!("edge-topology".parse(), Ok(Way::EdgeTopology));
    /// ```
    pub enum Way("strategy") {
        /// From the frontier's side, as direction-optimising has it: cubes take as many parts of
        /// vertices each, and list what they find. BFS only.
        FusedPush = "fused-push",
        /// From the side of those not reached, as direction-optimising has it: each looks for a
        /// neighbour in the frontier, by a bitmap, and those that find one are listed. BFS only.
        FusedPull = "fused-pull",
        /// A unit for each vertex of the worklist.
        Node = "node",
        /// A unit for each vertex of the graph.
        Topology = "topology",
        /// A unit for each vertex of the graph: those not reached look for a parent. BFS only.
        Pull = "pull",
        /// A unit for each edge of a worklist of edges.
        Edge = "edge",
        /// A unit for each edge of the graph.
        EdgeTopology = "edge-topology",
        /// A unit for each edge of the graph, in the order of where they lead.
        EdgeReverse = "edge-reverse",
        /// A group of units for as many vertices of the graph, one after the other.
        VirtualWarp = "virtual-warp",
        /// An equal block of the worklist's edges for each unit.
        Decompose = "decompose",
        /// A unit for each part of a vertex: large ones are split beforehand.
        Split = "split",
        /// A unit for a few edges of each vertex of the worklist, in several steps.
        Hierarchy = "hierarchy",
        /// As node, with the next worklist built by adding up instead of counting atomically.
        Scan = "scan",
        /// Schedule group-mapped over the worklist.
        Group = "group",
        /// Schedule plane-mapped over the worklist.
        Plane = "plane",
        /// Schedule cube-mapped over the worklist.
        Cube = "cube",
        /// Schedule merge-path over the worklist.
        MergePath = "merge-path",
        /// Schedule binned over the worklist.
        Binned = "binned",
        /// Costs and updating costs, in two launches. SSSP only.
        TwoPhase = "two-phase",
    }
}

equipoise_graph::named_enum! {
    /// How kernels over the whole graph count the vertices they find, by the name that `--count`
    /// takes.
    ///
    /// ```
    /// use equipoise::Count;
    ///
    /// assert_eq!("plane".parse(), Ok(Count::Plane));
    /// assert_eq!(Count::default(), Count::Cube);
    /// ```
    #[derive(Default)]
    pub enum Count("way to count") {
        /// Each vertex adds one to the count.
        Atomic = "atomic",
        /// Each plane adds up what its units found.
        Plane = "plane",
        /// Each cube adds up what its units found.
        #[default]
        Cube = "cube",
    }
}

/// Settings of the strategies on a GPU.
///
/// ```
/// use equipoise::{Count, TraversalSettings};
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
    /// Virtual-warp: the units of a group, a power of two from 2 to 32.
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNITS", default_value_t = GROUP))]
    pub group: u32,
    /// Edge: take room in the worklist for one edge at a time, not for all of a vertex.
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_chunking: bool,
    /// Split and hierarchy: the most edges a unit takes, 1 to 16777216; without it, from the
    /// degrees.
    #[cfg_attr(feature = "clap", arg(long, value_name = "EDGES"))]
    pub mdt: Option<u32>,
    /// The bins of the histogram of degrees that the most edges come from, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = BINS))]
    pub bins: u32,
    /// Hierarchy: decompose what is left where it has fewer vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = THRESHOLD))]
    pub threshold: u32,
    /// Hierarchy: decompose what is left after so many steps of a turn, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEPS", default_value_t = DEPTH))]
    pub steps: u32,
    /// Two-phase: the vertices a unit takes, one after the other, 1 to 65536.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t = 1))]
    pub coarsening: u32,
}

impl Way {
    /// Whether it is a way of direction-optimising: levels of both can follow each other without a
    /// look of the host.
    pub(crate) fn is_fused(self) -> bool {
        matches!(self, Self::FusedPush | Self::FusedPull)
    }
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
    /// use equipoise::{TraversalSettings, graph::{Edges, GraphBuilder}};
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
