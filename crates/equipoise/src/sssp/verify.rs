//! Whether shortest paths are right, judged by the graph alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{Graph, Weights, memory};
use rayon::prelude::*;

use super::{
    Sssp, SsspOptions,
    distance::Distance,
    network::{EdgeWeights, Network, Ones},
    prepare::check_weights,
};
use crate::{Distances, Error, NONE, Result, rows::Rows, team};

impl Sssp {
    /// Checks the result against the graph and the options it was asked with, in parallel:
    ///
    /// 1. There is a distance, of a type that fits the weights, and a predecessor for each
    ///    vertex; the source has distance 0 and is its own predecessor.
    /// 2. A vertex has a distance exactly where it has a predecessor.
    /// 3. Every reached vertex but the source has a predecessor whose distance and the weight of
    ///    an edge from it sum to the vertex's own distance.
    /// 4. The predecessors lead to the source: there is no cycle, which edges of weight 0 would
    ///    allow under rule 3. So every distance is the length of a path.
    /// 5. No edge is a shortcut: its target's distance is at most its source's and its weight.
    ///    So no path is shorter, and all that is reachable is reached. Where a target was asked
    ///    for and reached, vertices farther away than it are not reached.
    /// 6. The counts of reached vertices and of their edges are those of the distances, and the
    ///    result says that it is complete exactly where no edge leads to a vertex that is not reached.
    ///
    /// ```
    /// use equipoise::{Distances, graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
    /// let options = SsspOptions::default();
    /// let mut paths = sssp(&graph, 0, &options)?;
    /// assert!(paths.verify(&graph, &options).is_ok());
    /// paths.distances = Distances::U32(vec![0, 3, 6]);
    /// assert!(paths.verify(&graph, &options).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn verify(&self, graph: &Graph, options: &SsspOptions) -> Result<()> {
        graph.check()?;
        check_weights(graph)?;
        let vertices = graph.vertices();
        let lengths = [self.distances.len(), self.predecessors.len()];
        if lengths != [vertices as usize; 2] {
            return wrong(format!(
                "{lengths:?} distances and predecessors for {vertices} vertices"
            ));
        }
        if self.source >= vertices {
            return wrong(format!("the source, {}, is no vertex", self.source));
        }
        match (&self.distances, graph.weights()) {
            (Distances::U32(all), None) => self.verify_paths(graph, all, Ones, options),
            (Distances::U64(all), None) => self.verify_paths(graph, all, Ones, options),
            (Distances::U32(all), Some(Weights::U32(weights))) => {
                self.verify_paths(graph, all, &weights[..], options)
            }
            (Distances::U64(all), Some(Weights::U32(weights))) => {
                self.verify_paths(graph, all, &weights[..], options)
            }
            (Distances::F32(all), Some(Weights::F32(weights))) => {
                self.verify_paths(graph, all, &weights[..], options)
            }
            (Distances::F64(all), Some(Weights::F64(weights))) => {
                self.verify_paths(graph, all, &weights[..], options)
            }
            (_, weights) => wrong(format!(
                "the distances are of another kind than the weights, {}",
                weights.map_or("none", Weights::type_name)
            )),
        }
    }

    fn verify_paths<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
        &self,
        graph: &Graph,
        distances: &[D],
        weights: W,
        options: &SsspOptions,
    ) -> Result<()> {
        let at_target = options.target.and_then(|target| distances.get(target as usize));
        let network = Network { rows: Rows::of(graph), weights };
        let limit = at_target.copied().filter(|distance| distance.is_reached());
        let leads_out = AtomicBool::new(false);
        let paths = Paths { sssp: self, distances, network, limit, leads_out };
        let fault = (0..graph.vertices()).into_par_iter().find_map_first(|v| paths.fault_at(v));
        let fault = match fault {
            Some(fault) => Some(fault),
            None => paths.find_cycle()?,
        };
        if let Some(fault) = fault {
            return wrong(fault);
        }
        if self.complete == paths.leads_out.into_inner() {
            let but = if self.complete { "not all" } else { "all" };
            return wrong(format!(
                "complete is {}, but {but} vertices were reached that can be",
                self.complete
            ));
        }
        let (reached, edges) = team::run(|team| network.count_reached(team, distances));
        match (self.reached, self.edges) == (reached, edges) {
            true => Ok(()),
            false => wrong(format!(
                "{} vertices and {} edges are reported; the distances say {reached} and {edges}",
                self.reached, self.edges
            )),
        }
    }
}

