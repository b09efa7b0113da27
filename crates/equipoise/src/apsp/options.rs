//! The options of all-pairs shortest paths.

use equipoise_graph::Graph;

use crate::{Error, Result, limits::within, tree::check_vertex};

equipoise_graph::named_enum! {
    /// The algorithm for all pairs, by the name that `--strategy` takes.
    ///
    /// ```
    /// use equipoise::apsp::ApspStrategy;
    ///
    /// assert_eq!("blocked".parse(), Ok(ApspStrategy::Blocked));
    /// ```
    #[derive(Default)]
    pub enum ApspStrategy("all-pairs strategy") {
        /// The one that should be faster, by the numbers of vertices and edges.
        #[default]
        Auto = "auto",
        /// Floyd-Warshall in blocks: over tiles.
        Blocked = "blocked",
        /// Floyd-Warshall in its plain form: over the whole matrix for each vertex.
        Naive = "naive",
        /// One single-source run per vertex, many of them at once.
        Sssp = "sssp",
    }
}

/// The options of all-pairs shortest paths.
///
/// ```
/// use equipoise::apsp::{ApspOptions, ApspStrategy};
///
/// let options = ApspOptions { strategy: ApspStrategy::Sssp, ..ApspOptions::default() };
/// assert_eq!(options.memory_limit, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ApspOptions {
    /// How all pairs of vertices are solved.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: ApspStrategy,
    /// The sources whose rows to find; all vertices if `None`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub sources: Option<Vec<u32>>,
    /// Whether to find next hops, too: the next vertex on a shortest path between each pair.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub next_hops: bool,
    /// The most bytes of the device's memory to use; all available ones if `None`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub memory_limit: Option<u64>,
    /// Sssp on a GPU: the most searches at once, at least 1 [default: as many as pay]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEARCHES"))]
    pub searches_at_once: Option<u32>,
}

impl ApspOptions {
    /// Fails where a source is not a vertex, or options contradict each other.
    pub(super) fn check(&self, graph: &Graph) -> Result<()> {
        within("searches-at-once", self.searches_at_once.unwrap_or(1), 1..=u32::MAX)?;
        let Some(sources) = &self.sources else { return Ok(()) };
        sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
        if !matches!(self.strategy, ApspStrategy::Auto | ApspStrategy::Sssp) {
            return Err(Error::Option(format!(
                "rows of given sources are found by the strategy `sssp`, not by `{}`",
                self.strategy
            )));
        }
        if self.next_hops {
            return Err(Error::Option(
                "next hops lead from row to row: they need all rows, not those of given sources"
                    .into(),
            ));
        }
        Ok(())
    }

    pub(super) fn row_sources(&self, graph: &Graph) -> Vec<u32> {
        self.sources.clone().unwrap_or_else(|| (0..graph.vertices()).collect())
    }

    pub(super) fn row_count(&self, graph: &Graph) -> usize {
        self.sources.as_ref().map_or(graph.vertices() as usize, Vec::len)
    }

    /// The work in words, for errors.
    pub(super) fn describe(&self, graph: &Graph, strategy: ApspStrategy) -> String {
        let vertices = graph.vertices();
        match &self.sources {
            None => format!("{strategy} for all pairs of {vertices} vertices"),
            Some(sources) => {
                format!("{strategy} for {} rows of {vertices} vertices", sources.len())
            }
        }
    }
}
