//! Whether a forest is the minimum spanning forest of a graph.

use equipoise_graph::{Graph, Weights, memory};
use rayon::prelude::*;

use super::{SpanningForest, TotalWeight};
use crate::{Result, error::wrong};

impl SpanningForest {
    /// Checks the forest against the graph it was found in.
    ///
    /// 1. Its edges have their smaller end first and ascend, so that none is there twice; each has one weight.
    /// 2. Each is an edge of the graph with that weight.
    /// 3. No edge closes a circle: it is a forest.
    /// 4. Its edges are those that Kruskal's algorithm takes, edge after edge in the order of weights, of the same
    ///    weight in that of their ends: no forest is lighter, and it spans the graph.
    /// 5. It has as many trees as it says, and the total is the sum of its weights.
    ///
    /// Takes the time of sorting all edges, 16 bytes an edge and 4 a vertex.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        super::check(graph)?;
        if self.weights.len() != self.edges.len() {
            return wrong(format!("{} weights for {} edges", self.weights.len(), self.edges.len()));
        }
        self.check_edges(graph)?;
        self.check_forest(graph)?;
        self.check_lightest(graph)?;
        let trees = u64::from(graph.vertices()) - self.edges.len() as u64;
        if u64::from(self.trees) != trees {
            return wrong(format!("{} trees are said to be there, of {trees}", self.trees));
        }
        let total = match &self.weights {
            Weights::U32(weights) => TotalWeight::U64(weights.iter().map(|&w| u64::from(w)).sum()),
            Weights::F32(weights) => TotalWeight::F64(weights.iter().map(|&w| f64::from(w)).sum()),
            Weights::F64(weights) => TotalWeight::F64(weights.iter().sum()),
        };
        // Infinite weights of either sign add up to what is not a number, which is not equal to itself.
        let is_same = total == self.total || (total.get().is_nan() && self.total.get().is_nan());
        match is_same {
            true => Ok(()),
            false => wrong(format!("the weights add up to {total}, not to {}", self.total)),
        }
    }

    fn check_edges(&self, graph: &Graph) -> Result<()> {
        if !self.edges.is_sorted_by(|a, b| a < b) {
            return wrong("the edges do not ascend".into());
        }
        let is_odd = |index: &usize| {
            let (source, target) = self.edges[*index];
            let is_there = source < target && target < graph.vertices();
            !is_there || !has_edge(graph, source, target, self.weights.get(*index))
        };
        match (0..self.edges.len()).into_par_iter().find_first(is_odd) {
            None => Ok(()),
            Some(index) => {
                let (source, target) = self.edges[index];
                let weight = self.weights.get(index);
                wrong(format!(
                    "no edge joins the vertices {source} and {target} with weight {weight}"
                ))
            }
        }
    }

    fn check_forest(&self, graph: &Graph) -> Result<()> {
        let mut sets = Sets::new(graph.vertices())?;
        match self.edges.iter().find(|&&(source, target)| !sets.join(source, target)) {
            None => Ok(()),
            Some(&(source, target)) => wrong(format!(
                "the edge between the vertices {} and {} closes a circle",
                graph.ids().id(source),
                graph.ids().id(target)
            )),
        }
    }

    fn check_lightest(&self, graph: &Graph) -> Result<()> {
        let expected = kruskal(graph)?;
        if expected.len() != self.edges.len() {
            return wrong(format!("{} edges, of {}", self.edges.len(), expected.len()));
        }
        for (index, (&(source, target, weight), &found)) in
            expected.iter().zip(&self.edges).enumerate()
        {
            let [a, b] = [source, target].map(|vertex| graph.ids().id(vertex));
            if (source, target) != found {
                let missing = format!(
                    "the edge between the vertices {a} and {b} is missing, which is lighter"
                );
                return wrong(missing);
            }
            if weight != self.weights.get(index) {
                return wrong(format!(
                    "the lightest between the vertices {a} and {b} weighs {weight}"
                ));
            }
        }
        Ok(())
    }
}

fn has_edge(graph: &Graph, source: u32, target: u32, weight: f64) -> bool {
    let range = graph.csr().range(source);
    let row = graph.neighbors(source);
    let first = row.partition_point(|&other| other < target);
    let copies = row[first..].iter().take_while(|&&other| other == target).count();
    (first..first + copies).any(|index| weight_of(graph, range.start + index) == weight)
}

fn weight_of(graph: &Graph, place: usize) -> f64 {
    graph.weights().map_or(1.0, |weights| weights.get(place))
}

/// The edges of the forest in ascending order, with their weights: by taking the lightest edge that closes no circle, again and again.
fn kruskal(graph: &Graph) -> Result<Vec<(u32, u32, f64)>> {
    let edges = graph.csr().entries().div_ceil(2);
    memory::check("verifying a spanning forest", memory::bytes_of::<(f64, u32, u32)>(edges))?;
    let rows = (0..graph.vertices()).into_par_iter().flat_map_iter(|source| {
        let range = graph.csr().range(source);
        let edges = range.zip(graph.neighbors(source)).filter(move |(_, target)| **target > source);
        edges.map(move |(place, &target)| (weight_of(graph, place), source, target))
    });
    let mut edges: Vec<(f64, u32, u32)> = rows.collect();
    edges.par_sort_unstable_by(|a, b| {
        // Zero is zero, whatever its sign, and no weight is not a number.
        let by_weight = a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal);
        by_weight.then((a.1, a.2).cmp(&(b.1, b.2)))
    });
    let mut sets = Sets::new(graph.vertices())?;
    let taken = edges.into_iter().filter(|&(_, source, target)| sets.join(source, target));
    let mut taken: Vec<_> =
        taken.map(|(weight, source, target)| (source, target, weight)).collect();
    taken.par_sort_unstable_by_key(|&(source, target, _)| (source, target));
    Ok(taken)
}

/// Sets of vertices that are joined two by two.
struct Sets(Vec<u32>);

impl Sets {
    fn new(vertices: u32) -> Result<Self> {
        memory::check("verifying a spanning forest", memory::bytes_of::<u32>(vertices.into()))?;
        Ok(Self((0..vertices).collect()))
    }

    /// Joins the sets of two vertices. Whether they were two.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a as usize] = b;
        a != b
    }

    /// The root of a vertex; those on the way skip one.
    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            let parent = self.0[vertex as usize];
            self.0[vertex as usize] = self.0[parent as usize];
            vertex = self.0[vertex as usize];
        }
        vertex
    }
}
