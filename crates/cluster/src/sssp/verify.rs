//! The verifier of shortest paths, which uses only the graph.

use equipoise_graph::Weights;

use super::{
    Distances, Sssp, count_reached,
    cycle::check_no_cycle,
    distance::{Distance, EdgeWeights, Ones},
    prepare::check_weights,
};
use crate::{Comm, DistGraph, Error, Exchange, NONE, Result, agree};

impl Sssp {
    /// Checks the result against the graph; all ranks call it:
    ///
    /// 1. Each vertex has an entry for a distance, of a type that fits the weights and is equal on all ranks, and for a
    ///    predecessor; the source has distance 0 and is its own predecessor.
    /// 2. A vertex has a distance if and only if it has a predecessor.
    /// 3. Every reached vertex but the source has a predecessor whose distance and the weight of an edge from it sum to
    ///    the vertex's own distance.
    /// 4. The predecessors lead to the source without cycles, which edges of weight 0 would allow under rule 3. So
    ///    every distance is the length of a path.
    /// 5. No edge is a shortcut: the distance of its target is at most the sum of the source's and its weight. So no path is
    ///    shorter, and every reachable vertex is reached.
    /// 6. The counts of reached vertices and of their edges are those of the distances.
    ///
    /// Owners send distances and predecessors to mirrors once. Rules 3 and 5 are checked by the owner of an edge's source.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, Distances, EdgeSlice, SsspOptions, sssp};
    ///
    /// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(3) };
    /// let graph = DistGraph::build(&Alone, slice)?;
    /// let mut paths = sssp(&Alone, &graph, 0, &SsspOptions::default())?;
    /// assert!(paths.verify(&Alone, &graph).is_ok());
    /// paths.distances = Distances::U32(vec![0, 1, 1]);
    /// assert!(paths.verify(&Alone, &graph).is_err());
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn verify(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        agree(comm, check_weights(graph))?;
        agree(comm, self.check_shape(graph))?;
        self.check_alike(comm)?;
        match (&self.distances, graph.local.weights()) {
            (Distances::U32(all), None) => self.verify_paths(comm, graph, all, Ones),
            (Distances::U64(all), None) => self.verify_paths(comm, graph, all, Ones),
            (Distances::U32(all), Some(Weights::U32(weights))) => {
                self.verify_paths(comm, graph, all, &weights[..])
            }
            (Distances::U64(all), Some(Weights::U32(weights))) => {
                self.verify_paths(comm, graph, all, &weights[..])
            }
            (Distances::F32(all), Some(Weights::F32(weights))) => {
                self.verify_paths(comm, graph, all, &weights[..])
            }
            (Distances::F64(all), Some(Weights::F64(weights))) => {
                self.verify_paths(comm, graph, all, &weights[..])
            }
            // All ranks have weights of one kind, and so all are here.
            (_, weights) => wrong(format!(
                "the distances are of another kind than the weights, {}",
                weights.map_or("none", Weights::type_name)
            )),
        }
    }

    fn check_shape(&self, graph: &DistGraph) -> Result<()> {
        let (owned, vertices) = (graph.owned(), graph.partition.vertices());
        let lengths = [self.distances.len(), self.predecessors.len()];
        if lengths != [owned as usize; 2] {
            return wrong(format!("{lengths:?} distances and predecessors for {owned} vertices"));
        }
        if self.source < vertices {
            Ok(())
        } else {
            wrong(format!("the source, {}, is no vertex", self.source))
        }
    }

    /// Ranks that disagree about the type of distances would wait for different messages.
    fn check_alike(&self, comm: &dyn Comm) -> Result<()> {
        let kind = match self.distances {
            Distances::U32(_) => 0u64,
            Distances::U64(_) => 1,
            Distances::F32(_) => 2,
            Distances::F64(_) => 3,
        };
        let mine = [kind, self.source, self.reached, self.edges];
        let all = comm.all_gather(bytemuck::cast_slice(&mine));
        if all.iter().all(|other| other == &all[0]) {
            Ok(())
        } else {
            wrong("ranks differ in the source, the counts or the type of distances".into())
        }
    }

