//! Whether the distances of all pairs are right.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use super::{
    Apsp, PairDistances, hops,
    length::Length,
    oracle::{Wide, plain_dijkstra, plain_floyd_warshall},
    plan::check_weights,
};
use crate::{Error, Result, tree::check_vertex};

/// Up to this many vertices every pair is compared.
const SMALL: u32 = 256;

/// How many rows are compared with Dijkstra's algorithm in a larger graph.
const DIJKSTRA_ROWS: usize = 16;

/// How many rows the edges are checked with in a larger graph.
const EDGE_ROWS: usize = 64;

/// How many targets next hops are followed to in a larger graph.
const HOP_TARGETS: usize = 16;

impl Apsp {
    /// Checks the distances against the graph they were computed for.
    ///
    /// 1. There is one distance for each vertex in each row, in `f32` where the weights are so.
    /// 2. Each source is at distance 0 from itself.
    /// 3. Up to 256 vertices, every distance is that of a plain Floyd-Warshall algorithm. In a
    ///    larger graph, 16 rows spread over the matrix are those of Dijkstra's algorithm, and in 64
    ///    more no edge shortens a distance: d(s, v) ≤ d(s, u) + w(u, v) for each edge (u, v).
    /// 4. Next hops, where there are any, are one for each pair. Those to every target, or in a
    ///    graph of more than 256 vertices to 16 of them, are there exactly where a path is; each is
    ///    the end v of an edge from s with w(s, v) + d(v, t) ≤ d(s, t), so that the distances along a
    ///    path add up; and following them always ends at the target, so in at most n − 1 steps.
    ///
    /// Whole distances are compared exactly, in `u64`. Distances in `f32` are compared with sums in
    /// `f64`, within rounding. Every such distance is the sum, rounded at each addition, of the
    /// weights of some path, and at most that of the shortest path. Whichever way the additions
    /// associate, no weight goes through more than 2n of them (a tile of 64 vertices adds at most
    /// 64 + 2), and each changes it by a factor within 1 ± ε/2, where ε is `f32::EPSILON`. So the
    /// distance is within a factor of (1 ± ε/2)²ⁿ of the true one, and the check is
    /// |found − expected| ≤ 2nε · expected, with room for the higher powers; edges may shorten a
    /// distance, and hops lengthen it, by the factor 1 + 4nε, as both sides of these comparisons are
    /// rounded. Pairs without a path must be infinite, and no others.
    ///
    /// Takes time n³ up to 256 vertices, and linear in the vertices and edges above.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        check_weights(graph)?;
        self.check_shape(graph)?;
        let weights = graph.weights();
        match (&self.distances, weights) {
            (PairDistances::F32(all), Some(Weights::F32(weights))) => {
                self.check(graph, |pair| f64::from(all[pair]), |edge| f64::from(weights[edge]))
            }
            (PairDistances::U32(all), None | Some(Weights::U32(_))) => {
                let wide = |length: u32| if length == u32::MAX { u64::MAX } else { length.into() };
                self.check(graph, |pair| wide(all[pair]), |edge| u64::weight_of(graph, edge))
            }
            (PairDistances::U64(all), None | Some(Weights::U32(_))) => {
                self.check(graph, |pair| all[pair], |edge| u64::weight_of(graph, edge))
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
        let sources = self.sources.as_deref().unwrap_or_default();
        sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
        let pairs = self.rows() as u64 * u64::from(vertices);
        let found = self.distances.len() as u64;
        if found != pairs {
            return wrong(format!("{found} distances for {pairs} pairs of vertices"));
        }
        let hops = self.next_hops.as_ref().map_or(pairs, |hops| hops.len() as u64);
        match hops == pairs {
            true => Ok(()),
            false => wrong(format!("{hops} next hops for {pairs} pairs of vertices")),
        }
    }

    fn check<W: Wide>(
        &self,
        graph: &Graph,
        found: impl Fn(usize) -> W + Sync,
        weight: impl Fn(usize) -> W + Sync,
    ) -> Result<()> {
        let vertices = graph.vertices();
        let found = |row: usize, target: u32| found(row * vertices as usize + target as usize);
        let at_itself = |row: usize| found(row, self.source(row));
        if let Some(row) = (0..self.rows()).find(|&row| at_itself(row) != W::default()) {
            let (id, found) = (graph.ids().id(self.source(row)), at_itself(row));
            return wrong(format!("vertex {id} is at distance {found} from itself, not 0"));
        }
        let check_row = |row: usize, expected: &[W]| {
            let found = |target| found(row, target);
            check_row(graph, self.source(row), found, expected)
        };
        if vertices <= SMALL {
            let expected = plain_floyd_warshall(graph, &weight);
            (0..self.rows())
                .try_for_each(|row| check_row(row, &expected[self.source(row) as usize]))?;
        } else {
            sample(self.rows(), DIJKSTRA_ROWS).try_for_each(|row| {
                check_row(row, &plain_dijkstra(graph, &weight, self.source(row)))
            })?;
            // Odd places of twice as many rows: other ones than above, where there are so many.
            odd_sample(self.rows(), EDGE_ROWS).try_for_each(|row| {
                check_edges(graph, self.source(row), |target| found(row, target), &weight)
            })?;
        }
        match &self.next_hops {
            Some(hops) => check_hops(graph, hops, found, weight),
            None => Ok(()),
        }
    }
}

/// So many of a number of rows, spread over them.
fn sample(rows: usize, count: usize) -> impl ParallelIterator<Item = usize> {
    let count = count.min(rows);
    (0..count).into_par_iter().map(move |index| index * rows / count)
}

/// So many others, as far as there are.
fn odd_sample(rows: usize, count: usize) -> impl ParallelIterator<Item = usize> {
    let count = count.min(rows);
    (0..count).into_par_iter().map(move |index| (2 * index + 1) * rows / (2 * count))
}

/// Whether a row is what it should be.
fn check_row<W: Wide>(
    graph: &Graph,
    source: u32,
    found: impl Fn(u32) -> W,
    expected: &[W],
) -> Result<()> {
    let is_right = |&(target, &expected): &(u32, &W)| found(target).is(expected, graph.vertices());
    match (0..).zip(expected).find(|pair| !is_right(pair)) {
        None => Ok(()),
        Some((target, expected)) => wrong(format!(
            "the distance from {} to {} is {}, not {expected}",
            graph.ids().id(source),
            graph.ids().id(target),
            found(target)
        )),
    }
}

/// Whether next hops lead to their targets: all of them in a small graph, a sample in others.
fn check_hops<W: Wide>(
    graph: &Graph,
    hops: &[u32],
    found: impl Fn(usize, u32) -> W + Sync,
    weight: impl Fn(usize) -> W + Sync,
) -> Result<()> {
    let vertices = graph.vertices() as usize;
    let count = if graph.vertices() <= SMALL { vertices } else { HOP_TARGETS };
    sample(vertices, count).try_for_each(|target| {
        let hop = |source: u32| hops[source as usize * vertices + target];
        let found = |source: u32| found(source as usize, target as u32);
        hops::check(graph, target as u32, hop, found, &weight)
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

pub(super) fn wrong(message: String) -> Result<()> {
    Err(Error::Wrong(message))
}
