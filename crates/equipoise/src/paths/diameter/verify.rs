//! Whether a diameter is right.

use equipoise_graph::{Graph, parallel::*};

use super::super::{Paths, verify::*};
use crate::{
    Result,
    apsp::{ApspOptions, ApspStrategy, apsp},
    error::wrong,
    sssp::{SsspOptions, sssp},
    traversal::Strategy,
};

/// Searches whose distances are in memory together.
const AT_ONCE: usize = 16;
/// The most edges that all searches of a check follow: more take minutes.
const MOST_EDGES: u64 = 1 << 35;

impl Paths {
    /// Whether [`verify`](Self::verify) proves a diameter: it repeats all searches, unless they take too long.
    pub(in super::super) fn is_diameter_proved(&self, graph: &Graph) -> bool {
        let edges = graph.edges().saturating_add(graph.vertices().into());
        graph.vertices() <= FEW || edges.saturating_mul(self.sources.len() as u64) <= MOST_EDGES
    }

    /// Checks a diameter, in a graph without weights if distances are by edges.
    ///
    /// With few vertices, by the distances of all pairs. With more, searches of another kind from the sources find their
    /// eccentricities, and the distance between the ends. By the triangle inequality, these eccentricities bound those of
    /// all vertices that were reached; other vertices are in components with too few edges.
    pub(in super::super) fn verify_diameter(&self, graph: &Graph) -> Result<()> {
        self.check_shape(graph)?;
        if graph.vertices() <= FEW {
            return self.check_all_pairs(graph);
        }
        let repeated: Vec<usize> = if self.is_diameter_proved(graph) {
            (0..self.sources.len()).collect()
        } else {
            let start = self.ends.and_then(|[start, _]| self.index_of(start));
            some(self.sources.len()).chain(start).collect()
        };
        let mut bounds = vec![[0.0, f64::INFINITY]; graph.vertices() as usize];
        for indices in repeated.chunks(AT_ONCE) {
            let search = |&index: &usize| distances(graph, self.sources[index]);
            let rows = indices.par_iter().map(search).collect::<Result<Vec<_>>>()?;
            for (&index, row) in indices.iter().zip(&rows) {
                self.check_row(graph, index, row)?;
                tighten(&mut bounds, row);
            }
        }
        if repeated.len() < self.sources.len() {
            return Ok(());
        }
        if self.sources.is_empty() {
            self.check_connected(&distances(graph, 0)?)?;
        }
        bound_unreached(graph, &mut bounds);
        self.check_upper_bounds(graph, &bounds)
    }

    fn index_of(&self, vertex: u32) -> Option<usize> {
        self.sources.iter().position(|&source| source == vertex)
    }

    /// Checks numbers of numbers, and what they say of each other.
    fn check_shape(&self, graph: &Graph) -> Result<()> {
        let most = self.eccentricities.iter().copied().fold(0.0, f64::max);
        let is_vertex = |&vertex: &u32| vertex < graph.vertices();
        let has_ends = match self.ends {
            None => self.diameter == 0.0,
            Some(ends) => ends.iter().all(is_vertex) && self.index_of(ends[0]).is_some(),
        };
        let is_right = !self.exact
            && self.within.is_none()
            && self.closeness.is_empty()
            && self.harmonic.is_empty()
            && self.sources.iter().all(is_vertex)
            && self.eccentricities.len() == self.sources.len()
            && self.diameter == most
            && self.most_diameter == Some(self.diameter)
            && has_ends;
        if is_right { Ok(()) } else { wrong("the diameter is not that of the searches".into()) }
    }

    /// Checks a source against its distances.
    fn check_row(&self, graph: &Graph, index: usize, row: &[f64]) -> Result<()> {
        let (source, near) = (self.sources[index], allowed(graph));
        let far = eccentricity(row);
        let found = self.eccentricities[index];
        if !is_near(found, far, near) {
            let id = graph.ids().id(source);
            return wrong(format!("vertex {id} has the eccentricity {found}, not {far}"));
        }
        self.check_connected(row)?;
        match self.ends {
            Some([start, end]) if start == source => {
                let between = row[end as usize];
                if is_near(self.diameter, between, near) {
                    return Ok(());
                }
                let [start, end] = [start, end].map(|end| graph.ids().id(end));
                wrong(format!("from {start} to {end} it is {between}, not {}", self.diameter))
            }
            _ => Ok(()),
        }
    }

    fn check_connected(&self, row: &[f64]) -> Result<()> {
        if self.connected == row.iter().all(|far| far.is_finite()) {
            return Ok(());
        }
        wrong(format!("the graph is {}connected", if self.connected { "not " } else { "" }))
    }

