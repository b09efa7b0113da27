//! Whether a search's result is right, judged by the graph alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::{Bfs, BfsOptions};
use crate::{Error, NONE, Result, rows::Rows};

impl Bfs {
    /// Checks the result against the graph and the options it was asked with, in parallel:
    ///
    /// 1. There is a level and a parent for each vertex; the source has level 0 and is its own
    ///    parent, and no other vertex has level 0.
    /// 2. A vertex has a level exactly where it has a parent.
    /// 3. Every reached vertex but the source has a parent one level up, over an edge of the
    ///    graph. So no level is too small, and no vertex is reached that is not reachable.
    /// 4. Every edge that leaves a reached vertex ends at most one level further down. So no vertex'
    ///    level is too large. Where the search was to stop, at `max_depth` or the target's level,
    ///    edges from that level may end at vertices not reached, and no vertex has a larger level.
    /// 5. The counts of reached vertices, their edges and the depth are those of the levels, and the
    ///    result says that it is complete exactly where no edge leads to a vertex that is not reached.
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
        let rows = Rows::of(graph);
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

    /// What is wrong with `vertex` by rules 1 to 4. Notes if an edge leads from it to where nothing was
    /// reached.
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
        let good_parent = match vertex == self.source {
            true => parent == vertex,
            false => parent_level == level - 1 && rows.row(parent).binary_search(&vertex).is_ok(),
        };
        if !good_parent {
            return Some(format!("{parent} is no parent of vertex {vertex} at level {level}"));
        }
        let missed = rows.row(vertex).iter().find(|&&target| {
            let found = self.levels[target as usize];
            if found == NONE {
                leads_out.store(true, Relaxed);
            }
            found > level + 1 && !(level == limit && found == NONE)
        });
        missed.map(|&target| {
            let found = self.levels[target as usize];
            format!("an edge leads from vertex {vertex} at level {level} to {target} at {found}")
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
        match (self.reached, self.edges, self.depth) == (reached, edges, depth) {
            true => Ok(()),
            false => wrong(format!(
                "{} vertices, {} edges and depth {} are reported; the levels say {reached}, \
                 {edges} and {depth}",
                self.reached, self.edges, self.depth
            )),
        }
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
