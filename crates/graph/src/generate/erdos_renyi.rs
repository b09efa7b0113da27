//! Erdős–Rényi graphs G(n, m): every set of m edges is equally likely.

use std::ops::Range;

use super::{
    description::{Description, Family, Generator, Size},
    keys::{Key, Values},
    permutation::Permutation,
    random::{Ends, edges},
};

/// A graph with exactly `m` distinct edges between `n` vertices, none from a vertex to itself.
///
/// The possible edges are put in a random order and the first `m` are taken, so that no edge
/// comes twice and any `m` up to all of them takes the same time an edge.
///
/// ```
/// use equipoise_graph::generate::{ErdosRenyi, Generator, Spec};
///
/// let graph = Spec::new(Generator::ErdosRenyi(ErdosRenyi { n: 100, m: 300 })).generate()?;
/// assert_eq!(graph.edges(), 2 * 300);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErdosRenyi {
    /// The number of vertices.
    pub n: u64,
    /// The number of edges, each counted once.
    pub m: u64,
}

pub(super) static ERDOS_RENYI: Description = Description {
    name: "er",
    about: "Erdős–Rényi G(n, m): exactly m distinct edges, all sets of them equally likely",
    example: "er:n=1000000,m=16000000",
    keys: &[
        Key::optional("n", "vertices"),
        Key::optional("m", "edges"),
        Key::optional("scale", "2^scale vertices, in place of n"),
        Key::optional("edge-factor", "edges for each vertex, in place of m; 16 by default"),
    ],
    read: |values| ErdosRenyi::read(values).map(Generator::ErdosRenyi),
};

impl ErdosRenyi {
    fn read(values: &Values) -> Result<Self, String> {
        let too_large = |key: &str, value: u64| format!("{key}={value} is too large");
        let n = match (values.optional("n")?, values.optional::<u64>("scale")?) {
            (Some(_), Some(_)) => return Err("expected `n` or `scale`, not both".into()),
            (None, None) => return Err(values.missing("`n` or `scale`")),
            (Some(n), None) => n,
            (None, Some(scale)) => match scale < u64::BITS.into() {
                true => 1u64 << scale,
                false => return Err(too_large("scale", scale)),
            },
        };
        let m = match (values.optional("m")?, values.optional::<u64>("edge-factor")?) {
            (Some(_), Some(_)) => return Err("expected `m` or `edge-factor`, not both".into()),
            (Some(m), None) => m,
            (None, factor) => {
                let factor = factor.unwrap_or(16);
                n.checked_mul(factor).ok_or_else(|| too_large("edge-factor", factor))?
            }
        };
        Ok(Self { n, m })
    }

    /// How many edges there can be.
    fn pairs(&self, directed: bool) -> u128 {
        let ordered = u128::from(self.n) * u128::from(self.n.saturating_sub(1));
        if directed { ordered } else { ordered / 2 }
    }
}

impl Family for ErdosRenyi {
    fn description(&self) -> &'static Description {
        &ERDOS_RENYI
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![("n", self.n.to_string()), ("m", self.m.to_string())]
    }

    fn check(&self, directed: bool) -> Result<(), String> {
        let (n, m, pairs) = (self.n, self.m, self.pairs(directed));
        match u128::from(m) <= pairs {
            true => Ok(()),
            false => {
                Err(format!("{m} edges are too many: {n} vertices have at most {pairs} distinct"))
            }
        }
    }

    fn size(&self) -> Size {
        Size { vertices: self.n.into(), edges: self.m.into() }
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, directed: bool) -> Ends {
        let order = Permutation::new(self.pairs(directed) as u64, seed);
        edges(self.numbers(blocks), seed, |_, number| pair(order.apply(number), self.n))
    }
}

/// Pair number `number` of `n` vertices. The first n(n - 1) / 2 are all pairs, each once and in
/// either order, and the first n(n - 1) are all ordered pairs: number `k n + v` leads from `v`
/// to the vertex `k + 1` further on in a circle.
pub(super) fn pair(number: u64, n: u64) -> (u32, u32) {
    let (steps, source) = (number / n + 1, number % n);
    // Less than once around, so that it takes no third division.
    let target = source + steps;
    (source as u32, if target < n { target } else { target - n } as u32)
}
