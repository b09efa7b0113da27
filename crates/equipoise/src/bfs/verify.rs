//! The verifier of breadth-first search, which depends on the graph only.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{Graph, parallel::*};

use super::{Bfs, BfsOptions};
use crate::{NONE, Result, error::wrong, rows::Rows};

impl Bfs {
    /// Checks the result against the graph and the options of the search, in parallel:
    ///
    /// 1. Each vertex has a level and a parent; the source has level 0 and is its own parent, and no other vertex has
    ///    level 0.
    /// 2. A vertex has a level other than [`NONE`] if and only if it has a parent other than `NONE`.
    /// 3. Every reached vertex except the source has a parent one level up, over an edge of the graph. So no level is too
    ///    small, and no unreachable vertex is reached.
    /// 4. Every edge that leaves a reached vertex ends at most one level further down. So no level is too large. Where the
    ///    search stops, at `max_depth` or the target's level, edges from that level may end at unreached vertices, and no
    ///    vertex has a larger level.
    /// 5. The counts of reached vertices and of their edges and the depth are those of the levels, and `complete` is true
    ///    if and only if no edge leads to an unreached vertex.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let options = BfsOptions::default();
    /// let mut search = bfs(&graph, 0, &options)?;
    /// assert!(search.verify(&graph, &options).is_ok());
    /// search.levels[2] = 1;
    /// assert!(search.verify(&graph, &options).is_err());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn verify(&self, graph: &Graph, options: &BfsOptions) -> Result<()> {
        graph.check()?;
        let vertices = graph.vertices();
        let lengths = [self.levels.len(), self.parents.len()];
        if lengths != [vertices as usize; 2] {
            return wrong(format!("{lengths:?} levels and parents for {vertices} vertices"));
        }
        if self.source >= vertices {
            return wrong(format!("the source, {}, is no vertex", self.source));
        }
        let at_target = options.target.and_then(|target| self.levels.get(target as usize));
        let limit = at_target.copied().unwrap_or(NONE).min(options.max_depth.unwrap_or(NONE));
        let rows = Rows::new(graph);
        let leads_out = AtomicBool::new(false);
        let bad = (0..vertices)
            .into_par_iter()
            .find_map_first(|vertex| self.fault_at(rows, vertex, limit, &leads_out));
        if let Some(fault) = bad {
            return wrong(fault);
        }
        if self.complete == leads_out.into_inner() {
            let but = if self.complete { "not all" } else { "all" };
            return wrong(format!(
                "complete is {}, but {but} vertices were reached that can be",
                self.complete
            ));
        }
        self.verify_counts(rows)
    }

    /// The fault of `vertex` by rules 1 to 4, if any. Sets `leads_out` if an edge leads from it to an unreached vertex.
    fn fault_at(
        &self,
        rows: Rows,
        vertex: u32,
        limit: u32,
        leads_out: &AtomicBool,
    ) -> Option<String> {
        let (level, parent) = (self.levels[vertex as usize], self.parents[vertex as usize]);
        if (level == NONE) != (parent == NONE) {
            return Some(format!("vertex {vertex} has only one of level and parent"));
        }
        if (vertex == self.source) != (level == 0) {
            return Some(format!(
                "vertex {vertex} has level {level}, and the source is {}",
                self.source
            ));
        }
        if level == NONE {
            return None;
        }
        if level > limit {
            return Some(format!("vertex {vertex} has level {level}, past the last one, {limit}"));
        }
        let parent_level = self.levels.get(parent as usize).copied().unwrap_or(NONE);
        let good_parent = if vertex == self.source {
            parent == vertex
        } else {
            parent_level == level - 1 && rows.row(parent).binary_search(&vertex).is_ok()
        };
        if !good_parent {
            return Some(format!("{parent} is no parent of vertex {vertex} at level {level}"));
        }
        let missed = rows.row(vertex).iter().find(|&&target| {
            let target_level = self.levels[target as usize];
            if target_level == NONE {
                leads_out.store(true, Relaxed);
            }
            target_level > level + 1 && !(level == limit && target_level == NONE)
        });
        missed.map(|&target| {
            let target_level = self.levels[target as usize];
            format!(
                "an edge leads from vertex {vertex} at level {level} to {target} at {target_level}"
            )
        })
    }

    /// Rule 5.
    fn verify_counts(&self, rows: Rows) -> Result<()> {
        let (reached, edges, depth) = self
            .levels
            .par_iter()
            .enumerate()
            .filter(|&(_, &level)| level != NONE)
            .map(|(vertex, &level)| (1, rows.degree(vertex as u32), level))
            .reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2.max(b.2)));
        if (self.reached, self.edges, self.depth) == (reached, edges, depth) {
            return Ok(());
        }
        wrong(format!(
            "{} vertices, {} edges and depth {} are reported; the levels say {reached}, {edges} and {depth}",
            self.reached, self.edges, self.depth
        ))
    }
}
