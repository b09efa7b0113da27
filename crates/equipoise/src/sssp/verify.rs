//! The verifier of shortest paths, which depends on the graph only.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{
    Sssp, SsspOptions,
    distance::Distance,
    network::{EdgeWeights, Network, Ones},
};
use crate::{Distances, NONE, Result, error::wrong, rows::Rows, team, weights::check_weights};

impl Sssp {
    /// Checks the result against the graph and the options of the search, in parallel:
    ///
    /// 1. Each vertex has a distance, of a type that fits the weights, and a predecessor; the source has distance 0 and is
    ///    its own predecessor.
    /// 2. A vertex has a distance if and only if it has a predecessor.
    /// 3. Every reached vertex except the source has a predecessor whose distance and the weight of an edge from it sum to
    ///    the vertex' distance.
    /// 4. The predecessors lead to the source without cycles, which edges of weight 0 would allow under rule 3. So every
    ///    distance is the length of a path.
    /// 5. No edge is a shortcut: its target's distance is at most the sum of its source's distance and its weight. So no
    ///    path is shorter, and all reachable vertices are reached. If the target was reached, vertices farther away are not.
    /// 6. The counts of reached vertices and of their edges are those of the distances, and `complete` is true if and only
    ///    if no edge leads to an unreached vertex.
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
        let network = Network { rows: Rows::new(graph), weights };
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
        let is_reached = |vertex: u32| distances[vertex as usize].is_reached();
        let (reached, edges) = team::run(|team| network.count_reached(team, is_reached));
        if (self.reached, self.edges) == (reached, edges) {
            return Ok(());
        }
        wrong(format!(
            "{} vertices and {} edges are reported; the distances say {reached} and {edges}",
            self.reached, self.edges
        ))
    }
}

struct Paths<'a, D, W> {
    sssp: &'a Sssp,
    distances: &'a [D],
    network: Network<'a, W>,
    /// The distance of the target, if one is set and was reached.
    limit: Option<D>,
    /// Whether an edge leads from a reached vertex to an unreached one.
    leads_out: AtomicBool,
}

impl<D: Distance, W: EdgeWeights<Weight = D::Weight>> Paths<'_, D, W> {
    /// The fault of `vertex` by rules 1 to 3 and 5, if any.
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
            let at_target = self.distance(target).to_f64();
            format!(
                "an edge from vertex {vertex} at distance {at} is a shortcut to {target} at {at_target}"
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

    /// Whether an edge with distance `sum` at its target allows the target to have `distance`.
    fn is_good_edge(&self, sum: D, distance: D) -> bool {
        if distance == D::UNREACHED {
            self.leads_out.store(true, Relaxed);
            return match self.limit {
                Some(limit) => sum > limit,
                // Not even where the sum is infinite: the edge makes the target reachable.
                None => false,
            };
        }
        distance <= sum
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
        let cycle = (0..vertices).filter(|&start| is_flat(start)).find_map(|start| {
            let mut vertex = start;
            while is_flat(vertex) && walks[vertex as usize] == NONE {
                walks[vertex as usize] = start;
                vertex = self.predecessor(vertex);
            }
            (is_flat(vertex) && walks[vertex as usize] == start)
                .then(|| format!("the predecessors of vertex {vertex} lead back to it"))
        });
        Ok(cycle)
    }
}
