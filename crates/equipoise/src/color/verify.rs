//! Whether a coloring is one.

use equipoise_graph::{Graph, parallel::*};

use super::{ColorStrategy, Coloring, options::MOST_HASHES};
use crate::{NONE, Result, certificate::SimpleRows, error::wrong};

impl Coloring {
    /// Checks the coloring against the graph it was made for.
    ///
    /// 1. Each vertex has a color, one of `0..count`, and an iteration.
    /// 2. Each of these colors is used.
    /// 3. No edge, self-loops aside, joins two vertices of one color.
    /// 4. With first fit (`speculative`, `largest-degree-first`, `greedy`), colors exceed the
    ///    most neighbours of a vertex by at most one; edges of either direction count, several
    ///    between two vertices as one. With the others, colors do not exceed the iterations that
    ///    colored a vertex, twice these for `min-max`, or 32 times all iterations for
    ///    `multi-hash`.
    ///
    /// Takes time linear in the edges.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        self.check_range(graph)?;
        self.check_edges(graph)?;
        self.check_count(graph)
    }

    /// Rule 4.
    pub(super) fn check_count(&self, graph: &Graph) -> Result<()> {
        let found = self.trace.steps.iter().filter(|step| step.found > 0).count() as u64;
        let (limit, what) = match self.strategy {
            ColorStrategy::JonesPlassmann | ColorStrategy::WorkStealing | ColorStrategy::Hybrid => {
                (found, "those of all iterations")
            }
            ColorStrategy::MinMax => (2 * found, "those of all iterations"),
            ColorStrategy::MultiHash => {
                let most = 2 * u64::from(MOST_HASHES);
                (most * self.trace.steps.len() as u64, "those of all iterations")
            }
            _ => {
                let largest = if graph.is_undirected() && graph.is_simple() {
                    graph.max_degree() as u64
                } else {
                    let rows = SimpleRows::new(graph)?;
                    let vertices = (0..graph.vertices()).into_par_iter();
                    vertices.map(|vertex| rows.degree(vertex)).max().unwrap_or(0).into()
                };
                (largest + 1, "one more than the largest degree")
            }
        };
        match u64::from(self.count) > limit {
            true => wrong(format!("{} colors are more than {limit}, {what}", self.count)),
            false => Ok(()),
        }
    }

    /// Rules 1 and 2.
    pub(super) fn check_range(&self, graph: &Graph) -> Result<()> {
        let (vertices, colors) = (graph.vertices(), self.colors.len());
        if colors as u64 != u64::from(vertices) {
            return wrong(format!("{colors} vertices have a color entry, of {vertices}"));
        }
        let iterations = self.iterations.len();
        if iterations != colors {
            return wrong(format!("{iterations} iterations for the colors of {vertices} vertices"));
        }
        if self.count > vertices {
            return wrong(format!("{} colors for {vertices} vertices", self.count));
        }
        let mut used = vec![false; self.count as usize];
        for (vertex, &color) in (0..).zip(&self.colors) {
            let id = graph.ids().id(vertex);
            match used.get_mut(color as usize) {
                Some(used) => *used = true,
                None if color == NONE => return wrong(format!("vertex {id} has no color")),
                None => {
                    return wrong(format!("vertex {id} has color {color}, of {}", self.count));
                }
            }
        }
        match used.iter().position(|&used| !used) {
            Some(color) => wrong(format!("no vertex has color {color}, of {}", self.count)),
            None => Ok(()),
        }
    }

    /// Rule 3.
    fn check_edges(&self, graph: &Graph) -> Result<()> {
        let color = |vertex: u32| self.colors[vertex as usize];
        let clash = (0..graph.vertices()).into_par_iter().find_map_first(|vertex| {
            let same = |&&other: &&u32| other != vertex && color(other) == color(vertex);
            graph.neighbors(vertex).iter().find(same).map(|&other| (vertex, other))
        });
        match clash {
            None => Ok(()),
            Some((vertex, other)) => wrong(format!(
                "vertices {} and {} share an edge and color {}",
                graph.ids().id(vertex),
                graph.ids().id(other),
                color(vertex)
            )),
        }
    }
}
