//! Graphs whose degrees follow a power law with a given exponent (F. Chung and L. Lu, 2002).

use std::ops::Range;

use rand::Rng;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    permutation::Permutation,
    random::{Ends, edges},
};
use crate::{Duplicates, SelfLoops};

/// A graph of `n` vertices in which both ends of each of `m` edges are drawn alike, some vertices far
/// more often than others. Repeated edges and self-loops are dropped, and vertices renumbered at
/// random.
///
/// An end is vertex `n uˢ` for a `u` that is uniform below 1 and a whole number `s`, the skew. So
/// expected degrees follow a power law with the exponent 2 + 1 / (s - 1), and only multiplications
/// are needed, which give the same graph on every machine: a skew of 2 has the exponent 3, 3 has
/// 2.5, 5 has 2.25.
///
/// ```
/// use equipoise_graph::generate::{Generator, PowerLaw, Spec};
///
/// let graph = Spec::new(Generator::PowerLaw(PowerLaw { n: 1000, m: 4000, skew: 3 })).generate()?;
/// let largest = (0..1000).map(|vertex| graph.degree(vertex)).max();
/// assert!(largest > Some(100));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The number of vertices.
    pub n: u64,
    /// How many edges are generated, before any is dropped.
    pub m: u64,
    /// How unlike degrees are, from 2 on.
    pub skew: u64,
}

/// The largest skew: beyond it nearly all ends are the same few vertices.
const MOST_SKEW: u64 = 16;

pub(super) static POWER_LAW: Description = Description {
    name: "power-law",
    about: "degrees by a power law with the exponent 2 + 1 / (skew - 1)",
    example: "power-law:n=100000,m=800000,skew=3",
    keys: &[
        Key::required("n", "vertices"),
        Key::required("m", "edges generated"),
        Key::default("skew", "3", "from 2 (exponent 3) over 3 (2.5) and 5 (2.25) to 16"),
    ],
    read: |values| {
        let (n, m, skew) = (values.get("n")?, values.get("m")?, values.get("skew")?);
        Ok(Generator::PowerLaw(PowerLaw { n, m, skew }))
    },
};

impl Family for PowerLaw {
    fn description(&self) -> &'static Description {
        &POWER_LAW
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Self { n, m, skew } = self;
        vec![("n", n.to_string()), ("m", m.to_string()), ("skew", skew.to_string())]
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        if !(2..=MOST_SKEW).contains(&self.skew) {
            let skew = self.skew;
            return Err(format!("skew={skew}: expected a whole number from 2 to {MOST_SKEW}"));
        }
        match self.n == 0 && self.m > 0 {
            true => Err(format!("m={}: without vertices there are no edges", self.m)),
            false => Ok(()),
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
    /// The vertex of 64 random bits, before vertices are renumbered.
    fn vertex(&self, bits: u64) -> u64 {
        let uniform = (bits >> 11) as f64 / 2f64.powi(53);
        let power = (1..self.skew).fold(uniform, |power, _| power * uniform);
        ((self.n as f64 * power) as u64).min(self.n - 1)
    }
}
