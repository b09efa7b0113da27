//! RMAT graphs (D. Chakrabarti, Y. Zhan and C. Faloutsos, 2004) and the Kronecker graphs of the
//! Graph500 benchmark: skewed degrees and a small diameter, like social networks.

use std::ops::Range;

use super::{
    family::{Description, Family, Parameters, Size, parameters},
    keys::{Key, Values},
    permutation::Permutation,
    quadrants::Quadrants,
    random::{Ends, edges},
};
use crate::{Duplicates, SelfLoops};

/// An RMAT graph with 2^`scale` vertices and GTgraph's parameters.
///
/// Each edge descends `scale` times into a quadrant of the adjacency matrix: top left (low to low
/// numbers) with probability `a`, top right `b`, bottom left `c`, bottom right `d`. The
/// probabilities are equal at every level.
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
    /// The base-2 logarithm of the number of vertices.
    pub scale: u64,
    /// The number of generated edges per vertex, before any are dropped.
    pub edge_factor: u64,
    /// The probability of the top left quadrant.
    pub a: f64,
    /// The probability of the top right quadrant.
    pub b: f64,
    /// The probability of the bottom left quadrant.
    pub c: f64,
    /// The probability of the bottom right quadrant.
    pub d: f64,
    /// Whether vertices are renumbered at random. Otherwise low numbers have high degrees.
    pub shuffle: bool,
    /// The handling of parallel edges.
    pub duplicates: Duplicates,
    /// The handling of self-loops.
    pub self_loops: SelfLoops,
}

parameters! {
    /// A Kronecker graph as defined by the Graph500 benchmark: RMAT with a = 0.57, b = c = 0.19 and
    /// renumbered vertices.
    ///
    /// ```
    /// use equipoise_graph::generate::{Generator, Kronecker, Spec};
    ///
    /// let graph = Spec::new(Generator::Kronecker(Kronecker::new(10))).generate()?;
    /// assert_eq!(graph.vertices(), 1024);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Kronecker = KRONECKER(
        "kronecker",
        "Kronecker graph of the Graph500 benchmark, vertices renumbered at random",
        "kronecker:scale=20"
    ) {
        /// The base-2 logarithm of the number of vertices.
        scale: u64 = SCALE,
        /// The number of generated edges per vertex, before any are dropped.
        edge_factor: u64 = EDGE_FACTOR,
        /// The handling of parallel edges.
        duplicates: Duplicates = DUPLICATES,
        /// The handling of self-loops.
        self_loops: SelfLoops = LOOPS,
    }
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
};

impl Rmat {
    /// The graph with defaults for all parameters but `scale`.
    pub fn new(scale: u64) -> Self {
        let Kronecker { edge_factor, duplicates, self_loops, .. } = Kronecker::new(scale);
        let (a, b, c) = (0.57, 0.19, 0.19);
        let d = rest(a, b, c);
        Self { scale, edge_factor, a, b, c, d, shuffle: false, duplicates, self_loops }
    }
}

/// The remaining probability `d`. Rounding may make `1 - (a + b + c)` negative.
fn rest(a: f64, b: f64, c: f64) -> f64 {
    let rest = 1.0 - a - b - c;
    if rest.abs() <= ROUNDING { 0.0 } else { rest }
}

/// The tolerance for the sum of the probabilities.
const ROUNDING: f64 = 1e-9;

impl Kronecker {
    /// The graph with defaults for all parameters but `scale`.
    pub fn new(scale: u64) -> Self {
        let (duplicates, self_loops) = (Duplicates::Drop, SelfLoops::Drop);
        Self { scale, edge_factor: 16, duplicates, self_loops }
    }

    fn as_rmat(&self) -> Rmat {
        let Self { scale, edge_factor, duplicates, self_loops } = *self;
        Rmat { edge_factor, duplicates, self_loops, shuffle: true, ..Rmat::new(scale) }
    }
}

impl Parameters for Rmat {
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
        values.push(("duplicates", self.duplicates.to_string()));
        values.push(("loops", self.self_loops.to_string()));
        values
    }

    fn read(values: &Values) -> Result<Self, String> {
        let Kronecker { scale, edge_factor, duplicates, self_loops } = Kronecker::read(values)?;
        let (a, b, c) = (values.get("a")?, values.get("b")?, values.get("c")?);
        let d = values.optional("d")?.unwrap_or_else(|| rest(a, b, c));
        let shuffle = values.get("shuffle")?;
        Ok(Self { scale, edge_factor, a, b, c, d, shuffle, duplicates, self_loops })
    }
}

impl Family for Rmat {
    fn check(&self, _directed: bool) -> Result<(), String> {
        let Self { a, b, c, d, .. } = *self;
        let sum = a + b + c + d;
        let sound = [a, b, c, d].iter().all(|p| (0.0..=1.0).contains(p));
        if sound && (sum - 1.0).abs() <= ROUNDING {
            Ok(())
        } else {
            Err(format!(
                "a={a}, b={b}, c={c} and d={d}: expected numbers from 0 to 1 whose sum is 1, not \
                 {sum}"
            ))
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
