//! The verifier of all-pairs shortest paths.

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{
    hops,
    length::Length,
    numbers::PairDistances,
    oracle::{Rounded, Wide, distances_from, is_settled},
    result::Apsp,
};
use crate::{Result, algorithm::Verdict, error::wrong, tree::check_vertex, weights::check_weights};

/// Edges that searches may visit in any case: a tenth of a second on one core.
const FEW_VISITS: u64 = 1 << 26;
/// Targets of each row that are compared with the edges where not every row is compared with a search.
const TARGETS: usize = 64;

impl Apsp {
    /// Checks the distances against the graph they were computed for.
    ///
    /// 1. There is one distance per vertex in each row, of the type of the weights.
    /// 2. The distance of each source to itself is 0.
    /// 3. Each row is that of a search, if all searches together visit no more edges than 2²⁶ or a
    ///    32nd of Floyd-Warshall's n³ steps. Otherwise as many rows as that allows, spread over the
    ///    matrix; and in every row, 64 distances, with other targets in each row, agree with the
    ///    edges: d(s, v) is the least of d(s, u) + w(u, v) over the edges (u, v). So a wrong block, row
    ///    or column is detected, though not every single number.
    /// 4. Next hops, if any, are one per pair. Those to every target, or to as many targets as rule 3
    ///    compares rows, exist exactly where a path does; each is the end v of an edge from s with
    ///    w(s, v) + d(v, t) ≤ d(s, t), so that the distances along a path add up; and following them
    ///    always ends at the target, in at most n − 1 steps. The hops of the distances that rule 3
    ///    compares with edges exist and follow such edges, too.
    ///
    /// Integer distances are compared exactly, in `u64`. Distances in floating point are compared with
    /// sums in `f64`, within rounding. Every such distance is the sum, rounded at each addition, of the
    /// weights of some path, and at most that of the shortest path. In any order of summation, no
    /// weight goes through more than 2n additions (a tile of 64 vertices adds at most 64 + 2), and
    /// each changes it by a factor within 1 ± ε/2, where ε is the type's epsilon. So the distance is
    /// within a factor of (1 ± ε/2)²ⁿ of the true one, and the check is
    /// |distance − expected| ≤ 2nε · expected, which also covers the higher powers; edges may shorten
    /// a distance, and hops lengthen it, by the factor 1 + 4nε, as both sides of these comparisons are
    /// rounded. Exactly the pairs without a path must be infinite.
    ///
    /// A row of whole numbers is right if no edge offers a shorter way, and each vertex reached has an edge of that length
    /// from a nearer vertex. Where that leaves doubts, a search relaxes the edges of all vertices once, in the order of the
    /// distances to check; where these are wrong, it is Dijkstra's algorithm. Takes 48 bytes per vertex and thread, and 8 per
    /// edge.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        check_weights(graph)?;
        self.check_shape(graph)?;
        let weights = graph.weights();
        match (&self.distances, weights) {
            (PairDistances::F32(all), Some(Weights::F32(_))) => {
                let weight = |graph: &Graph, edge| Rounded(f32::weight_of(graph, edge).into());
                self.check_distances(graph, |pair| Rounded::<32>(all[pair].into()), weight)
            }
            (PairDistances::F64(all), Some(Weights::F64(_))) => {
                let weight = |graph: &Graph, edge| Rounded(f64::weight_of(graph, edge));
                self.check_distances(graph, |pair| Rounded::<64>(all[pair]), weight)
            }
            (PairDistances::U32(all), None | Some(Weights::U32(_))) => {
                let wide = |length: u32| if length == u32::MAX { u64::MAX } else { length.into() };
                self.check_distances(graph, |pair| wide(all[pair]), u64::weight_of)
            }
            (PairDistances::U64(all), None | Some(Weights::U32(_))) => {
                self.check_distances(graph, |pair| all[pair], u64::weight_of)
            }
            (_, weights) => {
                let weights = weights.map_or("no", Weights::type_name);
                wrong(format!("the distances are not of the type that {weights} weights give"))
            }
        }
    }

    fn check_shape(&self, graph: &Graph) -> Result<()> {
        let (vertices, covered) = (graph.vertices(), self.vertices);
        if covered != vertices {
            return wrong(format!("distances of {covered} vertices, of {vertices} in the graph"));
        }
        let sources = self.sources.as_deref().unwrap_or_default();
        sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
        let pairs = self.rows() as u64 * u64::from(vertices);
        let distances = self.distances.len() as u64;
        if distances != pairs {
            return wrong(format!("{distances} distances for {pairs} pairs of vertices"));
        }
        let hops = self.next_hops.as_ref().map_or(pairs, |hops| hops.len() as u64);
        if hops != pairs {
            return wrong(format!("{hops} next hops for {pairs} pairs of vertices"));
        }
        Ok(())
    }

    fn check_distances<W: Wide>(
        &self,
        graph: &Graph,
        distance_at: impl Fn(usize) -> W + Sync,
        weight_of: impl Fn(&Graph, usize) -> W + Sync,
    ) -> Result<()> {
        let vertices = graph.vertices();
        let weight = |edge: usize| weight_of(graph, edge);
        let distance =
            |row: usize, target: u32| distance_at(row * vertices as usize + target as usize);
        let to_itself = |row: usize| distance(row, self.source(row));
        if let Some(row) = (0..self.rows()).find(|&row| to_itself(row) != W::default()) {
            let (id, distance) = (graph.ids().id(self.source(row)), to_itself(row));
            return wrong(format!("vertex {id} is at distance {distance} from itself, not 0"));
        }
        check_memory(graph)?;
        let weights: Vec<W> = (0..graph.edges() as usize).into_par_iter().map(weight).collect();
        let searched = affordable(graph, self.rows());
        sample(self.rows(), searched).try_for_each(|row| {
            let source = self.source(row);
            let claims: Vec<W> = (0..vertices).map(|target| distance(row, target)).collect();
            if is_settled(graph, &weights, source, &claims) {
                return Ok(());
            }
            let expected = distances_from(graph, &weights, source, &claims);
            check_row(graph, source, &claims, &expected)
        })?;
        if searched < self.rows() {
            self.check_targets(graph, distance, &weight_of)?;
        }
        match &self.next_hops {
            Some(hops) => check_hops(graph, hops, distance, weight),
            None => Ok(()),
        }
    }

    /// Checks some distances of every row against the edges, and their next hops.
    fn check_targets<W: Wide>(
        &self,
        graph: &Graph,
        distance: impl Fn(usize, u32) -> W + Sync,
        weight_of: impl Fn(&Graph, usize) -> W + Sync,
    ) -> Result<()> {
        let (transpose, vertices) = (graph.transpose()?, graph.vertices() as usize);
        (0..self.rows()).into_par_iter().try_for_each(|row| {
            let source = self.source(row);
            let targets = targets_of(row, self.rows(), vertices);
            for target in targets.filter(|&target| target != source) {
                let from_source = |vertex| distance(row, vertex);
                let weight = |edge| weight_of(transpose, edge);
                check_target(transpose, source, target, from_source, weight)?;
                if let Some(hops) = &self.next_hops {
                    let hop = hops[row * vertices + target as usize];
                    let to_target = |vertex: u32| distance(vertex as usize, target);
                    let weight = |edge| weight_of(graph, edge);
                    hops::check_hop(graph, (source, target), hop, to_target, weight)?;
                }
            }
            Ok(())
        })
    }
}

