//! Whether distances between vertices were added up rightly.

use equipoise_graph::{Graph, Weights};

use super::{Paths, PathsOptions};
use crate::{
    Result,
    apsp::{ApspOptions, ApspStrategy, apsp},
    error::wrong,
    sssp::{SsspOptions, sssp},
};

/// Up to so many vertices, all pairs are compared.
pub(super) const FEW: u32 = 256;
/// With more, so many sources and so many vertices are looked at, from all over the graph.
const LOOKED_AT: usize = 4;
/// How far sums of `f32` weights in another order may be off, as a share.
const NEAR: f64 = 1e-4;
/// The same where distances are whole, or sums of `f64` weights.
const NEARER: f64 = 1e-9;

impl Paths {
    /// Checks what was found against the graph, and the options it was found with.
    ///
    /// 1. There are as many numbers as sources and vertices; center, diameter and radius fit the eccentricities.
    /// 2. With up to 256 vertices, all eccentricities, counts, closeness and harmonic centralities are those of all pairs
    ///    by Floyd-Warshall, which makes no search.
    /// 3. With more, those of four sources are what a search by delta-stepping from there gives, and those of four
    ///    vertices what a search against the direction of edges gives, from there to all sources.
    ///
    /// With [`diameter`](PathsOptions::diameter), all searches are repeated by other code: their eccentricities bound those
    /// of all vertices.
    ///
    /// What is made of sums of weights of type `f32` may be off by a ten-thousandth, of others by a thousand-millionth.
    pub fn verify(&self, graph: &Graph, options: &PathsOptions) -> Result<()> {
        graph.check()?;
        if graph.weights().is_some() && !options.weighted {
            self.verify_distances(&graph.clone().with_weights(None)?, options)
        } else {
            self.verify_distances(graph, options)
        }
    }

    /// The same in a graph that has weights only if distances are their sums.
    fn verify_distances(&self, graph: &Graph, options: &PathsOptions) -> Result<()> {
        self.check_bounds()?;
        if options.diameter {
            return self.verify_diameter(graph);
        }
        self.check_lengths(graph, options)?;
        self.check_distances(graph, options)
    }

    /// The share of the numbers that [`verify`](Self::verify) compares: 1 in a graph of up to 256 vertices, less of a
    /// sample.
    pub fn checked_share(&self) -> f64 {
        let vertices = self.closeness.len();
        if vertices <= FEW as usize { 1.0 } else { LOOKED_AT as f64 / vertices as f64 }
    }

    fn check_distances(&self, graph: &Graph, options: &PathsOptions) -> Result<()> {
        if graph.vertices() <= FEW {
            let strategy = ApspStrategy::Naive;
            let all = apsp(graph, &ApspOptions { strategy, ..ApspOptions::default() })?;
            let far = |source, target| all.distance(source, target).unwrap_or(f64::INFINITY);
            for (place, &source) in self.sources.iter().enumerate() {
                let row = (0..graph.vertices()).map(|target| far(source, target)).collect();
                self.check_source(graph, place, options, row)?;
            }
            return (0..graph.vertices()).try_for_each(|vertex| {
                self.check_vertex(graph, vertex, |source| far(source, vertex))
            });
        }
        for place in some(self.sources.len()) {
            let row = search(graph, self.sources[place])?;
            self.check_source(graph, place, options, row)?;
        }
        let reversed = graph.transpose()?;
        for vertex in some(graph.vertices() as usize) {
            let row = search(reversed, vertex as u32)?;
            self.check_vertex(graph, vertex as u32, |source| row[source as usize])?;
        }
        Ok(())
    }

    fn check_lengths(&self, graph: &Graph, options: &PathsOptions) -> Result<()> {
        let (sources, vertices) = (self.sources.len(), graph.vertices() as usize);
        let wanted = options.sources.as_ref().map_or(vertices, Vec::len);
        let counts = options.within.map(|_| sources);
        let is_right = sources == wanted
            && self.exact == options.sources.is_none()
            && self.eccentricities.len() == sources
            && self.within.as_ref().map(Vec::len) == counts
            && [self.closeness.len(), self.harmonic.len()] == [vertices; 2];
        match is_right {
            true => Ok(()),
            false => {
                wrong(format!("not a number for each of {sources} sources and {vertices} vertices"))
            }
        }
    }