/// A result under examination.
struct Paths<'a, D, W> {
    sssp: &'a Sssp,
    distances: &'a [D],
    network: Network<'a, W>,
    /// The distance of the target, if one was asked for and reached.
    limit: Option<D>,
    /// Whether an edge was seen that leads from a vertex that is reached to one that is not.
    leads_out: AtomicBool,
}

impl<D: Distance, W: EdgeWeights<Weight = D::Weight>> Paths<'_, D, W> {
    /// What is wrong with `vertex` by rules 1 to 3 and 5.
    fn fault_at(&self, vertex: u32) -> Option<String> {
        let (distance, predecessor) = (self.distance(vertex), self.predecessor(vertex));
        if distance == D::UNREACHED && predecessor == NONE && vertex != self.sssp.source {
            return None;
        }
        let at = distance.to_f64();
        if !(distance >= D::ZERO && distance <= self.limit.unwrap_or(D::UNREACHED)) {
            return Some(format!("vertex {vertex} has distance {at}"));
        }
        if !(distance.is_reached() && self.is_good_predecessor(vertex)) {
            return Some(format!(
                "{predecessor} is no predecessor of vertex {vertex} at distance {at}"
            ));
        }
        let shortcut = |&(target, weight): &(u32, D::Weight)| {
            !self.is_good_edge(distance.plus(weight), self.distance(target))
        };
        self.network.edges(vertex).find(shortcut).map(|(target, _)| {
            let found = self.distance(target).to_f64();
            format!(
                "an edge from vertex {vertex} at distance {at} is a shortcut to {target} at {found}"
            )
        })
    }

    fn distance(&self, vertex: u32) -> D {
        self.distances[vertex as usize]
    }

    fn predecessor(&self, vertex: u32) -> u32 {
        self.sssp.predecessors[vertex as usize]
    }

    fn is_good_predecessor(&self, vertex: u32) -> bool {
        let (distance, predecessor) = (self.distance(vertex), self.predecessor(vertex));
        if vertex == self.sssp.source {
            return predecessor == vertex && distance == D::ZERO;
        }
        let Some(before) = self.distances.get(predecessor as usize) else { return false };
        let mut weights = self.network.weights_between(predecessor, vertex);
        before.is_reached() && weights.any(|weight| before.plus(weight) == distance)
    }

    /// Whether an edge over which its target has distance `sum` allows it to have `found`.
    fn is_good_edge(&self, sum: D, found: D) -> bool {
        if found == D::UNREACHED {
            self.leads_out.store(true, Relaxed);
            return match self.limit {
                Some(limit) => sum > limit,
                // Not even where the sum is infinite: the edge is there.
                None => false,
            };
        }
        found <= sum
    }

    /// A cycle of predecessors. Under rule 3 it can only go through vertices of equal distance.
    fn find_cycle(&self) -> Result<Option<String>> {
        let is_flat = |vertex: u32| {
            vertex != self.sssp.source
                && self.distance(vertex).is_reached()
                && self.distance(self.predecessor(vertex)) == self.distance(vertex)
        };
        let vertices = self.network.rows.vertices();
        if !(0..vertices).into_par_iter().any(is_flat) {
            return Ok(None);
        }
        memory::check("verifying paths of no length", memory::bytes_of::<u32>(vertices.into()))?;
        let mut walks = vec![NONE; vertices as usize];
        let circle = (0..vertices).filter(|&start| is_flat(start)).find_map(|start| {
            let mut vertex = start;
            while is_flat(vertex) && walks[vertex as usize] == NONE {
                walks[vertex as usize] = start;
                vertex = self.predecessor(vertex);
            }
            (is_flat(vertex) && walks[vertex as usize] == start)
                .then(|| format!("the predecessors of vertex {vertex} lead back to it"))
        });
        Ok(circle)
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
