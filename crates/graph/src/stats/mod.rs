//! Statistics of graphs.

mod components;
mod degrees;
mod diameter;
mod weights;

use crate::{
    Graph, Result,
    memory::{self, bytes_of},
    parallel::*,
};

pub use components::Components;
pub use degrees::{Bin, DegreeDistributions, Degrees};
pub use weights::WeightStatistics;

/// The statistics of a graph: size, degrees, components and weights.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::Statistics};
///
/// let graph = load("components:n=4", &ReadOptions::default())?;
/// let statistics = Statistics::new(&graph)?;
/// assert_eq!((statistics.vertices, statistics.undirected_edges), (8, Some(6)));
/// assert_eq!(statistics.components.largest, [4, 4]);
/// assert_eq!(statistics.diameter_at_least, 3);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Statistics {
    /// The number of vertices.
    pub vertices: u32,
    /// The number of directed edges.
    pub edges: u64,
    /// The number of undirected edges, each counted once; `None` for a directed graph.
    pub undirected_edges: Option<u64>,
    /// The distribution of out-degrees.
    pub out_degrees: Degrees,
    /// The distribution of in-degrees.
    pub in_degrees: Degrees,
    /// The weakly connected components.
    pub components: Components,
    /// The number of self-loops.
    pub self_loops: u64,
    /// The number of parallel directed edges beyond the first of each pair of vertices.
    pub duplicates: u64,
    /// The number of vertices without edges.
    pub isolated: u32,
    /// A lower bound on the diameter of the largest component, with edge directions ignored.
    ///
    /// Computed by a double sweep: a breadth-first search from the vertex with the most edges, and
    /// another from the lowest of the vertices reached last. The depth of the second is a distance
    /// and so at most the diameter; on trees, it equals the diameter.
    pub diameter_at_least: u32,
    /// The statistics of the weights; `None` without weights or edges.
    pub weights: Option<WeightStatistics>,
}

impl Statistics {
    /// Computes the statistics of a graph, in time linear in its size plus a sort of the degrees.
    /// They do not depend on the number of threads. The transpose of a directed graph is computed
    /// for the diameter, and cached as by [`Graph::transpose`].
    ///
    /// Fails if [`Graph::check`] does or memory is insufficient.
    pub fn new(graph: &Graph) -> Result<Self> {
        graph.check()?;
        check_memory(graph)?;
        graph.while_unchanged(|| Self::new_unchecked(graph))
    }

    fn new_unchecked(graph: &Graph) -> Result<Self> {
        let out_degrees = degrees::leaving(graph);
        let in_degrees = degrees::entering(graph, &out_degrees);
        let edges_at = |vertex: u32| out_degrees[vertex as usize] + in_degrees[vertex as usize];
        let isolated = (0..graph.vertices()).into_par_iter().filter(|&v| edges_at(v) == 0).count();
        let (self_loops, duplicates) = count_loops_and_duplicates(graph);
        let labels = components::labels(graph);
        let components = Components::from_labels(&labels);
        let diameter_at_least = match components.largest_label {
            Some(label) => {
                let busiest = (0..graph.vertices())
                    .into_par_iter()
                    .filter(|&vertex| labels[vertex as usize] == label)
                    .max_by_key(|&vertex| (edges_at(vertex), std::cmp::Reverse(vertex)));
                busiest.map_or(Ok(0), |start| diameter::double_sweep(graph, start))?
            }
            None => 0,
        };
        let undirected = graph.is_undirected();
        Ok(Self {
            vertices: graph.vertices(),
            edges: graph.edges(),
            undirected_edges: undirected.then(|| (graph.edges() + self_loops) / 2),
            in_degrees: Degrees::new(in_degrees),
            out_degrees: Degrees::new(out_degrees),
            components: components.sizes,
            self_loops,
            duplicates,
            isolated: isolated as u32,
            diameter_at_least,
            weights: graph.weights().and_then(WeightStatistics::new),
        })
    }
}

/// Checks the memory for the per-vertex tables; the transpose checks its own.
fn check_memory(graph: &Graph) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let degrees = bytes_of::<[u64; 2]>(vertices);
    // A component's label and a visited flag per vertex; the vertices of a level, and twice as much
    // while the next one is collected.
    let search = bytes_of::<(u32, [u32; 4])>(vertices).saturating_add(vertices);
    let what = format_args!("the statistics of {vertices} vertices");
    memory::check(what, degrees.saturating_add(search))
}

fn count_loops_and_duplicates(graph: &Graph) -> (u64, u64) {
    let in_row = |vertex: u32| {
        let row = graph.neighbors(vertex);
        let loops = row.partition_point(|&other| other <= vertex)
            - row.partition_point(|&other| other < vertex);
        let duplicates = row.windows(2).filter(|pair| pair[0] == pair[1]).count();
        (loops as u64, duplicates as u64)
    };
    (0..graph.vertices())
        .into_par_iter()
        .map(in_row)
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}
