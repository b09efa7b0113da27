//! The edges of a spec in parts that are generated independently.

use std::ops::Range;

use super::spec::Spec;
use crate::{Duplicates, Edges, Result, SelfLoops, Weights, memory};

/// The edges of a [`Spec`] in blocks, for a machine that generates one part of a graph and has no
/// memory for the rest.
///
/// ```
/// use equipoise_graph::generate::{Spec, SpecBlocks};
///
/// let spec: Spec = "rmat:scale=20,weights=1..9".parse()?;
/// let blocks = SpecBlocks::new(&spec)?;
/// let (sources, targets) = blocks.ends(5..7)?;
/// assert_eq!(sources.len(), targets.len());
/// assert_eq!(blocks.weights(90_000..90_010)?.map(|weights| weights.len()), Some(10));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SpecBlocks<'a> {
    spec: &'a Spec,
}

impl<'a> SpecBlocks<'a> {
    /// Creates the blocks of `spec`. Fails if it generates a matrix, or cannot be generated.
    pub fn new(spec: &'a Spec) -> Result<Self> {
        spec.checked()?;
        // The builder rejects matrices.
        spec.builder()?;
        Ok(Self { spec })
    }

    /// The number of vertices of the graph.
    pub fn vertices(&self) -> u64 {
        self.spec.vertices()
    }

    /// The handling of parallel edges.
    pub fn duplicates(&self) -> Duplicates {
        self.spec.generator.family().cleaning().0
    }

    /// The handling of self-loops.
    pub fn self_loops(&self) -> SelfLoops {
        self.spec.generator.family().cleaning().1
    }

    /// The number of blocks.
    pub fn count(&self) -> u64 {
        self.spec.generator.family().blocks()
    }

    /// An upper bound on the edges in `blocks`.
    pub fn most_edges(&self, blocks: Range<u64>) -> u64 {
        self.spec.generator.family().most_edges_in(blocks)
    }

    /// The sources and the targets of the edges in `blocks`.
    ///
    /// Fails if memory is insufficient.
    pub fn ends(&self, blocks: Range<u64>) -> Result<(Vec<u32>, Vec<u32>)> {
        let edges = self.most_edges(blocks.clone());
        let what = format_args!("{edges} edges of {}", self.spec);
        memory::check(what, Edges::memory_of(edges, 0))?;
        Ok(self.spec.generator.family().ends(blocks, self.spec.seed, self.spec.directed))
    }

    /// The weights of the edges `numbers`, counted over all blocks; `None` if the graph has no
    /// weights.
    ///
    /// Fails if memory is insufficient.
    pub fn weights(&self, numbers: Range<u64>) -> Result<Option<Weights>> {
        let Some(range) = self.spec.weights else { return Ok(None) };
        let count = numbers.end.saturating_sub(numbers.start);
        memory::check(format_args!("{count} weights"), memory::bytes_of::<u32>(count))?;
        Ok(Some(range.draw(numbers, self.spec.seed)))
    }
}
