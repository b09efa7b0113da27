//! RMAT graphs (D. Chakrabarti, Y. Zhan and C. Faloutsos, 2004) and the Kronecker graphs of the
//! Graph500 benchmark: skewed degrees and a small diameter, as social networks have.

use std::ops::Range;

use super::{
    description::{Description, Family, Generator, Size},
    keys::{Key, Values},
    permutation::Permutation,
    quadrants::Quadrants,
    random::{Ends, edges},
};
use crate::{Duplicates, SelfLoops};

/// An RMAT graph with 2^`scale` vertices, by GTgraph's parameters.
///
/// Each edge descends `scale` times into a quarter of the adjacency matrix: above left (low to
/// low numbers) with probability `a`, above right `b`, below left `c`, below right `d`. The four
/// are the same at every level.
///
/// ```
/// use equipoise_graph::generate::{Generator, Rmat, Spec};
///
/// let rmat = Rmat { a: 0.45, b: 0.15, c: 0.15, d: 0.25, ..Rmat::new(10) };
/// let graph = Spec::new(Generator::Rmat(rmat)).generate()?;
/// assert_eq!(graph.vertices(), 1024);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rmat {
    /// The logarithm of the number of vertices to the base 2.
    pub scale: u64,
    /// How many edges are generated for each vertex, before any is dropped.
    pub edge_factor: u64,
    /// The probability of the quarter above left.
    pub a: f64,
    /// The probability of the quarter above right.
    pub b: f64,
    /// The probability of the quarter below left.
    pub c: f64,
    /// The probability of the quarter below right.
    pub d: f64,
    /// Whether vertices are renumbered at random. Without it, low numbers have high degrees.
    pub shuffle: bool,
    /// What to do with several edges between the same two vertices.
    pub duplicates: Duplicates,
    /// What to do with edges from a vertex to itself.
    pub self_loops: SelfLoops,
}

/// A Kronecker graph as the Graph500 benchmark makes it: RMAT with a = 0.57, b = c = 0.19 and
/// renumbered vertices.
///
/// ```
/// use equipoise_graph::generate::{Generator, Kronecker, Spec};
///
/// let graph = Spec::new(Generator::Kronecker(Kronecker::new(10))).generate()?;
/// assert_eq!(graph.vertices(), 1024);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kronecker {
    /// The logarithm of the number of vertices to the base 2.
    pub scale: u64,
    /// How many edges are generated for each vertex, before any is dropped.
    pub edge_factor: u64,
    /// What to do with several edges between the same two vertices.
    pub duplicates: Duplicates,
    /// What to do with edges from a vertex to itself.
    pub self_loops: SelfLoops,
}

const SCALE: Key = Key::required("scale", "2^scale vertices");
const EDGE_FACTOR: Key = Key::default("edge-factor", "16", "edges generated for each vertex");
const DUPLICATES: Key = Key::default("duplicates", "drop", "drop or keep repeated edges");
const LOOPS: Key = Key::default("loops", "drop", "drop or keep edges from a vertex to itself");

pub(super) static RMAT: Description = Description {
    name: "rmat",
    about: "RMAT by GTgraph's parameters",
    example: "rmat:scale=20,edge-factor=16,seed=7",
    keys: &[
        SCALE,
        EDGE_FACTOR,
        Key::default("a", "0.57", "probability of the quarter above left"),
        Key::default("b", "0.19", "probability of the quarter above right"),
        Key::default("c", "0.19", "probability of the quarter below left"),
        Key::optional("d", "probability of the quarter below right; 1 - a - b - c by default"),
        Key::default("shuffle", "false", "whether to renumber the vertices at random"),
        DUPLICATES,
        LOOPS,
    ],
    read: |values| Rmat::read(values).map(Generator::Rmat),
};

pub(super) static KRONECKER: Description = Description {
    name: "kronecker",
    about: "Kronecker graph of the Graph500 benchmark, vertices renumbered at random",
    example: "kronecker:scale=20",
    keys: &[SCALE, EDGE_FACTOR, DUPLICATES, LOOPS],
    read: |values| Kronecker::read(values).map(Generator::Kronecker),
};

impl Rmat {
    /// The graph with the default of every parameter but `scale`.
    pub fn new(scale: u64) -> Self {
        let Kronecker { edge_factor, duplicates, self_loops, .. } = Kronecker::new(scale);
        let (a, b, c) = (0.57, 0.19, 0.19);
        let d = rest(a, b, c);
        Self { scale, edge_factor, a, b, c, d, shuffle: false, duplicates, self_loops }
    }

