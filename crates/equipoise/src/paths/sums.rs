//! What distances add up to.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::Paths;
use crate::{Times, Trace};

/// What the searches so far add up to.
pub(super) struct Sums {
    /// How near is near enough to be counted.
    within: Option<f64>,
    eccentricities: Vec<f64>,
    /// Of each source, how many other vertices are near.
    near: Vec<u32>,
    /// Whether each source reached every vertex.
    connected: bool,
    /// The vertex with the longest distance of all, and that.
    farthest: Option<(u32, f64)>,
    of_vertices: Vec<OfVertex>,
}

/// What sources that reach a vertex, itself left out, are away from it.
#[derive(Clone, Copy, Default)]
struct OfVertex {
    reached: u32,
    is_source: bool,
    distance: f64,
    inverse: f64,
}

impl Sums {
    pub fn new(vertices: u32, within: Option<f64>) -> Self {
        Self {
            within,
            eccentricities: Vec::new(),
            near: Vec::new(),
            connected: true,
            farthest: None,
            of_vertices: vec![OfVertex::default(); vertices as usize],
        }
    }

    /// Adds the distances from each of some sources, one source after the other. How many vertices they reached.
    pub fn add(&mut self, sources: &[u32], rows: &[Vec<f64>]) -> u64 {
        let mut all = 0;
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
            all += reached as u64;
        }
        let add_to = |(vertex, sum): (usize, &mut OfVertex)| {
            for (&source, row) in sources.iter().zip(rows) {
                sum.add(source as usize == vertex, row[vertex]);
            }
        };
        self.of_vertices.par_iter_mut().enumerate().with_min_len(1 << 10).for_each(add_to);
        all
    }

    /// The vertex with the longest distance of all, and that.
    pub fn farthest(&self) -> Option<(u32, f64)> {
        self.farthest
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
        let (vertices, count) = (f64::from(graph.vertices()), sources.len() as f64);
        let smallest = self.eccentricities.iter().copied().reduce(f64::min);
        let radius = smallest.unwrap_or(0.0);
        let is_bounded = graph.is_undirected() && self.connected && !sources.is_empty();
        let most_diameter = match exact && self.connected {
            true => Some(diameter),
            false => is_bounded.then_some(2.0 * radius),
        };
        // All sources but the vertex itself.
        let others = |sum: &OfVertex| (count - f64::from(u8::from(sum.is_source))).max(1.0);
        let closeness = |sum: &OfVertex| match sum.distance > 0.0 {
            true => f64::from(sum.reached) / sum.distance * (f64::from(sum.reached) / others(sum)),
            false => 0.0,
        };
        let harmonic = |sum: &OfVertex| sum.inverse * ((vertices - 1.0) / others(sum));
        Paths {
            exact,
            eccentricities: self.eccentricities,
            within: self.within.map(|_| self.near),
            connected: self.connected,
            diameter,
            most_diameter,
            radius,
            closeness: self.of_vertices.iter().map(closeness).collect(),
            harmonic: self.of_vertices.iter().map(harmonic).collect(),
            sources,
            trace,
            times,
        }
    }
}

impl OfVertex {
    fn add(&mut self, is_source: bool, distance: f64) {
        if is_source {
            self.is_source = true;
        } else if distance.is_finite() {
            self.reached += 1;
            self.distance += distance;
            self.inverse += if distance > 0.0 { 1.0 / distance } else { 0.0 };
        }
    }
}