    fn check_bounds(&self) -> Result<()> {
        let most = self.eccentricities.iter().copied().fold(0.0, f64::max);
        let least = self.eccentricities.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let is_diameter = if self.exact { self.diameter == most } else { self.diameter >= most };
        let is_most = self.most_diameter.is_none_or(|bound| bound >= self.diameter);
        let is_least = match self.least_radius {
            Some(bound) if self.exact => bound == self.radius,
            bound => bound.is_none_or(|bound| bound <= self.radius),
        };
        // A diameter is searched for with bounds on other eccentricities, too.
        let is_radius = self.radius == least || self.ends.is_some() && self.radius <= least;
        match is_diameter && is_most && is_least && is_radius {
            true => Ok(()),
            false => wrong(format!(
                "a diameter of {} and a radius of {} with eccentricities from {least} to {most}",
                self.diameter, self.radius
            )),
        }
    }

    /// Checks what was found of a source against its distances.
    fn check_source(
        &self,
        graph: &Graph,
        place: usize,
        options: &PathsOptions,
        row: Vec<f64>,
    ) -> Result<()> {
        let id = graph.ids().id(self.sources[place]);
        let reached = row.iter().copied().filter(|far| far.is_finite());
        let far = reached.clone().fold(0.0, f64::max);
        let near = allowed(graph);
        if !is_near(self.eccentricities[place], far, near) {
            let found = self.eccentricities[place];
            return wrong(format!("vertex {id} has the eccentricity {found}, not {far}"));
        }
        if self.connected && row.iter().any(|far| far.is_infinite()) {
            return wrong(format!("not all vertices can be reached from {id}"));
        }
        let (Some(within), Some(counts)) = (options.within, &self.within) else { return Ok(()) };
        // Decimal sums may be on either side of the limit.
        let count = |limit: f64| {
            reached.clone().filter(|&far| far <= limit).count().saturating_sub(1) as u64
        };
        let found = u64::from(counts[place]);
        match (count(within * (1.0 - near))..=count(within * (1.0 + near))).contains(&found) {
            true => Ok(()),
            false => wrong(format!("{found} vertices are said to be within {within} of {id}")),
        }
    }

    /// Checks what was found of a vertex against the distances to it.
    fn check_vertex(&self, graph: &Graph, vertex: u32, far: impl Fn(u32) -> f64) -> Result<()> {
        let others = self.sources.iter().filter(|&&source| source != vertex);
        let reaching: Vec<f64> =
            others.clone().map(|&source| far(source)).filter(|far| far.is_finite()).collect();
        // Nothing is reached from vertices that no edge leaves: they are no sample of the others.
        let leaves = |other: &u32| *other != vertex && !graph.neighbors(*other).is_empty();
        let all = (0..graph.vertices()).filter(leaves).count() as f64;
        let drawn = others.filter(|source| leaves(source)).count().max(1) as f64;
        let (reached, sum) = (reaching.len() as f64, reaching.iter().sum::<f64>());
        let share = reached / drawn * all / (f64::from(graph.vertices()) - 1.0).max(1.0);
        let closeness = if sum > 0.0 { reached / sum * share } else { 0.0 };
        let inverse: f64 = reaching.iter().filter(|far| **far > 0.0).map(|far| 1.0 / far).sum();
        let harmonic = inverse / drawn * all;
        for (name, found, expected) in [
            ("closeness", self.closeness[vertex as usize], closeness),
            ("harmonic centrality", self.harmonic[vertex as usize], harmonic),
        ] {
            if !is_near(found, expected, allowed(graph)) {
                let id = graph.ids().id(vertex);
                return wrong(format!("vertex {id} has the {name} {found}, not {expected}"));
            }
        }
        Ok(())
    }
}

/// A few places of so many, from all over.
pub(super) fn some(count: usize) -> impl Iterator<Item = usize> {
    let wanted = LOOKED_AT.min(count);
    (0..wanted).map(move |index| index * count / wanted)
}

fn search(graph: &Graph, source: u32) -> Result<Vec<f64>> {
    let found = sssp(graph, source, &SsspOptions::default())?.distances;
    Ok((0..found.len()).map(|vertex| found.get(vertex).unwrap_or(f64::INFINITY)).collect())
}

/// How far what was found may be off, as a share.
pub(super) fn allowed(graph: &Graph) -> f64 {
    match graph.weights() {
        Some(Weights::F32(_)) => NEAR,
        _ => NEARER,
    }
}

pub(super) fn is_near(found: f64, expected: f64, near: f64) -> bool {
    (found - expected).abs() <= near * expected.abs()
}
