//! Random graphs of two sides, with edges between them only.

use std::ops::Range;

use rand::Rng;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::{Ends, below, edges},
};
use crate::{Duplicates, SelfLoops};

/// `m` random edges from `left` vertices to `right` others, which have the numbers after them.
/// Repeated edges are dropped.
///
/// ```
/// use equipoise_graph::generate::{Bipartite, Generator, Spec};
///
/// let sides = Bipartite { left: 10, right: 90, m: 200 };
/// let graph = Spec::new(Generator::Bipartite(sides)).generate()?;
/// assert!(graph.neighbors(0).iter().all(|&other| other >= 10));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bipartite {
    /// The vertices of one side.
    pub left: u64,
    /// The vertices of the other side.
    pub right: u64,
    /// How many edges are generated, before any is dropped.
    pub m: u64,
}

pub(super) static BIPARTITE: Description = Description {
    name: "bipartite",
    about: "random edges between two sides",
    example: "bipartite:left=1000,right=100000,m=800000",
    keys: &[
        Key::required("left", "vertices of one side"),
        Key::required("right", "vertices of the other side"),
        Key::required("m", "edges generated"),
    ],
    read: |values| {
        let (left, right, m) = (values.get("left")?, values.get("right")?, values.get("m")?);
        Ok(Generator::Bipartite(Bipartite { left, right, m }))
    },
};

impl Family for Bipartite {
    fn description(&self) -> &'static Description {
        &BIPARTITE
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Self { left, right, m } = self;
        vec![("left", left.to_string()), ("right", right.to_string()), ("m", m.to_string())]
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        match (self.left == 0 || self.right == 0) && self.m > 0 {
            true => Err(format!("m={}: edges need vertices on both sides", self.m)),
            false => Ok(()),
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
