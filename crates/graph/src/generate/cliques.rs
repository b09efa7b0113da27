//! Chains of cliques: dense, and with a large diameter.

use std::ops::Range;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::{Ends, edges},
};

/// `count` cliques of `size` vertices each, the last vertex of each joined to the first of the next.
///
/// ```
/// use equipoise_graph::generate::{Cliques, Generator, Spec};
///
/// let graph = Spec::new(Generator::Cliques(Cliques { count: 2, size: 3 })).generate()?;
/// assert_eq!(graph.neighbors(2), [0, 1, 3]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cliques {
    /// How many cliques there are.
    pub count: u64,
    /// The vertices of each.
    pub size: u64,
}

pub(super) static CLIQUES: Description = Description {
    name: "cliques",
    about: "chain of cliques, each joined to the next by an edge",
    example: "cliques:count=1000,size=20",
    keys: &[Key::required("count", "cliques"), Key::required("size", "vertices of each")],
    read: |values| {
        let (count, size) = (values.get("count")?, values.get("size")?);
        Ok(Generator::Cliques(Cliques { count, size }))
    },
};

impl Family for Cliques {
    fn description(&self) -> &'static Description {
        &CLIQUES
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![("count", self.count.to_string()), ("size", self.size.to_string())]
    }

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
            let (clique, place) = (number / (inside + 1), number % (inside + 1));
            let first = clique * size;
            if place == inside {
                return ((first + size - 1) as u32, (first + size) as u32);
            }
            // From each vertex to those after it. Counted from the end, the last but one has one
            // edge, the one before it two, and so on.
            let left = inside - 1 - place;
            let after = ((8 * left + 1).isqrt() - 1) / 2;
            let source = first + size - 2 - after;
            let target = first + size - 1 - (left - after * (after + 1) / 2);
            (source as u32, target as u32)
        })
    }
}
