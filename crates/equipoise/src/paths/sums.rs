//! Sums of distances.

use equipoise_graph::{Graph, parallel::*};

use super::Paths;
use crate::{Times, Trace};

/// The sums over all searches so far.
pub(super) struct DistanceSums {
    /// The distance up to which vertices are counted.
    within: Option<f64>,
    eccentricities: Vec<f64>,
    /// Per source, the number of other vertices within that distance.
    near: Vec<u32>,
    /// Whether each source reached every vertex.
    connected: bool,
    /// The largest distance, and its vertex.
    farthest: Option<(u32, f64)>,
    of_vertices: Vec<VertexSums>,
}

/// The sums of a vertex over the other sources that reach it.
#[derive(Clone, Copy, Default)]
struct VertexSums {
    /// The number of these sources.
    reached: u32,
    /// How often the vertex itself is a source.
    as_source: u32,
    distance: f64,
    inverse: f64,
}

impl DistanceSums {
    pub fn new(vertices: u32, within: Option<f64>) -> Self {
        Self {
            within,
            eccentricities: Vec::new(),
            near: Vec::new(),
            connected: true,
            farthest: None,
            of_vertices: vec![VertexSums::default(); vertices as usize],
        }
    }

    /// Adds the rows of distances from some sources, in their order. Returns the number of vertices reached, summed over
    /// the sources.
    pub fn add(&mut self, sources: &[u32], rows: &[Vec<f64>]) -> u64 {
        let mut reached_by_all = 0;
        for row in rows {
            let reached = row.iter().filter(|far| far.is_finite()).count();
            let finite = (0..).zip(row).filter(|(_, far)| far.is_finite());
            let farthest = finite.fold(None, |best: Option<(u32, f64)>, (vertex, &far)| {
                if best.is_none_or(|(_, most)| far > most) { Some((vertex, far)) } else { best }
            });
            let far = farthest.map_or(0.0, |(_, far)| far);
            if self.farthest.is_none_or(|(_, most)| far > most) {
                self.farthest = farthest;
            }
            self.eccentricities.push(far);
            self.connected &= reached == row.len();
            if let Some(within) = self.within {
                let near = row.iter().filter(|&&far| far <= within).count();
                self.near.push(near.saturating_sub(1) as u32);
            }
            reached_by_all += reached as u64;
        }
        let add_to = |(vertex, sum): (usize, &mut VertexSums)| {
            for (&source, row) in sources.iter().zip(rows) {
                sum.add(source as usize == vertex, row[vertex]);
            }
        };
        self.of_vertices.par_iter_mut().enumerate().with_min_len(1 << 10).for_each(add_to);
        reached_by_all
    }

    /// The vertex with the largest distance, and that distance.
    pub fn farthest(&self) -> Option<(u32, f64)> {
        self.farthest
    }

    /// The first vertex with an infinite sum.
    pub fn overflowing(&self) -> Option<u32> {
        let mut sums = (0..).zip(&self.of_vertices);
        let is_infinite =
            |sum: &VertexSums| sum.distance.is_infinite() || sum.inverse.is_infinite();
        sums.find(|(_, sum)| is_infinite(sum)).map(|(vertex, _)| vertex)
    }

    pub fn into_paths(
        self,
        graph: &Graph,
        sources: Vec<u32>,
        exact: bool,
        diameter: f64,
        trace: Trace,
        times: Times,
    ) -> Paths {
        let smallest = self.eccentricities.iter().copied().reduce(f64::min);
        let radius = smallest.unwrap_or(0.0);
        let is_bounded = graph.is_undirected() && self.connected && !sources.is_empty();
        let (most_diameter, least_radius) = match (exact && self.connected, is_bounded) {
            (true, _) => (Some(diameter), Some(radius)),
            (false, true) => (Some(2.0 * radius), Some(diameter / 2.0)),
            (false, false) => (None, exact.then_some(radius)),
        };
        let sample = Sample::new(graph, &sources);
        let sums = (0..).zip(&self.of_vertices);
        let (closeness, harmonic) =
            sums.map(|(vertex, sum)| sample.centralities(graph, vertex, sum)).unzip();
        Paths {
            exact,
            eccentricities: self.eccentricities,
            within: self.within.map(|_| self.near),
            connected: self.connected,
            diameter,
            most_diameter,
            radius,
            least_radius,
            closeness,
            harmonic,
            sources,
            trace,
            times,
        }
    }
}

/// The sources as a sample of the vertices with outgoing edges: a vertex without outgoing edges adds nothing to any sum.
struct Sample {
    /// The number of vertices with outgoing edges.
    population: u64,
    /// The number of sources with outgoing edges.
    drawn: u64,
}

impl Sample {
    fn new(graph: &Graph, sources: &[u32]) -> Self {
        let has_edge = |vertex: &u32| graph.degree(*vertex) > 0;
        Self {
            population: (0..graph.vertices()).into_par_iter().filter(has_edge).count() as u64,
            drawn: sources.iter().filter(|source| has_edge(source)).count() as u64,
        }
    }

    /// The closeness and the harmonic centrality of a vertex, extrapolated from its sums over the sources.
    fn centralities(&self, graph: &Graph, vertex: u32, sum: &VertexSums) -> (f64, f64) {
        let has_edge = graph.degree(vertex) > 0;
        let population = self.population - u64::from(has_edge);
        let drawn = self.drawn - if has_edge { u64::from(sum.as_source) } else { 0 };
        let scale = if drawn == 0 { 0.0 } else { population as f64 / drawn as f64 };
        let closeness = if sum.distance > 0.0 {
            let reached = f64::from(sum.reached);
            // A source other than this vertex reaches it, so `vertices - 1` is positive.
            reached / sum.distance * (reached * scale / f64::from(graph.vertices() - 1))
        } else {
            0.0
        };
        (closeness, sum.inverse * scale)
    }
}

impl VertexSums {
    fn add(&mut self, is_source: bool, distance: f64) {
        if is_source {
            self.as_source += 1;
        } else if distance.is_finite() {
            self.reached += 1;
            self.distance += distance;
            self.inverse += if distance > 0.0 { 1.0 / distance } else { 0.0 };
        }
    }
}
