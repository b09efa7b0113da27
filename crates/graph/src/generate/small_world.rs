//! Small worlds (D. Watts and S. Strogatz, 1998): rings with shortcuts.

use std::ops::Range;

use rand::Rng;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::{Ends, below, edges},
};
use crate::{Duplicates, SelfLoops};

/// A ring of `n` vertices, each joined to the `k` that follow it; some edges lead to a random vertex
/// instead. Repeated edges and self-loops that come of this are dropped.
///
/// ```
/// use equipoise_graph::generate::{Generator, SmallWorld, Spec};
///
/// let ring = SmallWorld { n: 10, k: 2, rewire: 0.0 };
/// let graph = Spec::new(Generator::SmallWorld(ring)).generate()?;
/// assert_eq!(graph.neighbors(0), [1, 2, 8, 9]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallWorld {
    /// The number of vertices.
    pub n: u64,
    /// The edges to vertices that follow.
    pub k: u64,
    /// The probability with which an edge leads to a random vertex instead.
    pub rewire: f64,
}

pub(super) static SMALL_WORLD: Description = Description {
    name: "small-world",
    about: "Watts–Strogatz small world: a ring with shortcuts",
    example: "small-world:n=100000,k=8,rewire=0.01",
    keys: &[
        Key::required("n", "vertices"),
        Key::required("k", "edges from each vertex to those that follow it in the ring"),
        Key::default("rewire", "0.1", "probability with which an edge leads anywhere instead"),
    ],
    read: |values| {
        let (n, k, rewire) = (values.get("n")?, values.get("k")?, values.get("rewire")?);
        Ok(Generator::SmallWorld(SmallWorld { n, k, rewire }))
    },
};

impl Family for SmallWorld {
    fn description(&self) -> &'static Description {
        &SMALL_WORLD
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Self { n, k, rewire } = self;
        vec![("n", n.to_string()), ("k", k.to_string()), ("rewire", rewire.to_string())]
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { n, k, rewire } = self;
        if 2 * u128::from(*k) >= u128::from(*n) {
            return Err(format!("k={k}: expected less than half of the {n} vertices"));
        }
        match (0.0..=1.0).contains(rewire) {
            true => Ok(()),
            false => Err(format!("rewire={rewire}: expected a number from 0 to 1")),
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
            let target = match random.next_u64() >> 11 < rewired_below {
                true => below(n, random.next_u64()),
                false => (source + step) % n,
            };
            (source as u32, target as u32)
        })
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Drop, SelfLoops::Drop)
    }
}
