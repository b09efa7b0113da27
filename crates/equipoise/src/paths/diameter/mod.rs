//! The diameter of an undirected graph, without a search from every vertex (Takes and Kosters, Determining the Diameter of
//! Small World Networks, 2011).
//!
//! A search from a vertex bounds the eccentricity of every vertex that it reaches: it is at least the distance to it, and at
//! most that distance more or less than the eccentricity of the source. Searches start in turn from the vertex with the
//! largest upper bound and from that with the smallest lower bound, until no upper bound exceeds the largest distance found.
//! Where bounds hardly improve, the remaining vertices are searched from in groups, 64 searches at once.

mod bounds;
mod verify;

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use self::bounds::Bounds;
use super::{
    Paths,
    hops::{SEARCHES, groups_on_cpu, groups_on_gpu},
    sums::Farthest,
};
use crate::{
    LoadedGraph, NONE, Result, Step, Times, Trace, bfs::BfsOptions, components::ComponentsOptions,
    sssp::SsspOptions, times::Clock,
};

/// A search that leaves nearly all candidates costs more than a group of searches from some of them.
const FEW: usize = SEARCHES / 4;
/// After so many of these searches in a row, a group is next.
const PATIENCE: u32 = 4;
/// The most groups in a row, without a search from the farthest vertex between them.
const MOST_GROUPS: usize = 64;

/// Finds the diameter of an undirected graph, the largest of its components, by weights or by edges.
pub(super) fn diameter(loaded: &LoadedGraph, weighted: bool) -> Result<Paths> {
    let vertices = loaded.graph().vertices();
    let bytes = memory::bytes_of::<[f64; 8]>(vertices.into());
    memory::check(format_args!("the diameter of {vertices} vertices"), bytes)?;
    let components = loaded.components(&ComponentsOptions::default())?;
    let upper = upper_bounds(loaded.graph(), &components.labels, weighted);
    let search = DiameterSearch {
        loaded,
        weighted,
        bounds: Bounds::new(loaded.graph(), upper),
        diameter: 0.0,
        ends: None,
        sources: Vec::new(),
        eccentricities: Vec::new(),
        trace: Trace::default(),
        clock: Clock::start(),
    };
    search.run(components.count <= 1)
}

/// No path has more edges than its component has other vertices.
fn upper_bounds(graph: &Graph, labels: &[u32], weighted: bool) -> Vec<f64> {
    let largest = |weights: &Weights| {
        let weights = (0..weights.len()).into_par_iter().map(|edge| weights.get(edge));
        weights.reduce(|| 0.0, f64::max)
    };
    let longest = graph.weights().filter(|_| weighted).map_or(1.0, largest);
    let mut sizes = vec![0u32; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let bound = |&label: &u32| f64::from(sizes[label as usize] - 1) * longest;
    labels.par_iter().map(bound).collect()
}

/// The searches so far.
struct DiameterSearch<'a> {
    loaded: &'a LoadedGraph<'a>,
    weighted: bool,
    bounds: Bounds<'a>,
    /// The largest distance found, and the vertices with that distance.
    diameter: f64,
    ends: Option<[u32; 2]>,
    sources: Vec<u32>,
    eccentricities: Vec<f64>,
    trace: Trace,
    clock: Clock,
}

