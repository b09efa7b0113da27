//! Graphs whose degrees follow a power law with a given exponent (F. Chung and L. Lu, 2002).

use std::ops::Range;

use rand::Rng;

use super::{
    family::{Family, Size, parameters},
    keys::Key,
    permutation::Permutation,
    random::{Ends, edges},
};
use crate::{Duplicates, SelfLoops};

parameters! {
    /// A graph of `n` vertices and `m` edges, both ends of which follow the same skewed distribution.
    /// Repeated edges and self-loops are dropped, and vertices are renumbered at random.
    ///
    /// An end is vertex `⌊n uˢ⌋` for `u` uniform in [0, 1) and an integer skew `s`. Expected degrees
    /// then follow a power law with exponent 2 + 1 / (s - 1): 3 for skew 2, 2.5 for 3, 2.25 for 5. An
    /// integer power needs only multiplications, whose results are equal on every machine.
    ///
    /// ```
    /// use equipoise_graph::generate::{Generator, PowerLaw, Spec};
    ///
    /// let graph = Spec::new(Generator::PowerLaw(PowerLaw { n: 1000, m: 4000, skew: 3 })).generate()?;
    /// let largest = (0..1000).map(|vertex| graph.degree(vertex)).max();
    /// assert!(largest > Some(100));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct PowerLaw = POWER_LAW(
        "power-law",
        "degrees by a power law with the exponent 2 + 1 / (skew - 1)",
        "power-law:n=100000,m=800000,skew=3"
    ) {
        /// The number of vertices.
        n: u64 = Key::required("n", "vertices"),
        /// The number of generated edges, before any are dropped.
        m: u64 = Key::required("m", "edges generated"),
        /// The skew of the distribution of degrees, at least 2.
        skew: u64 = Key::default("skew", "3", "from 2 (exponent 3) over 3 (2.5) and 5 (2.25) to 16"),
    }
}

/// The maximum skew: beyond it, nearly all ends are the same few vertices.
const MOST_SKEW: u64 = 16;

impl Family for PowerLaw {
    fn check(&self, _directed: bool) -> Result<(), String> {
        if !(2..=MOST_SKEW).contains(&self.skew) {
            let skew = self.skew;
            return Err(format!("skew={skew}: expected a whole number from 2 to {MOST_SKEW}"));
        }
        if self.n == 0 && self.m > 0 {
            Err(format!("m={}: a graph without vertices has no edges", self.m))
        } else {
            Ok(())
        }
    }

    fn size(&self) -> Size {
        Size { vertices: self.n.into(), edges: self.m.into() }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let labels = Permutation::new(self.n, seed);
        edges(self.numbers(blocks), seed, |random, _| {
            let mut end = || labels.apply(self.vertex(random.next_u64())) as u32;
            (end(), end())
        })
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Drop, SelfLoops::Drop)
    }
}

impl PowerLaw {
    /// The vertex for 64 random bits, before vertices are renumbered.
    fn vertex(&self, bits: u64) -> u64 {
        let uniform = (bits >> 11) as f64 / 2f64.powi(53);
        let power = (1..self.skew).fold(uniform, |power, _| power * uniform);
        ((self.n as f64 * power) as u64).min(self.n - 1)
    }
}
