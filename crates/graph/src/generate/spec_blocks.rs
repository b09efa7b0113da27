//! The edges of a spec in parts, each made without the others.

use std::ops::Range;

use super::Spec;
use crate::{Duplicates, Edges, Result, SelfLoops, Weights, memory};

/// The edges of a [`Spec`] in blocks, for a machine that makes a part of a graph and has no room for the
/// rest of it.
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
    duplicates: Duplicates,
    self_loops: SelfLoops,
}

impl<'a> SpecBlocks<'a> {
    /// Those of `spec`. Fails where it makes a matrix, or nothing.
    pub fn new(spec: &'a Spec) -> Result<Self> {
        spec.checked()?;
        // The builder knows what is no graph.
        spec.builder()?;
        let (duplicates, self_loops) = spec.generator.family().cleaning();
        Ok(Self { spec, duplicates, self_loops })
    }

    /// How many vertices the graph has.
    pub fn vertices(&self) -> u64 {
        self.spec.vertices()
    }

    /// What to do with several edges between the same two vertices.
    pub fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    /// What to do with edges from a vertex to itself.
    pub fn self_loops(&self) -> SelfLoops {
        self.self_loops
    }

    /// How many blocks there are.
    pub fn count(&self) -> u64 {
        self.spec.generator.family().blocks()
    }

    /// The most edges that `blocks` have.
    pub fn most_edges(&self, blocks: Range<u64>) -> u64 {
        self.spec.generator.family().most_edges_of(blocks)
    }

    /// Where the edges of `blocks` start, and where they end.
    ///
    /// Fails where there is not enough memory.
    pub fn ends(&self, blocks: Range<u64>) -> Result<(Vec<u32>, Vec<u32>)> {
        let edges = self.most_edges(blocks.clone());
        let what = format_args!("{edges} edges of {}", self.spec);
        memory::check(what, Edges::memory_of(edges, false))?;
        Ok(self.spec.generator.family().ends(blocks, self.spec.seed, self.spec.directed))
    }

    /// The weights of the edges `numbers`, counted over all blocks, if edges have any.
    ///
    /// Fails where there is not enough memory.
    pub fn weights(&self, numbers: Range<u64>) -> Result<Option<Weights>> {
        let Some(range) = self.spec.weights else { return Ok(None) };
        let count = numbers.end.saturating_sub(numbers.start);
        memory::check(format_args!("{count} weights"), memory::bytes_of::<u32>(count))?;
        Ok(Some(range.draw(numbers, self.spec.seed)))
    }
}
