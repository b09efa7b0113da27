//! Whether the distances of all pairs are right.

use equipoise_graph::{Graph, Weights, memory};
use rayon::prelude::*;

use super::{
    Apsp, PairDistances, hops,
    length::Length,
    oracle::{Rounded, Wide, plain_dijkstra, plain_floyd_warshall},
};
use crate::{Result, error::wrong, sssp::check_weights, tree::check_vertex};

/// Up to this many vertices every pair is compared.
const SMALL: u32 = 256;

/// How many rows are compared with Dijkstra's algorithm in a larger graph.
const DIJKSTRA_ROWS: usize = 16;

/// How many targets of each row are held against the edges in a larger graph.
const TARGETS: usize = 64;

/// How many targets next hops are followed to in a larger graph.
const HOP_TARGETS: usize = 16;

impl Apsp {
    /// Checks the distances against the graph they were computed for.
    ///
    /// 1. There is one distance for each vertex in each row, in `f32` where the weights are so.
    /// 2. Each source is at distance 0 from itself.
    /// 3. Up to 256 vertices, every distance is that of a plain Floyd-Warshall algorithm. In a
    ///    larger graph, 16 rows spread over the matrix are those of Dijkstra's algorithm, and in
    ///    every row 64 distances, others in each, and those to the source's own neighbours are what
    ///    the edges make of those before them: d(s, v) is the least of d(s, u) + w(u, v) over the
    ///    edges (u, v). So a block, a row or a column that is wrong is found, though not each single
    ///    number.
    /// 4. Next hops, where there are any, are one for each pair. Those to every target, or in a
    ///    graph of more than 256 vertices to 16 of them, are there exactly where a path is; each is
    ///    the end v of an edge from s with w(s, v) + d(v, t) ≤ d(s, t), so that the distances along a
    ///    path add up; and following them always ends at the target, so in at most n − 1 steps. In a
    ///    graph of more than 256 vertices, the hops of the distances that rule 3 looks at are there,
    ///    too, and follow such edges.
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
            (PairDistances::F32(all), Some(Weights::F32(_))) => {
                let weight = |graph: &Graph, edge| Rounded(f32::weight_of(graph, edge).into());
                self.check(graph, |pair| Rounded::<32>(all[pair].into()), weight)
            }
            (PairDistances::F64(all), Some(Weights::F64(_))) => {
                let weight = |graph: &Graph, edge| Rounded(f64::weight_of(graph, edge));
                self.check(graph, |pair| Rounded::<64>(all[pair]), weight)
            }
            (PairDistances::U32(all), None | Some(Weights::U32(_))) => {
                let wide = |length: u32| if length == u32::MAX { u64::MAX } else { length.into() };
                self.check(graph, |pair| wide(all[pair]), u64::weight_of)
            }
            (PairDistances::U64(all), None | Some(Weights::U32(_))) => {
                self.check(graph, |pair| all[pair], u64::weight_of)
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
        weight_of: impl Fn(&Graph, usize) -> W + Sync,
    ) -> Result<()> {
        let vertices = graph.vertices();
        let weight = |edge: usize| weight_of(graph, edge);
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
            let expected = plain_floyd_warshall(graph, weight);
            (0..self.rows())
                .try_for_each(|row| check_row(row, &expected[self.source(row) as usize]))?;
        } else {
            check_memory(graph)?;
            sample(self.rows(), DIJKSTRA_ROWS).try_for_each(|row| {
                check_row(row, &plain_dijkstra(graph, weight, self.source(row)))
            })?;
            self.check_targets(graph, found, &weight_of)?;
        }
        match &self.next_hops {
            Some(hops) => check_hops(graph, hops, found, weight),
            None => Ok(()),
        }
    }

    /// Whether distances of every row are those that the edges make of others, and their next hops
    /// follow such an edge.
    fn check_targets<W: Wide>(
        &self,
        graph: &Graph,
        found: impl Fn(usize, u32) -> W + Sync,
        weight_of: impl Fn(&Graph, usize) -> W + Sync,
    ) -> Result<()> {
        let (back, vertices) = (graph.transpose()?, graph.vertices() as usize);
        (0..self.rows()).into_par_iter().try_for_each(|row| {
            let source = self.source(row);
            let neighbours = graph.neighbors(source).iter().copied();
            let targets = targets_of(row, self.rows(), vertices).chain(neighbours);
            for target in targets.filter(|&target| target != source) {
                let weight = |edge| weight_of(back, edge);
                check_target(graph, back, source, target, |from| found(row, from), weight)?;
                if let Some(hops) = &self.next_hops {
                    let hop = hops[row * vertices + target as usize];
                    let left = |from: u32| found(from as usize, target);
                    let weight = |edge| weight_of(graph, edge);
                    hops::check_hop(graph, (source, target), hop, left, weight)?;
                }
            }
            Ok(())
        })
    }
}

/// Refuses what there is no memory for: in each thread a row of distances and a heap, which has
/// about an entry for each vertex, with room to grow, or what is known of each while hops are
/// followed.
fn check_memory(graph: &Graph) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let each = memory::bytes_of::<[u64; 5]>(vertices);
    let threads = rayon::current_num_threads().min(DIJKSTRA_ROWS) as u64;
    let what = format_args!("verifying all pairs of {vertices} vertices");
    Ok(memory::check(what, each.saturating_mul(threads))?)
}

/// Targets that are looked at in a row: spread over it, and others than in the rows beside it. Of
/// few rows, all.
fn targets_of(row: usize, rows: usize, vertices: usize) -> impl Iterator<Item = u32> {
    let count = (TARGETS * vertices / rows.max(1)).clamp(TARGETS, vertices);
    // Multiples of the golden ratio fall evenly between each other.
    let first = (row as f64 * 0.618_033_988_75).fract() * vertices as f64;
    (0..count).map(move |index| ((index * vertices / count + first as usize) % vertices) as u32)
}

/// So many of a number of rows, spread over them.
fn sample(rows: usize, count: usize) -> impl ParallelIterator<Item = usize> {
    let count = count.min(rows);
    (0..count).into_par_iter().map(move |index| index * rows / count)
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

/// Whether a distance from `source` is that of some vertex before it and the edge between. `back` are
/// the edges turned round, and `weight` is theirs.
fn check_target<W: Wide>(
    graph: &Graph,
    back: &Graph,
    source: u32,
    target: u32,
    found: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    let edges = back.neighbors(target).iter().zip(back.csr().range(target));
    let over = edges.map(|(&before, edge)| found(before).plus(weight(edge)));
    let least = over.fold(W::INFINITE, |a, b| if b < a { b } else { a });
    let (at_target, vertices) = (found(target), graph.vertices());
    let is_right = at_target.is_at_most(least, vertices) && least.is_at_most(at_target, vertices);
    match is_right {
        true => Ok(()),
        false => wrong(format!(
            "the distance from {} to {} is {at_target}, but {least} by the edges that lead there",
            graph.ids().id(source),
            graph.ids().id(target),
        )),
    }
}