/// The verdict on a verified result, which distinguishes samples from all pairs.
pub(super) fn verdict(result: &Apsp, graph: &Graph) -> Verdict {
    let (rows, hops) = (result.rows(), result.next_hops.is_some());
    let searched = affordable(graph, rows);
    if searched == rows {
        return Verdict::proved(if hops {
            "every pair is as by another algorithm, and next hops lead to their targets"
        } else {
            "every pair is as by another algorithm"
        });
    }
    let share = searched as f64 / rows as f64;
    let mut what = format!(
        "{searched} rows are as by another algorithm, and {TARGETS} distances of each row fit the edges"
    );
    if hops {
        what += &format!(", and next hops lead to {searched} targets");
        return Verdict::sampled(what, share);
    }
    Verdict::sampled(what, share.max(TARGETS as f64 / f64::from(result.vertices)))
}

/// The number of searches, of one for each of these rows, that take no longer than Floyd-Warshall's algorithm.
fn affordable(graph: &Graph, rows: usize) -> usize {
    let vertices = u64::from(graph.vertices());
    let to_sort = vertices * u64::from(u64::BITS - vertices.leading_zeros());
    let search = graph.edges().saturating_mul(2).saturating_add(to_sort).max(1);
    let steps = (rows as u64).saturating_mul(vertices.saturating_mul(vertices));
    let searches = FEW_VISITS.max(steps / 32) / search;
    rows.min(usize::try_from(searches).unwrap_or(usize::MAX)).max(rows.min(1))
}