    fn read(values: &Values) -> Result<Self, String> {
        let Kronecker { scale, edge_factor, duplicates, self_loops } = Kronecker::read(values)?;
        let (a, b, c) = (values.get("a")?, values.get("b")?, values.get("c")?);
        let d = values.optional("d")?.unwrap_or_else(|| rest(a, b, c));
        let shuffle = values.get("shuffle")?;
        Ok(Self { scale, edge_factor, a, b, c, d, shuffle, duplicates, self_loops })
    }
}

/// What the other three leave for `d`. Rounding can leave less than nothing of a sum of 1.
fn rest(a: f64, b: f64, c: f64) -> f64 {
    let rest = 1.0 - a - b - c;
    match rest.abs() <= ROUNDING {
        true => 0.0,
        false => rest,
    }
}

/// By how much the sum of the probabilities may differ from 1.
const ROUNDING: f64 = 1e-9;

impl Kronecker {
    /// The graph with the default of every parameter but `scale`.
    pub fn new(scale: u64) -> Self {
        let (duplicates, self_loops) = (Duplicates::Drop, SelfLoops::Drop);
        Self { scale, edge_factor: 16, duplicates, self_loops }
    }

    fn read(values: &Values) -> Result<Self, String> {
        Ok(Self {
            scale: values.get("scale")?,
            edge_factor: values.get("edge-factor")?,
            duplicates: values.get("duplicates")?,
            self_loops: values.get("loops")?,
        })
    }

    fn as_rmat(&self) -> Rmat {
        let Self { scale, edge_factor, duplicates, self_loops } = *self;
        Rmat { edge_factor, duplicates, self_loops, shuffle: true, ..Rmat::new(scale) }
    }
}

impl Family for Rmat {
    fn description(&self) -> &'static Description {
        &RMAT
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let mut values = vec![
            ("scale", self.scale.to_string()),
            ("edge-factor", self.edge_factor.to_string()),
            ("a", self.a.to_string()),
            ("b", self.b.to_string()),
            ("c", self.c.to_string()),
        ];
        if self.d != rest(self.a, self.b, self.c) {
            values.push(("d", self.d.to_string()));
        }
        values.push(("shuffle", self.shuffle.to_string()));
        values.push(("duplicates", drop_or_keep(self.duplicates == Duplicates::Drop)));
        values.push(("loops", drop_or_keep(self.self_loops == SelfLoops::Drop)));
        values
    }

    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { a, b, c, d, .. } = *self;
        let sum = a + b + c + d;
        let sound = [a, b, c, d].iter().all(|p| (0.0..=1.0).contains(p));
        match sound && (sum - 1.0).abs() <= ROUNDING {
            true => Ok(()),
            false => Err(format!(
                "a={a}, b={b}, c={c} and d={d}: expected numbers from 0 to 1 whose sum is 1, not \
                 {sum}"
            )),
        }
    }

    fn size(&self) -> Size {
        let vertices = 1u128.checked_shl(self.scale.try_into().unwrap_or(u32::MAX));
        let vertices = vertices.unwrap_or(u128::MAX);
        Size { vertices, edges: vertices.saturating_mul(self.edge_factor.into()) }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let quadrants = Quadrants::new(self.scale as u32, [self.a, self.b, self.c, self.d]);
        if !self.shuffle {
            return edges(self.numbers(blocks), seed, |random, _| quadrants.choose(random));
        }
        let labels = Permutation::new(1 << self.scale, seed);
        let label = |vertex: u32| labels.apply(vertex.into()) as u32;
        edges(self.numbers(blocks), seed, |random, _| {
            let (source, target) = quadrants.choose(random);
            (label(source), label(target))
        })
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (self.duplicates, self.self_loops)
    }
}

impl Family for Kronecker {
    fn description(&self) -> &'static Description {
        &KRONECKER
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let known = |name: &str| KRONECKER.table().key(name).is_some();
        self.as_rmat().values().into_iter().filter(|(name, _)| known(name)).collect()
    }

    fn size(&self) -> Size {
        self.as_rmat().size()
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, directed: bool) -> Ends {
        self.as_rmat().ends(blocks, seed, directed)
    }

    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (self.duplicates, self.self_loops)
    }
}

fn drop_or_keep(drop: bool) -> String {
    if drop { "drop" } else { "keep" }.to_string()
}
