//! Erdős–Rényi graphs G(n, m): every set of m edges is equally likely.

use std::ops::Range;

use super::{
    family::{Description, Family, Parameters, Size},
    keys::{Key, Values},
    permutation::Permutation,
    random::{Ends, edges},
};

/// A graph with exactly `m` distinct edges between `n` vertices, none from a vertex to itself.
///
/// The possible edges are permuted at random and the first `m` are taken, so that no edge repeats,
/// and the time per edge does not depend on `m`.
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
};

impl ErdosRenyi {
    /// The number of possible edges.
    fn pairs(&self, directed: bool) -> u128 {
        let ordered = u128::from(self.n) * u128::from(self.n.saturating_sub(1));
        if directed { ordered } else { ordered / 2 }
    }
}

impl Parameters for ErdosRenyi {
    fn description(&self) -> &'static Description {
        &ERDOS_RENYI
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![("n", self.n.to_string()), ("m", self.m.to_string())]
    }

    fn read(values: &Values) -> Result<Self, String> {
        let too_large = |key: &str, value: u64| format!("{key}={value} is too large");
        let n = match (values.optional("n")?, values.optional::<u64>("scale")?) {
            (Some(_), Some(_)) => return Err("expected `n` or `scale`, not both".into()),
            (None, None) => return Err(values.missing("`n` or `scale`")),
            (Some(n), None) => n,
            (None, Some(scale)) => {
                if scale < u64::BITS.into() {
                    1u64 << scale
                } else {
                    return Err(too_large("scale", scale));
                }
            }
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
}

impl Family for ErdosRenyi {
    fn check(&self, directed: bool) -> Result<(), String> {
        let (n, m, pairs) = (self.n, self.m, self.pairs(directed));
        if u128::from(m) <= pairs {
            Ok(())
        } else {
            Err(format!("{m} edges are too many: {n} vertices have at most {pairs} distinct"))
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

/// Pair number `number` of `n` vertices. The first n(n - 1) / 2 are all unordered pairs, and the
/// first n(n - 1) all ordered pairs: number `k n + v` leads from `v` to `v + k + 1` modulo `n`.
pub(super) fn pair(number: u64, n: u64) -> (u32, u32) {
    let (steps, source) = (number / n + 1, number % n);
    // Less than `2 n`, so a subtraction replaces a third division.
    let target = source + steps;
    (source as u32, if target < n { target } else { target - n } as u32)
}
