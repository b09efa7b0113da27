//! Sums of distances.

use equipoise_graph::{Graph, parallel::*};

use super::{Paths, Search, hops::Group};
use crate::{
    Times, Trace,
    team::{self, collect_pair},
};

/// What searches found.
pub(super) struct Found<V> {
    pub of_sources: SourceSums,
    pub of_vertices: V,
    pub trace: Trace,
}

/// The sums of all vertices.
pub(super) trait SumsOfVertices: Sync {
    /// Those of a vertex.
    fn sums_of(&self, vertex: u32) -> VertexSums;
}

impl<V: Copy + Into<VertexSums> + Sync> SumsOfVertices for Vec<V> {
    fn sums_of(&self, vertex: u32) -> VertexSums {
        self[vertex as usize].into()
    }
}

/// A vertex, and the largest distance from a source, which is the distance to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Farthest {
    pub vertex: u32,
    pub distance: f64,
}

impl Farthest {
    /// The one at the larger distance, or the first vertex.
    pub fn or_farther(self, other: Self) -> Self {
        let is_first = other.distance == self.distance && other.vertex < self.vertex;
        if other.distance > self.distance || is_first { other } else { self }
    }
}

/// What is known of the sources so far.
pub(super) struct SourceSums {
    /// The distance up to which vertices are counted.
    within: Option<f64>,
    eccentricities: Vec<f64>,
    /// Per source, the number of other vertices within that distance.
    near: Vec<u32>,
    /// Whether each source reached every vertex.
    connected: bool,
    /// The first vertex at the largest distance.
    farthest: Option<Farthest>,
    /// A lower bound on the diameter.
    diameter: f64,
}

/// The sums of a vertex over the other sources that reach it.
#[derive(Clone, Copy, Default)]
pub(super) struct VertexSums {
    /// The number of these sources.
    pub reached: u32,
    pub distance: f64,
    /// The sum of the reciprocal distances.
    pub inverse: f64,
}

impl SourceSums {
    pub fn new(within: Option<f64>) -> Self {
        Self {
            within,
            eccentricities: Vec::new(),
            near: Vec::new(),
            connected: true,
            farthest: None,
            diameter: 0.0,
        }
    }

    /// Adds the distances from a source. Returns the number of vertices reached.
    pub fn add_row(&mut self, row: &[f64]) -> u64 {
        let reached = row.iter().filter(|far| far.is_finite()).count();
        let finite = (0..).zip(row).filter(|(_, far)| far.is_finite());
        let larger = |best: Option<Farthest>, (vertex, &distance): (u32, &f64)| {
            if best.is_none_or(|best| distance > best.distance) {
                Some(Farthest { vertex, distance })
            } else {
                best
            }
        };
        let farthest = finite.fold(None, larger);
        self.eccentricities.push(farthest.map_or(0.0, |farthest| farthest.distance));
        self.keep_farther(farthest);
        self.connected &= reached == row.len();
        if let Some(within) = self.within {
            let near = row.iter().filter(|&&far| far <= within).count();
            self.near.push(near.saturating_sub(1) as u32);
        }
        reached as u64
    }

    /// Adds a group of searches by edges.
    pub fn add_group(&mut self, vertices: u32, group: Group) {
        self.connected &= group.reached == group.eccentricities.len() as u64 * u64::from(vertices);
        self.eccentricities.extend(group.eccentricities.into_iter().map(f64::from));
        self.near.extend(group.near.into_iter().flatten().map(|near| near.saturating_sub(1)));
        self.keep_farther(Some(group.farthest));
    }

    fn keep_farther(&mut self, other: Option<Farthest>) {
        let Some(other) = other else { return };
        self.add_distance(other.distance);
        self.farthest = Some(self.farthest.map_or(other, |farthest| farthest.or_farther(other)));
    }

    /// The first vertex at the largest distance from a source.
    pub fn farthest(&self) -> Option<Farthest> {
        self.farthest
    }

    /// Adds a distance, which the diameter is not less than.
    pub fn add_distance(&mut self, distance: f64) {
        self.diameter = self.diameter.max(distance);
    }

    /// Bounds on the diameter from above, and on the radius from below, if they are known.
    fn bounds(&self, graph: &Graph, search: &Search, radius: f64) -> (Option<f64>, Option<f64>) {
        let is_bounded = graph.is_undirected() && self.connected && !search.sources.is_empty();
        match (search.exact && self.connected, is_bounded) {
            (true, _) => (Some(self.diameter), Some(radius)),
            (false, true) => (Some(2.0 * radius), Some(self.diameter / 2.0)),
            (false, false) => (None, search.exact.then_some(radius)),
        }
    }
}

impl<V: SumsOfVertices> Found<V> {
    /// The result, without its times.
    pub fn into_paths(self, graph: &Graph, search: &Search) -> Paths {
        let Self { of_sources, of_vertices, trace } = self;
        let radius = of_sources.eccentricities.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let (most_diameter, least_radius) = of_sources.bounds(graph, search, radius);
        let sample = Sample::new(graph, search.sources);
        let centralities = |vertex: usize| {
            let vertex = vertex as u32;
            sample.centralities(graph, vertex, of_vertices.sums_of(vertex))
        };
        let (closeness, harmonic) =
            team::run(|team| collect_pair(team, graph.vertices() as usize, centralities));
        Paths {
            sources: search.sources.to_vec(),
            exact: search.exact,
            eccentricities: of_sources.eccentricities,
            within: search.within.map(|_| of_sources.near),
            connected: of_sources.connected,
            diameter: of_sources.diameter,
            most_diameter,
            radius,
            least_radius,
            ends: None,
            closeness,
            harmonic,
            trace,
            times: Times::default(),
        }
    }
}

/// The sources as a sample of the vertices with outgoing edges: a vertex without outgoing edges adds nothing to any sum.
struct Sample {
    /// The number of vertices with outgoing edges.
    population: u64,
    /// The sources with outgoing edges, ascending.
    drawn: Vec<u32>,
}

impl Sample {
    fn new(graph: &Graph, sources: &[u32]) -> Self {
        let has_edge = |vertex: &u32| graph.degree(*vertex) > 0;
        let mut drawn: Vec<u32> = sources.iter().copied().filter(has_edge).collect();
        drawn.sort_unstable();
        let population = (0..graph.vertices()).into_par_iter().filter(has_edge).count() as u64;
        Self { population, drawn }
    }

    /// How often a vertex with outgoing edges is a source.
    fn times_drawn(&self, vertex: u32) -> usize {
        let before = |end: u64| self.drawn.partition_point(|&source| u64::from(source) < end);
        before(u64::from(vertex) + 1) - before(vertex.into())
    }

    /// The closeness and the harmonic centrality of a vertex, extrapolated from its sums over the sources.
    fn centralities(&self, graph: &Graph, vertex: u32, sum: VertexSums) -> (f64, f64) {
        let population = self.population - u64::from(graph.degree(vertex) > 0);
        let drawn = self.drawn.len() - self.times_drawn(vertex);
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
    /// Adds the distance from a source.
    pub fn add(&mut self, is_source: bool, distance: f64) {
        if !is_source && distance.is_finite() {
            self.reached += 1;
            self.distance += distance;
            self.inverse += if distance > 0.0 { 1.0 / distance } else { 0.0 };
        }
    }

    /// Whether a sum exceeds the largest number.
    pub fn is_infinite(&self) -> bool {
        self.distance.is_infinite() || self.inverse.is_infinite()
    }
}
