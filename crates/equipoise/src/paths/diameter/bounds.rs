//! Bounds on the eccentricity of each vertex of an undirected graph.

use std::cmp::{Ordering, Reverse};

use equipoise_graph::{Graph, parallel::*};

/// Bounds on the eccentricity of each vertex.
pub(super) struct Bounds<'g> {
    graph: &'g Graph,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// The vertices whose eccentricity may exceed the largest known distance.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidates {
    pub count: usize,
    /// The one with the largest upper bound.
    widest: Option<Candidate>,
    /// The one with the smallest lower bound.
    most_central: Option<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    vertex: u32,
    degree: usize,
    bound: f64,
}

impl Candidate {
    /// Prefers a larger bound, then more edges, then the first vertex.
    fn compare(&self, other: &Self) -> Ordering {
        let by_bound = self.bound.total_cmp(&other.bound);
        by_bound
            .then((self.degree, Reverse(self.vertex)).cmp(&(other.degree, Reverse(other.vertex))))
    }

    fn better(self, other: Option<Self>) -> Self {
        other.filter(|other| other.compare(&self).is_gt()).unwrap_or(self)
    }
}

impl Candidates {
    fn and(self, other: Self) -> Self {
        let better = |a: Option<Candidate>, b| a.map(|a| a.better(b)).or(b);
        Self {
            count: self.count + other.count,
            widest: better(self.widest, other.widest),
            most_central: better(self.most_central, other.most_central),
        }
    }

    /// The candidate with the largest upper bound.
    pub fn widest(&self) -> Option<u32> {
        self.widest.map(|candidate| candidate.vertex)
    }

    /// The candidate with the smallest lower bound.
    pub fn most_central(&self) -> Option<u32> {
        self.most_central.map(|candidate| candidate.vertex)
    }
}

impl<'g> Bounds<'g> {
    /// Nothing but an upper bound is known.
    pub fn new(graph: &'g Graph, upper: Vec<f64>) -> Self {
        Self { graph, lower: vec![0.0; upper.len()], upper }
    }

    /// Adds what the distances from a vertex tell, by the triangle inequality. Unreached vertices have none.
    pub fn tighten(&mut self, eccentricity: f64, distance: impl Fn(u32) -> Option<f64> + Sync) {
        let bounds = self.lower.par_iter_mut().zip(self.upper.par_iter_mut());
        bounds.enumerate().with_min_len(1 << 12).for_each(|(vertex, (lower, upper))| {
            if let Some(distance) = distance(vertex as u32) {
                *lower = lower.max(distance).max(eccentricity - distance);
                *upper = upper.min(eccentricity + distance);
            }
        });
    }

    /// Sets the eccentricity of a vertex.
    pub fn set(&mut self, vertex: u32, eccentricity: f64) {
        self.lower[vertex as usize] = eccentricity;
        self.upper[vertex as usize] = eccentricity;
    }

    fn candidate(&self, vertex: u32, bound: f64) -> Candidate {
        Candidate { vertex, degree: self.graph.degree(vertex), bound }
    }

    /// The vertices whose eccentricity may exceed `diameter`.
    pub fn candidates(&self, diameter: f64) -> Candidates {
        let count = |sum: Candidates, vertex: u32| {
            let upper = self.upper[vertex as usize];
            if upper <= diameter {
                return sum;
            }
            // Negative, since the smallest lower bound is the best one.
            let most_central = self.candidate(vertex, -self.lower[vertex as usize]);
            let widest = Some(self.candidate(vertex, upper));
            sum.and(Candidates { count: 1, widest, most_central: Some(most_central) })
        };
        let vertices = (0..self.graph.vertices()).into_par_iter().with_min_len(1 << 12);
        vertices.fold(Candidates::default, count).reduce(Candidates::default, Candidates::and)
    }

    /// Up to `count` of these vertices, those with the largest upper bounds.
    pub fn widest(&self, count: usize, diameter: f64) -> Vec<u32> {
        let is_candidate = |vertex: &u32| self.upper[*vertex as usize] > diameter;
        let vertices = (0..self.graph.vertices()).into_par_iter().filter(is_candidate);
        let mut all: Vec<Candidate> =
            vertices.map(|vertex| self.candidate(vertex, self.upper[vertex as usize])).collect();
        if count < all.len() {
            all.select_nth_unstable_by(count, |a, b| b.compare(a));
            all.truncate(count);
        }
        all.sort_unstable_by(|a, b| b.compare(a));
        all.iter().map(|candidate| candidate.vertex).collect()
    }

    /// A lower and an upper bound on the smallest eccentricity; 0 without vertices.
    pub fn of_radius(&self) -> [f64; 2] {
        [&self.lower, &self.upper]
            .map(|bounds| bounds.iter().copied().reduce(f64::min).unwrap_or_default())
    }
}