impl DiameterSearch<'_> {
    fn run(mut self, connected: bool) -> Result<Paths> {
        let (mut searches_in_vain, mut groups, mut from_widest) = (0, 1, true);
        let mut candidates = self.bounds.candidates(self.diameter);
        while let (Some(widest), Some(central)) = (candidates.widest(), candidates.most_central()) {
            let before = candidates.count;
            let is_stuck =
                searches_in_vain >= PATIENCE || before <= SEARCHES && searches_in_vain > 0;
            if is_stuck && !self.weighted {
                self.search_groups(groups)?;
                groups = (2 * groups).min(MOST_GROUPS);
                searches_in_vain = PATIENCE - 1;
            } else {
                self.search(if from_widest { widest } else { central })?;
                from_widest = !from_widest;
            }
            candidates = self.bounds.candidates(self.diameter);
            let is_in_vain = before - candidates.count < FEW;
            searches_in_vain = if is_in_vain { searches_in_vain + 1 } else { 0 };
        }
        Ok(self.into_paths(connected))
    }

    /// Searches from a vertex.
    fn search(&mut self, source: u32) -> Result<()> {
        if self.weighted {
            let search = self.loaded.sssp(source, &SsspOptions::default())?;
            let distances = search.distances()?;
            self.add_search(source, |vertex| distances.get(vertex as usize));
        } else {
            let options = BfsOptions { levels_only: true, ..BfsOptions::default() };
            let search = self.loaded.bfs(source, &options)?;
            let levels = search.levels()?;
            self.add_search(source, |vertex| {
                Some(levels[vertex as usize]).filter(|&level| level != NONE).map(f64::from)
            });
        }
        Ok(())
    }

    fn add_search(&mut self, source: u32, distance: impl Fn(u32) -> Option<f64> + Sync) {
        let reached = (0..self.loaded.graph().vertices()).into_par_iter().with_min_len(1 << 12);
        let reached = reached.filter_map(|vertex| {
            distance(vertex).map(|distance| (1, Farthest { vertex, distance }))
        });
        let farther = |(count, best): (u64, Farthest), (more, other): (u64, Farthest)| {
            (count + more, best.or_farther(other))
        };
        let nothing = (0, Farthest { vertex: source, distance: 0.0 });
        let (found, farthest) = reached.reduce(|| nothing, farther);
        let eccentricity = farthest.distance;
        self.sources.push(source);
        self.eccentricities.push(eccentricity);
        if eccentricity > self.diameter {
            self.diameter = eccentricity;
            self.ends = Some([source, farthest.vertex]);
        }
        self.bounds.tighten(eccentricity, distance);
        self.add_step("search", 1, found);
    }

    /// Searches from candidates in groups, and then from a vertex that is farther than all before from one of them.
    fn search_groups(&mut self, groups: usize) -> Result<()> {
        let sources = self.bounds.widest(groups * SEARCHES, self.diameter);
        let graph = self.loaded.graph();
        let groups = self.loaded.run(
            |gpu_graph| groups_on_gpu(gpu_graph, &sources),
            || groups_on_cpu(graph, &sources),
        )?;
        let found = groups.iter().map(|group| group.reached).sum();
        let farthest = groups.iter().map(|group| group.farthest).reduce(Farthest::or_farther);
        let eccentricities = groups.iter().flat_map(|group| &group.eccentricities);
        for (&source, &eccentricity) in sources.iter().zip(eccentricities) {
            self.bounds.set(source, eccentricity.into());
            self.eccentricities.push(eccentricity.into());
        }
        self.sources.extend_from_slice(&sources);
        self.add_step("group", sources.len() as u64, found);
        match farthest.filter(|farthest| farthest.distance > self.diameter) {
            Some(farthest) => self.search(farthest.vertex),
            None => Ok(()),
        }
    }

    fn add_step(&mut self, strategy: &'static str, frontier: u64, found: u64) {
        let (index, time) = (self.trace.steps.len() as u32, self.clock.lap());
        let edges = frontier * self.loaded.graph().edges();
        let step = Step { frontier, edges, found, time, ..Step::new(index, strategy) };
        self.trace.steps.push(step);
    }

    fn into_paths(self, connected: bool) -> Paths {
        let [least_radius, radius] = self.bounds.of_radius();
        Paths {
            sources: self.sources,
            exact: false,
            eccentricities: self.eccentricities,
            within: None,
            connected,
            diameter: self.diameter,
            most_diameter: Some(self.diameter),
            ends: self.ends,
            radius,
            least_radius: Some(least_radius),
            closeness: Vec::new(),
            harmonic: Vec::new(),
            trace: self.trace,
            times: Times::default(),
        }
    }
}