/// Fails where memory is short for the weights and a search per thread. A heap has about one entry per vertex, and needs room to grow.
fn check_memory(graph: &Graph) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let each = memory::bytes_of::<[u64; 6]>(vertices);
    let searches = each.saturating_mul(rayon::current_num_threads() as u64);
    let bytes = searches.saturating_add(memory::bytes_of::<u64>(graph.edges()));
    Ok(memory::check(format_args!("verifying all pairs of {vertices} vertices"), bytes)?)
}

/// The targets to check in a row: spread over it, others than in neighbouring rows, and more if rows
/// are few.
fn targets_of(row: usize, rows: usize, vertices: usize) -> impl Iterator<Item = u32> {
    let count = (TARGETS * vertices / rows.max(1)).max(TARGETS).min(vertices);
    // Multiples of the golden ratio are spread evenly modulo 1.
    let first = (row as f64 * 0.618_033_988_75).fract() * vertices as f64;
    (0..count).map(move |index| ((index * vertices / count + first as usize) % vertices) as u32)
}

/// `count` of the rows, spread over them.
fn sample(rows: usize, count: usize) -> impl ParallelIterator<Item = usize> {
    let count = count.min(rows);
    (0..count).into_par_iter().map(move |index| index * rows / count)
}

/// Fails unless a row is the expected one.
fn check_row<W: Wide>(graph: &Graph, source: u32, claims: &[W], expected: &[W]) -> Result<()> {
    for (target, (distance, &expected)) in (0..).zip(claims.iter().zip(expected)) {
        if !distance.is(expected, graph.vertices()) {
            let (from, to) = (graph.ids().id(source), graph.ids().id(target));
            return wrong(format!(
                "the distance from {from} to {to} is {distance}, not {expected}"
            ));
        }
    }
    Ok(())
}

/// Checks that next hops lead to their targets: all targets, or a sample.
fn check_hops<W: Wide>(
    graph: &Graph,
    hops: &[u32],
    distance: impl Fn(usize, u32) -> W + Sync,
    weight: impl Fn(usize) -> W + Sync,
) -> Result<()> {
    let vertices = graph.vertices() as usize;
    sample(vertices, affordable(graph, vertices)).try_for_each(|target| {
        let hop = |source: u32| hops[source as usize * vertices + target];
        let distance = |source: u32| distance(source as usize, target as u32);
        hops::check(graph, target as u32, hop, distance, &weight)
    })
}

/// Fails unless a distance from `source` is the least over the edges that enter `target`, whose weights
/// are those of the transpose.
fn check_target<W: Wide>(
    transpose: &Graph,
    source: u32,
    target: u32,
    distance: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    let edges = transpose.neighbors(target).iter().zip(transpose.csr().range(target));
    let over = edges.map(|(&before, edge)| distance(before).plus(weight(edge)));
    let least = over.fold(W::INFINITE, |a, b| if b < a { b } else { a });
    let (to_target, vertices) = (distance(target), transpose.vertices());
    if to_target.is_at_most(least, vertices) && least.is_at_most(to_target, vertices) {
        return Ok(());
    }
    wrong(format!(
        "the distance from {} to {} is {to_target}, but {least} by the edges to it",
        transpose.ids().id(source),
        transpose.ids().id(target),
    ))
}
