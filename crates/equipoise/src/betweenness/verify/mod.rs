//! Whether betweenness is that of a graph.

mod pairs;
mod sums;

use equipoise_graph::{Graph, Weights, memory};

use self::sums::Expected;
use super::{
    Betweenness, BetweennessOptions, EdgeBetweenness, Plan, Sums,
    simple::without_parallel_edges,
    weighted::{Lengths, Real, Whole},
};
use crate::{Result, error::wrong};

/// The share by which sums may differ that were made in another order: of numbers of 64 bits, and of 32.
const DOUBLE: f64 = 1e-8;
const SINGLE: f64 = 1e-3;
/// All pairs are looked at where there are not more vertices, nor sources.
const FEW: usize = 64;

impl Betweenness {
    /// Checks the betweenness against the graph and the options it was asked with.
    ///
    /// 1. There is a number that is zero or more for each vertex and, where they were asked for, for each edge; the
    ///    edges are those of the graph, in order. As many sources are told as were asked for.
    /// 2. The numbers, each times a random one from 1 to 2, add up to what they should. That is known without any
    ///    dependency: on the way there alone, each vertex learns the mean, over its shortest paths, of the sum of the
    ///    random numbers of what lies on them. A number that is wrong by more than rounding explains changes the sum.
    /// 3. Up to 64 vertices, where weights are whole: each number is the sum over all pairs of the share of their paths
    ///    that lead through, by the distances and the counts of paths of both parts.
    ///
    /// Rounding explains a share of 10⁻⁸ of a sum, and 10⁻³ where it was made of numbers of 32 bits. Takes about as long
    /// as to find it, and up to 96 bytes a vertex for each thread.
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
        match graph.weights().filter(|_| options.weighted) {
            None => self.check_values(graph, &plan, options, Ones),
            Some(Weights::U32(weights)) => self.check_values(graph, &plan, options, Whole(weights)),
            Some(Weights::F32(weights)) => {
                let expected = sums::expected(graph, &plan, options, Real(&weights[..]))?;
                self.check_sums(&plan, &expected)
            }
            Some(Weights::F64(weights)) => {
                let expected = sums::expected(graph, &plan, options, Real(&weights[..]))?;
                self.check_sums(&plan, &expected)
            }
        }
    }

    fn check_values<L: Lengths>(
        &self,
        graph: &Graph,
        plan: &Plan,
        options: &BetweennessOptions,
        lengths: L,
    ) -> Result<()> {
        self.check_sums(plan, &sums::expected(graph, plan, options, lengths)?)?;
        if self.vertices.len().max(plan.sources.len()) > FEW {
            return Ok(());
        }
        let expected = pairs::betweenness(graph, plan, options, lengths)?;
        let ids = graph.ids();
        self.check_each(&self.vertices, &expected.vertices, plan.vertex_scale, |vertex| {
            format!("vertex {}", ids.id(vertex as u32))
        })?;
        let (Some(found), Some(sums)) = (&self.edges, expected.edges) else { return Ok(()) };
        let expected = EdgeBetweenness::of(graph, &sums, 1.0);
        self.check_each(&found.values, &expected.values, plan.edge_scale, |edge| {
            let [source, target] = [found.sources[edge], found.targets[edge]];
            format!("the edge from {} to {}", ids.id(source), ids.id(target))
        })
    }

    fn check_shape(&self, graph: &Graph, plan: &Plan, options: &BetweennessOptions) -> Result<()> {
        let vertices = graph.vertices();
        if self.vertices.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} numbers for {vertices} vertices", self.vertices.len()));
        }
        if (self.sources, self.exact) != (plan.sources.len() as u64, plan.exact) {
            return wrong(format!("{} sources are told, of {}", self.sources, plan.sources.len()));
        }
        let odd = |&&value: &&f64| !(0.0..f64::INFINITY).contains(&value);
        let of_edges = self.edges.iter().flat_map(|edges| &edges.values);
        if let Some(value) = self.vertices.iter().chain(of_edges).find(odd) {
            return wrong(format!("a betweenness of {value}"));
        }
        let expected = options
            .edges
            .then(|| EdgeBetweenness::of(graph, &vec![0.0; graph.edges() as usize], 1.0));
        let are_same = match (&self.edges, &expected) {
            (None, None) => true,
            (Some(found), Some(expected)) => {
                (&found.sources, &found.targets) == (&expected.sources, &expected.targets)
                    && found.values.len() == expected.values.len()
            }
            _ => false,
        };
        match are_same {
            true => Ok(()),
            false => wrong("the edges are not those of the graph".into()),
        }
    }

    /// Rule 2.
    fn check_sums(&self, plan: &Plan, expected: &Expected) -> Result<()> {
        let vertices = (0..).zip(&self.vertices);
        let found = vertices.map(|(vertex, value)| value * sums::random_of_vertex(vertex)).sum();
        self.check_sum("vertices", found, expected.vertices * plan.vertex_scale)?;
        let Some(edges) = &self.edges else { return Ok(()) };
        let random = edges.sources.iter().zip(&edges.targets);
        let random = random.map(|(&source, &target)| sums::random_of_edge(source, target));
        let found = edges.values.iter().zip(random).map(|(value, random)| value * random).sum();
        self.check_sum("edges", found, expected.edges * plan.edge_scale)
    }

    fn check_sum(&self, what: &str, found: f64, expected: f64) -> Result<()> {
        match self.is_near(found, expected) {
            true => Ok(()),
            false => wrong(format!(
                "the {what}, times random numbers, add up to {found}, not to {expected}"
            )),
        }
    }

    /// Rule 3, for values that are scaled and sums that are not.
    fn check_each(
        &self,
        found: &[f64],
        sums: &[f64],
        scale: f64,
        name: impl Fn(usize) -> String,
    ) -> Result<()> {
        let far = |&place: &usize| !self.is_near(found[place], sums[place] * scale);
        match (0..found.len()).find(far) {
            None => Ok(()),
            Some(place) => wrong(format!(
                "{} has the betweenness {}, not {}",
                name(place),
                found[place],
                sums[place] * scale
            )),
        }
    }

    fn is_near(&self, found: f64, expected: f64) -> bool {
        let share = if self.single_precision { SINGLE } else { DOUBLE };
        (found - expected).abs() <= share * expected
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
