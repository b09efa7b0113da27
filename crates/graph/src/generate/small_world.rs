//! Small worlds (D. Watts and S. Strogatz, 1998): rings with random shortcuts.

use std::ops::Range;

use rand::Rng;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    random::{Ends, below, edges},
};
use crate::{Duplicates, SelfLoops};

parameters! {
    /// A ring of `n` vertices, each joined to the next `k`; some edges are rewired to a random vertex.
    /// Resulting parallel edges and self-loops are dropped.
    ///
    /// ```
    /// use equipoise_graph::generate::{Generator, SmallWorld, Spec};
    ///
    /// let ring = SmallWorld { n: 10, k: 2, rewire: 0.0 };
    /// let graph = Spec::new(Generator::SmallWorld(ring)).generate()?;
    /// assert_eq!(graph.neighbors(0), [1, 2, 8, 9]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct SmallWorld = SMALL_WORLD(
        "small-world",
        "Watts–Strogatz small world: a ring with shortcuts",
        "small-world:n=100000,k=8,rewire=0.01"
    ) {
        /// The number of vertices.
        n: u64 = Key::required("n", "vertices"),
        /// The number of following vertices that each vertex is joined to.
        k: u64 = Key::required("k", "edges from each vertex to those that follow it in the ring"),
        /// The probability that an edge is rewired to a random vertex.
        rewire: f64 = Key::default("rewire", "0.1", "probability with which an edge leads anywhere instead"),
    }
}

impl Family for SmallWorld {
    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { n, k, rewire } = self;
        if 2 * u128::from(*k) >= u128::from(*n) {
            return Err(format!("k={k}: expected less than half of the {n} vertices"));
        }
        if (0.0..=1.0).contains(rewire) {
            Ok(())
        } else {
            Err(format!("rewire={rewire}: expected a number from 0 to 1"))
        }
    }

    fn size(&self) -> Size {
        let (n, k) = (u128::from(self.n), u128::from(self.k));
        Size { vertices: n, edges: n * k }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let Self { n, k, rewire } = *self;
        let rewired_below = (rewire * 2f64.powi(53)) as u64;
        edges(self.numbers(blocks), seed, |random, number| {
            let (source, step) = (number / k, number % k + 1);
            let target = if random.next_u64() >> 11 < rewired_below {
                below(n, random.next_u64())
            } else {
                (source + step) % n
            };
            (source as u32, target as u32)
        })
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Drop, SelfLoops::Drop)
    }
}