    /// Checks that no vertex can have a larger eccentricity than the diameter, and the bounds on the radius.
    fn check_upper_bounds(&self, graph: &Graph, bounds: &[[f64; 2]]) -> Result<()> {
        let near = allowed(graph);
        // Not a number is no bound.
        let is_bounded = |upper: f64| upper <= self.diameter * (1.0 + near);
        if let Some(vertex) = bounds.iter().position(|&[_, upper]| !is_bounded(upper)) {
            let (id, [_, upper]) = (graph.ids().id(vertex as u32), bounds[vertex]);
            return wrong(format!(
                "vertex {id} may have an eccentricity of {upper}, more than {}",
                self.diameter
            ));
        }
        let least = |side: usize| bounds.iter().map(|bounds| bounds[side]).reduce(f64::min);
        self.check_radius(least(0).unwrap_or(0.0), least(1).unwrap_or(0.0), near)
    }

    /// Checks the bounds on the radius against others.
    fn check_radius(&self, lower: f64, upper: f64, near: f64) -> Result<()> {
        let is_lower = self.least_radius.is_some_and(|least| least <= lower * (1.0 + near));
        if is_lower && self.radius >= upper * (1.0 - near) {
            return Ok(());
        }
        let least = self.least_radius.unwrap_or_default();
        wrong(format!("a radius from {least} to {}, not from {lower} to {upper}", self.radius))
    }

    fn check_all_pairs(&self, graph: &Graph) -> Result<()> {
        let strategy = ApspStrategy::Naive;
        let all = apsp(graph, &ApspOptions { strategy, ..ApspOptions::default() })?;
        let row = |source: u32| -> Vec<f64> {
            let far = |target| all.distance(source, target).unwrap_or(f64::INFINITY);
            (0..graph.vertices()).map(far).collect()
        };
        for (index, &source) in self.sources.iter().enumerate() {
            self.check_row(graph, index, &row(source))?;
        }
        let exact = |vertex| [eccentricity(&row(vertex)); 2];
        let bounds: Vec<[f64; 2]> = (0..graph.vertices()).map(exact).collect();
        if graph.vertices() > 0 {
            self.check_connected(&row(0))?;
        }
        self.check_upper_bounds(graph, &bounds)
    }
}

/// The largest distance of a row.
fn eccentricity(row: &[f64]) -> f64 {
    row.iter().copied().filter(|far| far.is_finite()).fold(0.0, f64::max)
}

/// The distances from a vertex, by a queue in one thread, or by Dijkstra's algorithm; infinite without a path.
fn distances(graph: &Graph, source: u32) -> Result<Vec<f64>> {
    if graph.weights().is_some() {
        let options = SsspOptions { strategy: Strategy::Dijkstra, ..SsspOptions::default() };
        let found = sssp(graph, source, &options)?.distances;
        return Ok((0..found.len()).map(|v| found.get(v).unwrap_or(f64::INFINITY)).collect());
    }
    let mut row = vec![f64::INFINITY; graph.vertices() as usize];
    row[source as usize] = 0.0;
    let (mut queue, mut next) = (vec![source], 0);
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        for &target in graph.neighbors(vertex) {
            if row[target as usize].is_infinite() {
                row[target as usize] = row[vertex as usize] + 1.0;
                queue.push(target);
            }
        }
    }
    Ok(row)
}

/// Lowers and raises the bounds of the vertices in the component of a source.
fn tighten(bounds: &mut [[f64; 2]], row: &[f64]) {
    let far = eccentricity(row);
    bounds.par_iter_mut().zip(row).with_min_len(1 << 12).for_each(|([lower, upper], &distance)| {
        if distance.is_finite() {
            *lower = lower.max(distance).max(far - distance);
            *upper = upper.min(far + distance);
        }
    });
}

/// Bounds the vertices that no search has reached: no path has more edges than their component has other vertices.
fn bound_unreached(graph: &Graph, bounds: &mut [[f64; 2]]) {
    let weight = |edge| graph.weights().map_or(1.0, |weights| weights.get(edge));
    let mut longest = None;
    for start in 0..graph.vertices() {
        if bounds[start as usize][1].is_finite() {
            continue;
        }
        let longest = *longest.get_or_insert_with(|| {
            (0..graph.edges()).map(|edge| weight(edge as usize)).fold(0.0, f64::max)
        });
        let mut component = vec![start];
        bounds[start as usize][1] = 0.0;
        let mut next = 0;
        while let Some(&vertex) = component.get(next) {
            next += 1;
            for &target in graph.neighbors(vertex) {
                if bounds[target as usize][1].is_infinite() {
                    bounds[target as usize][1] = 0.0;
                    component.push(target);
                }
            }
        }
        let upper = (component.len() - 1) as f64 * longest;
        component.iter().for_each(|&vertex| bounds[vertex as usize][1] = upper);
    }
}
