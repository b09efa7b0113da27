//! Whether the distances of all pairs are right.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use super::{
    Apsp,
    oracle::{Wide, plain_dijkstra, plain_floyd_warshall},
    plan::check_weights,
};
use crate::{Distances, Error, Result};

/// Up to this many vertices every pair is compared.
const SMALL: u32 = 256;

/// How many rows are compared with Dijkstra's algorithm in a larger graph.
const DIJKSTRA_ROWS: u64 = 16;

/// How many rows the edges are checked with in a larger graph.
const EDGE_ROWS: u64 = 64;

impl Apsp {
    /// Checks the distances against the graph they were computed for.
    ///
    /// 1. There is one distance for each pair of vertices, in `f32` where the weights are so.
    /// 2. Each vertex is at distance 0 from itself.
    /// 3. Up to 256 vertices, every distance is that of a plain Floyd-Warshall algorithm. In a
    ///    larger graph, 16 rows spread over the matrix are those of Dijkstra's algorithm, and in 64
    ///    more no edge shortens a distance: d(s, v) ≤ d(s, u) + w(u, v) for each edge (u, v).
    ///
    /// Whole distances are compared exactly, in `u64`. Distances in `f32` are compared with sums in
    /// `f64`, within rounding. Every such distance is the sum, rounded at each addition, of the
    /// weights of some path, and at most that of the shortest path. Whichever way the additions
    /// associate, no weight goes through more than 2n of them (a tile of 64 vertices adds at most
    /// 64 + 2), and each changes it by a factor within 1 ± ε/2, where ε is `f32::EPSILON`. So the
    /// distance is within a factor of (1 ± ε/2)²ⁿ of the true one, and the check is
    /// |found − expected| ≤ 2nε · expected, with room for the higher powers; edges may shorten a
    /// distance by the factor 1 + 4nε, as both sides of that comparison are rounded. Pairs without
    /// a path must be infinite, and all others must not be unless their distance is more than
    /// `f32` holds.
    ///
    /// Takes time n³ up to 256 vertices, and linear in the vertices and edges above.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        check_weights(graph)?;
        self.check_shape(graph)?;
        let weights = graph.weights();
        let whole = |edge: usize| match weights {
            Some(Weights::U32(weights)) => u64::from(weights[edge]),
            _ => 1,
        };
        match (&self.distances, weights) {
            (Distances::F32(all), Some(Weights::F32(weights))) => {
                check(graph, |pair| f64::from(all[pair]), |edge| f64::from(weights[edge]))
            }
            (Distances::U32(all), None | Some(Weights::U32(_))) => {
                let wide = |length: u32| if length == u32::MAX { u64::MAX } else { length.into() };
                check(graph, |pair| wide(all[pair]), whole)
            }
            (Distances::U64(all), None | Some(Weights::U32(_))) => {
                check(graph, |pair| all[pair], whole)
            }
            (_, weights) => {
                let weights = weights.map_or("no", Weights::type_name);
                wrong(format!("the distances are not of the type that {weights} weights give"))
            }
        }
    }

    fn check_shape(&self, graph: &Graph) -> Result<()> {
        let (vertices, of) = (graph.vertices(), self.vertices);
        if of != vertices {
            return wrong(format!("distances of {of} vertices, of {vertices} in the graph"));
        }
        let pairs = u64::from(vertices) * u64::from(vertices);
        let found = self.distances.len() as u64;
        match found == pairs {
            true => Ok(()),
            false => wrong(format!("{found} distances for {pairs} pairs of vertices")),
        }
    }
}

fn check<W: Wide>(
    graph: &Graph,
    found: impl Fn(usize) -> W + Sync,
    weight: impl Fn(usize) -> W + Sync,
) -> Result<()> {
    let vertices = graph.vertices();
    let found =
        |source: u32, target: u32| found(source as usize * vertices as usize + target as usize);
    if let Some(vertex) = (0..vertices).find(|&vertex| found(vertex, vertex) != W::default()) {
        let (id, found) = (graph.ids().id(vertex), found(vertex, vertex));
        return wrong(format!("vertex {id} is at distance {found} from itself, not 0"));
    }
    let check_row = |source: u32, expected: &[W]| {
        let bad = (0..)
            .zip(expected)
            .find(|&(target, &expected)| !found(source, target).is(expected, vertices));
        match bad {
            None => Ok(()),
            Some((target, expected)) => wrong(format!(
                "the distance from {} to {} is {}, not {expected}",
                graph.ids().id(source),
                graph.ids().id(target),
                found(source, target)
            )),
        }
    };
    if vertices <= SMALL {
        let expected = plain_floyd_warshall(graph, weight);
        return (0..).zip(&expected).try_for_each(|(source, row)| check_row(source, row));
    }
    let rows = DIJKSTRA_ROWS;
    let sample = |row: u64, rows: u64| (row * u64::from(vertices) / rows) as u32;
    (0..rows).into_par_iter().try_for_each(|row| {
        let source = sample(row, rows);
        check_row(source, &plain_dijkstra(graph, &weight, source))
    })?;
    // Odd places of twice as many rows: other ones than above.
    (0..EDGE_ROWS).into_par_iter().try_for_each(|row| {
        let source = sample(2 * row + 1, 2 * EDGE_ROWS);
        check_edges(graph, source, |target| found(source, target), &weight)
    })
}

/// Whether no edge shortens a distance from `source`.
fn check_edges<W: Wide>(
    graph: &Graph,
    source: u32,
    found: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    for vertex in 0..graph.vertices() {
        for (&target, edge) in graph.neighbors(vertex).iter().zip(graph.csr().range(vertex)) {
            let over = found(vertex).plus(weight(edge));
            if !found(target).is_at_most(over, graph.vertices()) {
                return wrong(format!(
                    "the distance from {} to {} is {}, but {over} by way of {}",
                    graph.ids().id(source),
                    graph.ids().id(target),
                    found(target),
                    graph.ids().id(vertex)
                ));
            }
        }
    }
    Ok(())
}

fn wrong(message: String) -> Result<()> {
    Err(Error::Wrong(message))
}
