//! Whether betweenness is that of a graph.

mod by_levels;
mod dependencies;
mod on_gpu;

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{
    Betweenness, BetweennessOptions, EdgeBetweenness, Plan, Sums,
    simple::without_parallel_edges,
    weighted::{DecimalLengths, Lengths, WholeLengths},
};
use crate::{Result, error::wrong};

/// The relative error that rounding explains: in sums of 64-bit numbers, and of 32-bit numbers.
const DOUBLE: f64 = 1e-8;
const SINGLE: f64 = 1e-3;

impl Betweenness {
    /// Checks the betweenness against the graph and the options it was computed with.
    ///
    /// 1. Each vertex, and each edge if requested, has a value that is zero or more; the edges are those of the graph, in
    ///    order. The number of sources is that of the options.
    /// 2. Each value is what searches from the same sources give in `f64`: one thread per source, or with fewer sources than
    ///    threads all threads for one at a time. Up to a relative error of 10⁻⁸, or 10⁻³ for sums of 32-bit numbers.
    ///
    /// Takes about the time of the computation on the cpu, and per thread 112 bytes per vertex.
    ///
    /// ```
    /// use equipoise::betweenness::{BetweennessOptions, betweenness};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let options = BetweennessOptions::default();
    /// let mut found = betweenness(&graph, &options)?;
    /// found.verify(&graph, &options)?;
    /// found.vertices[1] = 0.6;
    /// assert!(found.verify(&graph, &options).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn verify(&self, graph: &Graph, options: &BetweennessOptions) -> Result<()> {
        let plan = Plan::new(graph, options)?;
        let simple = without_parallel_edges(graph)?;
        let graph = simple.as_ref().unwrap_or(graph);
        memory::check("verifying betweenness", Sums::bytes(graph, options))?;
        self.check_shape(graph, &plan, options)?;
        let sums = match graph.weights().filter(|_| options.weighted) {
            None => Self::sums_by_hops(graph, &plan, options)?,
            Some(Weights::U32(weights)) => {
                dependencies::sums(graph, &plan, options, WholeLengths(weights))?
            }
            Some(Weights::F32(weights)) => {
                dependencies::sums(graph, &plan, options, DecimalLengths(&weights[..]))?
            }
            Some(Weights::F64(weights)) => {
                dependencies::sums(graph, &plan, options, DecimalLengths(&weights[..]))?
            }
        };
        self.check_values(graph, &plan, &sums)
    }

    /// With few sources, all threads share one at a time.
    fn sums_by_hops(graph: &Graph, plan: &Plan, options: &BetweennessOptions) -> Result<Sums> {
        let has_idle_threads = plan.sources.len() < rayon::current_num_threads();
        if has_idle_threads
            && graph.is_undirected()
            && !options.edges
            && let Some(sums) = by_levels::sums(graph, plan, options)?
        {
            return Ok(sums);
        }
        dependencies::sums(graph, plan, options, Ones)
    }

    /// Rule 2.
    fn check_values(&self, graph: &Graph, plan: &Plan, sums: &Sums) -> Result<()> {
        let ids = graph.ids();
        self.check_each(&self.vertices, &sums.vertices, plan.vertex_scale, |vertex| {
            format!("vertex {}", ids.id(vertex as u32))
        })?;
        let (Some(edges), Some(sums)) = (&self.edges, &sums.edges) else { return Ok(()) };
        let expected = EdgeBetweenness::new(graph, sums, 1.0);
        self.check_each(&edges.values, &expected.values, plan.edge_scale, |edge| {
            let [source, target] = [edges.sources[edge], edges.targets[edge]];
            format!("the edge from {} to {}", ids.id(source), ids.id(target))
        })
    }

    fn check_shape(&self, graph: &Graph, plan: &Plan, options: &BetweennessOptions) -> Result<()> {
        let vertices = graph.vertices();
        if self.vertices.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} numbers for {vertices} vertices", self.vertices.len()));
        }
        if (self.sources, self.exact) != (plan.sources.len() as u64, plan.exact) {
            let (stated, expected) = (self.sources, plan.sources.len());
            return wrong(format!("the number of sources is {stated}, not {expected}"));
        }
        let is_invalid = |&&value: &&f64| !(0.0..f64::INFINITY).contains(&value);
        let of_edges = self.edges.iter().flat_map(|edges| &edges.values);
        if let Some(value) = self.vertices.iter().chain(of_edges).find(is_invalid) {
            return wrong(format!("a betweenness of {value}"));
        }
        let expected = options
            .edges
            .then(|| EdgeBetweenness::new(graph, &vec![0.0; graph.edges() as usize], 1.0));
        let are_same = match (&self.edges, &expected) {
            (None, None) => true,
            (Some(found), Some(expected)) => {
                (&found.sources, &found.targets) == (&expected.sources, &expected.targets)
                    && found.values.len() == expected.values.len()
            }
            _ => false,
        };
        if are_same { Ok(()) } else { wrong("the edges are not those of the graph".into()) }
    }

    /// Compares values with sums before scaling.
    fn check_each(
        &self,
        values: &[f64],
        sums: &[f64],
        scale: f64,
        name: impl Fn(usize) -> String,
    ) -> Result<()> {
        let share = if self.single_precision { SINGLE } else { DOUBLE };
        let is_far = |&index: &usize| {
            let expected = sums[index] * scale;
            (values[index] - expected).abs() > share * expected
        };
        match (0..values.len()).into_par_iter().find_first(is_far) {
            None => Ok(()),
            Some(index) => wrong(format!(
                "{} has the betweenness {}, not {}",
                name(index),
                values[index],
                sums[index] * scale
            )),
        }
    }
}

/// The lengths of an unweighted graph's edges.
#[derive(Clone, Copy)]
struct Ones;

impl Lengths for Ones {
    const ARE_ONES: bool = true;

    fn plus(self, length: u64, _edge: usize) -> u64 {
        length + 1
    }

    fn weight(self, _edge: usize) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder, io::ReadOptions, load};

    use super::*;

    #[test]
    fn searches_by_levels_add_up_what_searches_one_after_the_other_do() {
        for graph in
            ["grid:width=30,height=7", "rmat:scale=9", "star:n=40", "cliques:count=3,size=5"]
        {
            let graph = load(graph, &ReadOptions::default()).unwrap();
            for endpoints in [false, true] {
                let sources = Some(vec![0, 7, 3]);
                let options = BetweennessOptions { sources, endpoints, ..Default::default() };
                let plan = Plan::new(&graph, &options).unwrap();
                let found = by_levels::sums(&graph, &plan, &options).unwrap().unwrap();
                let expected = dependencies::sums(&graph, &plan, &options, Ones).unwrap();
                for (a, b) in found.vertices.iter().zip(&expected.vertices) {
                    assert!((a - b).abs() <= 1e-12 * b, "{a}, not {b}");
                }
                assert!(expected.vertices.iter().any(|&sum| sum > 0.0));
            }
        }
    }

    /// Each of 1100 diamonds in a row doubles the paths.
    #[test]
    fn more_paths_than_an_f64_counts_are_left_to_searches_one_after_the_other() {
        let diamond = |at: u32| [(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)];
        let edges: Vec<(u32, u32)> = (0..1100).flat_map(|index| diamond(3 * index)).collect();
        let graph = GraphBuilder::new().undirected(true).build(Edges::from(edges)).unwrap();
        let options = BetweennessOptions { sources: Some(vec![0]), ..Default::default() };
        let plan = Plan::new(&graph, &options).unwrap();
        assert!(by_levels::sums(&graph, &plan, &options).unwrap().is_none());
    }
}
