//! Small regular graphs for tests and examples.

use std::ops::Range;

use super::{
    erdos_renyi::pair,
    family::{Description, Family, Parameters, Size},
    keys::{Key, Values},
    random::{Ends, edges},
};

crate::named_enum! {
    /// The structure of a [`Shape`].
    ///
    /// ```
    /// use equipoise_graph::generate::ShapeKind;
    ///
    /// assert_eq!("cycle".parse(), Ok(ShapeKind::Cycle));
    /// ```
    pub enum ShapeKind("shape") {
        /// Each vertex is joined to the next.
        Path = "path",
        /// A path whose last vertex is joined to the first; at least 3 vertices.
        Cycle = "cycle",
        /// Vertex 0 is joined to all others.
        Star = "star",
        /// Every vertex is joined to every other.
        Complete = "complete",
        /// A binary tree: vertex v is joined to 2v + 1 and 2v + 2.
        Tree = "tree",
        /// Two paths of n vertices each, not joined.
        Components = "components",
        /// No edges.
        Isolated = "isolated",
    }
}

/// A regular graph that its structure and size determine. If directed, edges lead from lower to
/// higher numbers, except the one that closes a cycle.
///
/// ```
/// use equipoise_graph::generate::{Generator, Shape, ShapeKind, Spec};
///
/// let star = Shape { kind: ShapeKind::Star, n: 4 };
/// let graph = Spec::new(Generator::Shape(star)).generate()?;
/// assert_eq!(graph.neighbors(0), [1, 2, 3]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The structure.
    pub kind: ShapeKind,
    /// The number of vertices; with two components, of each.
    pub n: u64,
}

pub(super) static SHAPES: [Description; 7] = [
    shape("path", "each vertex joined to the next", "path:n=5"),
    shape("cycle", "a path whose ends are joined", "cycle:n=5"),
    shape("star", "vertex 0 joined to all others", "star:n=5"),
    shape("complete", "every vertex joined to every other", "complete:n=5"),
    shape("tree", "binary tree: v joined to 2v + 1 and 2v + 2", "tree:n=7"),
    shape("components", "two paths of n vertices each, not joined", "components:n=5"),
    shape("isolated", "no edges", "isolated:n=5"),
];

const fn shape(name: &'static str, about: &'static str, example: &'static str) -> Description {
    const KEYS: &[Key] = &[Key::required("n", "vertices")];
    Description { name, about, example, keys: KEYS }
}

impl Shape {
    fn edge(&self, number: u64) -> (u64, u64) {
        let (n, next) = (self.n, number + 1);
        match self.kind {
            ShapeKind::Path | ShapeKind::Isolated => (number, next),
            ShapeKind::Cycle => (number, next % n),
            ShapeKind::Star => (0, next),
            ShapeKind::Complete => {
                let (one, other) = pair(number, n);
                (one.min(other).into(), one.max(other).into())
            }
            ShapeKind::Tree => (number / 2, next),
            ShapeKind::Components => {
                let skipped = number / (n - 1);
                (number + skipped, next + skipped)
            }
        }
    }
}

impl Parameters for Shape {
    fn description(&self) -> &'static Description {
        &SHAPES[self.kind as usize]
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![("n", self.n.to_string())]
    }

    fn read(values: &Values) -> Result<Self, String> {
        let kind = values.table.name.parse::<ShapeKind>().map_err(|e| e.to_string())?;
        Ok(Self { kind, n: values.get("n")? })
    }
}

impl Family for Shape {
    fn check(&self, _directed: bool) -> Result<(), String> {
        if self.kind == ShapeKind::Cycle && self.n < 3 {
            Err(format!("n={}: expected a whole number of at least 3", self.n))
        } else {
            Ok(())
        }
    }

    fn size(&self) -> Size {
        let n = u128::from(self.n);
        let others = n.saturating_sub(1);
        let (vertices, edges) = match self.kind {
            ShapeKind::Path | ShapeKind::Star | ShapeKind::Tree => (n, others),
            ShapeKind::Cycle => (n, n),
            ShapeKind::Complete => (n, n * others / 2),
            ShapeKind::Components => (2 * n, 2 * others),
            ShapeKind::Isolated => (n, 0),
        };
        Size { vertices, edges }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        edges(self.numbers(blocks), seed, |_, number| {
            let (source, target) = self.edge(number);
            (source as u32, target as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_description() {
        for &kind in ShapeKind::ALL {
            assert_eq!(Shape { kind, n: 3 }.description().name, kind.name());
        }
        assert_eq!(SHAPES.len(), ShapeKind::ALL.len());
    }
}
