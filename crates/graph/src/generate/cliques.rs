//! Chains of cliques: dense, and with a large diameter.

use std::ops::Range;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    random::{Ends, edges},
};

parameters! {
    /// `count` cliques of `size` vertices each; the last vertex of each is joined to the first of the
    /// next.
    ///
    /// ```
    /// use equipoise_graph::generate::{Cliques, Generator, Spec};
    ///
    /// let graph = Spec::new(Generator::Cliques(Cliques { count: 2, size: 3 })).generate()?;
    /// assert_eq!(graph.neighbors(2), [0, 1, 3]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Cliques = CLIQUES(
        "cliques",
        "chain of cliques, each joined to the next by an edge",
        "cliques:count=1000,size=20"
    ) {
        /// The number of cliques.
        count: u64 = Key::required("count", "cliques"),
        /// The number of vertices per clique.
        size: u64 = Key::required("size", "vertices of each"),
    }
}

impl Family for Cliques {
    fn size(&self) -> Size {
        let (count, size) = (u128::from(self.count), u128::from(self.size));
        let inside = size * size.saturating_sub(1) / 2;
        let joins = if size == 0 { 0 } else { count.saturating_sub(1) };
        Size { vertices: count * size, edges: count.saturating_mul(inside).saturating_add(joins) }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let size = self.size;
        let inside = size * size.saturating_sub(1) / 2;
        edges(self.numbers(blocks), seed, |_, number| {
            let (clique, edge) = (number / (inside + 1), number % (inside + 1));
            let first = clique * size;
            if edge == inside {
                return ((first + size - 1) as u32, (first + size) as u32);
            }
            // Edges lead from each vertex to those after it: one from the last but one, two from
            // the vertex before it, and so on.
            let remaining = inside - 1 - edge;
            let after = ((8 * remaining + 1).isqrt() - 1) / 2;
            let source = first + size - 2 - after;
            let target = first + size - 1 - (remaining - after * (after + 1) / 2);
            (source as u32, target as u32)
        })
    }
}