    fn verify_paths<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
        &self,
        comm: &dyn Comm,
        graph: &DistGraph,
        owned: &[D],
        weights: W,
    ) -> Result<()> {
        let all_known = (0..).zip(owned).try_for_each(|(vertex, &distance)| {
            self.check_vertex(graph.global(vertex), distance, self.predecessors[vertex as usize])
        });
        agree(comm, all_known)?;
        let mut exchange = Exchange::new(comm, graph);
        let mut paths = Paths::of(graph, &mut exchange, owned, &self.predecessors);
        agree(comm, paths.look_at_edges(weights))?;
        let flat = agree(comm, paths.witnessed(&mut exchange, self.source))?;
        check_no_cycle(comm, graph, &self.predecessors, &flat)?;
        let found = [self.reached, self.edges];
        let counted = count_reached(comm, graph, owned);
        if found == counted {
            Ok(())
        } else {
            wrong(format!(
                "{} vertices and {} edges are reported; the distances say {} and {}",
                found[0], found[1], counted[0], counted[1]
            ))
        }
    }

    /// Rules 1 and 2.
    fn check_vertex<D: Distance>(&self, vertex: u64, distance: D, before: u64) -> Result<()> {
        let is_source = vertex == self.source;
        if is_source && (distance != D::ZERO || before != vertex) {
            let at = distance.to_f64();
            return wrong(format!(
                "the source, {vertex}, has distance {at} and predecessor {before}"
            ));
        }
        // What is not a number is in no range.
        let is_distance = distance >= D::ZERO && distance <= D::UNREACHED;
        if is_distance && distance.is_reached() == (before != NONE) {
            Ok(())
        } else {
            wrong(format!(
                "vertex {vertex} has distance {} and predecessor {before}",
                distance.to_f64()
            ))
        }
    }
}

/// A result under examination.
struct Paths<'a, D> {
    graph: &'a DistGraph,
    /// Of owned vertices, then mirrors.
    distances: Vec<D>,
    predecessors: Vec<u64>,
    /// What the edges of this rank say of each vertex's predecessor.
    witness: Vec<Witness>,
}

#[derive(Clone, Copy, PartialEq)]
enum Witness {
    /// No edge from it leads to that distance.
    None,
    /// One does, from a shorter distance.
    Rising,
    /// One does, from the same distance: it has no length.
    Flat,
}

impl<'a, D: Distance> Paths<'a, D> {
    /// What owners say, for mirrors too.
    fn of(graph: &'a DistGraph, exchange: &mut Exchange, owned: &[D], before: &[u64]) -> Self {
        let vertices = graph.local.vertices() as usize;
        let (mut distances, mut predecessors) = (owned.to_vec(), before.to_vec());
        distances.resize(vertices, D::UNREACHED);
        predecessors.resize(vertices, NONE);
        let all: Vec<u32> = (0..graph.owned()).collect();
        exchange.broadcast(
            &all,
            |vertex| owned[vertex as usize],
            |mirror, distance| distances[mirror as usize] = distance,
        );
        exchange.broadcast(
            &all,
            |vertex| before[vertex as usize],
            |mirror, before| predecessors[mirror as usize] = before,
        );
        Self { graph, distances, predecessors, witness: vec![Witness::None; vertices] }
    }

    /// Rule 5, and what the edges of this rank say for rule 3.
    fn look_at_edges<W: EdgeWeights<Weight = D::Weight>>(&mut self, weights: W) -> Result<()> {
        let csr = self.graph.local.csr();
        for vertex in 0..self.graph.owned() {
            let distance = self.distances[vertex as usize];
            if !distance.is_reached() {
                continue;
            }
            let (edges, id) = (csr.range(vertex), self.graph.global(vertex));
            for (&target, weight) in csr.indices()[edges.clone()].iter().zip(weights.of(edges)) {
                let (sum, found) = (distance.plus(weight), self.distances[target as usize]);
                // Not even where the sum is infinite: the edge makes the target reachable.
                if !found.is_reached() || found > sum {
                    return wrong(format!(
                        "an edge from vertex {id} at distance {} is a shortcut to {} at {}",
                        distance.to_f64(),
                        self.graph.global(target),
                        found.to_f64()
                    ));
                }
                if sum == found && self.predecessors[target as usize] == id {
                    self.witness[target as usize] =
                        if distance < found { Witness::Rising } else { Witness::Flat };
                }
            }
        }
        Ok(())
    }

    /// Rule 3; gives which owned vertices have a predecessor of the same distance.
    fn witnessed(&mut self, exchange: &mut Exchange, source: u64) -> Result<Vec<bool>> {
        let mirrors = self.graph.owned()..self.graph.local.vertices();
        let seen: Vec<u32> =
            mirrors.filter(|&mirror| self.witness[mirror as usize] != Witness::None).collect();
        let Self { graph, distances, predecessors, witness } = self;
        let mut of_others = Vec::new();
        exchange.reduce(
            &seen,
            |mirror| u8::from(witness[mirror as usize] == Witness::Flat),
            |vertex, flat| of_others.push((vertex, flat)),
        );
        for (vertex, flat) in of_others {
            witness[vertex as usize] = if flat == 0 { Witness::Rising } else { Witness::Flat };
        }
        for vertex in 0..graph.owned() {
            let (id, index) = (graph.global(vertex), vertex as usize);
            if distances[index].is_reached() && id != source && witness[index] == Witness::None {
                return wrong(format!(
                    "{} is no predecessor of vertex {id} at distance {}",
                    predecessors[index],
                    distances[index].to_f64()
                ));
            }
        }
        let flat = |vertex: u32| {
            graph.global(vertex) != source && witness[vertex as usize] == Witness::Flat
        };
        Ok((0..graph.owned()).map(flat).collect())
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
