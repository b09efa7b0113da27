//! Random bipartite graphs.

use std::ops::Range;

use rand::Rng;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    random::{Ends, below, edges},
};
use crate::{Duplicates, SelfLoops};

parameters! {
    /// `m` random edges from `left` vertices to `right` others, which are numbered after them. Repeated
    /// edges are dropped.
    ///
    /// ```
    /// use equipoise_graph::generate::{Bipartite, Generator, Spec};
    ///
    /// let sides = Bipartite { left: 10, right: 90, m: 200 };
    /// let graph = Spec::new(Generator::Bipartite(sides)).generate()?;
    /// assert!(graph.neighbors(0).iter().all(|&other| other >= 10));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Bipartite = BIPARTITE(
        "bipartite",
        "random edges between two sides",
        "bipartite:left=1000,right=100000,m=800000"
    ) {
        /// The number of vertices on the left side.
        left: u64 = Key::required("left", "vertices of one side"),
        /// The number of vertices on the right side.
        right: u64 = Key::required("right", "vertices of the other side"),
        /// The number of generated edges, before repeated ones are dropped.
        m: u64 = Key::required("m", "edges generated"),
    }
}

impl Family for Bipartite {
    fn check(&self, _directed: bool) -> Result<(), String> {
        if (self.left == 0 || self.right == 0) && self.m > 0 {
            Err(format!("m={}: edges need vertices on both sides", self.m))
        } else {
            Ok(())
        }
    }

    fn size(&self) -> Size {
        let vertices = u128::from(self.left) + u128::from(self.right);
        Size { vertices, edges: self.m.into() }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let Self { left, right, .. } = *self;
        edges(self.numbers(blocks), seed, |random, _| {
            let source = below(left, random.next_u64());
            let target = left + below(right, random.next_u64());
            (source as u32, target as u32)
        })
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Drop, SelfLoops::Keep)
    }
}
