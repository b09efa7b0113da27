//! Whether a search's result is right.

use super::{BfsOptions, BfsResult};
use crate::{Comm, DistGraph, Error, Exchange, Reduction, Result, agree};

const UNREACHED: u32 = u32::MAX;

impl BfsResult {
    /// Checks the result against the graph and the options; all ranks call it:
    ///
    /// 1. There is a level and a parent for each vertex; the source has level 0 and is its own parent, and no other vertex
    ///    has level 0.
    /// 2. A vertex has a level if and only if it has a parent.
    /// 3. Every reached vertex but the source has a parent one level up, over an edge of the graph. So no level is too
    ///    small, and no vertex is reached that is not reachable.
    /// 4. Every edge that leaves a reached vertex ends at most one level further down. So no level is too large. Where the
    ///    search was to stop at `max_depth`, edges from that level may end at vertices not reached, and no vertex has a
    ///    larger level.
    /// 5. The counts of reached vertices, their edges and the depth are those of the levels.
    ///
    /// Fails on all ranks if any of them finds an error.
    pub fn verify(&self, comm: &dyn Comm, graph: &DistGraph, options: &BfsOptions) -> Result<()> {
        let entering = graph.reversed(comm)?;
        agree(comm, self.check_lengths(graph))?;
        let levels = levels_with_mirrors(comm, graph, &self.levels);
        let entering_levels = if graph.is_undirected() {
            None
        } else {
            Some(levels_with_mirrors(comm, entering, &self.levels))
        };
        let check = Check {
            result: self,
            graph,
            entering,
            levels: &levels,
            entering_levels: entering_levels.as_deref().unwrap_or(&levels),
            limit: options.max_depth.unwrap_or(UNREACHED),
        };
        let fault = (0..graph.owned()).find_map(|vertex| check.fault_at(vertex));
        agree(comm, fault.map_or(Ok(()), wrong))?;
        self.check_counts(comm, graph)
    }

    fn check_lengths(&self, graph: &DistGraph) -> Result<()> {
        let (lengths, owned) = ([self.levels.len(), self.parents.len()], graph.owned());
        if lengths == [owned as usize; 2] {
            Ok(())
        } else {
            wrong(format!("{lengths:?} levels and parents for {owned} vertices"))
        }
    }

    /// Rule 5, with the same outcome on all ranks.
    fn check_counts(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        let reached = (0..).zip(&self.levels).filter(|&(_, &level)| level != UNREACHED);
        let (mut sums, mut depth) = ([0, 0], [0]);
        for (vertex, &level) in reached {
            sums[0] += 1;
            sums[1] += graph.local.degree(vertex) as u64;
            depth[0] = depth[0].max(level.into());
        }
        comm.all_reduce(&mut sums, Reduction::Sum);
        comm.all_reduce(&mut depth, Reduction::Max);
        let ([reached, edges], [depth]) = (sums, depth);
        let same = (self.reached, self.edges, u64::from(self.depth)) == (reached, edges, depth);
        let outcome = if same {
            Ok(())
        } else {
            wrong(format!(
                "{} vertices, {} edges and depth {} are reported; the levels say {reached}, {edges} and {depth}",
                self.reached, self.edges, self.depth
            ))
        };
        agree(comm, outcome)
    }
}

/// The levels of all local vertices, those of mirrors from their owners.
fn levels_with_mirrors(comm: &dyn Comm, graph: &DistGraph, owned: &[u32]) -> Vec<u32> {
    let mut levels = owned.to_vec();
    levels.resize(graph.local.vertices() as usize, UNREACHED);
    let all: Vec<u32> = (0..graph.owned()).collect();
    let receive = |mirror: u32, level| levels[mirror as usize] = level;
    Exchange::new(comm, graph).broadcast(&all, |vertex| owned[vertex as usize], receive);
    levels
}

struct Check<'a> {
    result: &'a BfsResult,
    graph: &'a DistGraph,
    entering: &'a DistGraph,
    /// Of all local vertices.
    levels: &'a [u32],
    /// Of all local vertices of `entering`.
    entering_levels: &'a [u32],
    limit: u32,
}

impl Check<'_> {
    /// The violation of rules 1 to 4 by an owned vertex, if any.
    fn fault_at(&self, vertex: u32) -> Option<String> {
        let (level, parent) = (self.levels[vertex as usize], self.result.parents[vertex as usize]);
        let (name, source) = (self.graph.global(vertex), self.result.source);
        if (level == UNREACHED) != (parent == u64::MAX) {
            return Some(format!("vertex {name} has only one of level and parent"));
        }
        if (name == source) != (level == 0) {
            return Some(format!("vertex {name} has level {level}, and the source is {source}"));
        }
        if level == UNREACHED {
            return None;
        }
        if level > self.limit {
            return Some(format!(
                "vertex {name} has level {level}, past the last one, {}",
                self.limit
            ));
        }
        let good_parent =
            if name == source { parent == name } else { self.is_parent(parent, vertex, level) };
        if !good_parent {
            return Some(format!("{parent} is no parent of vertex {name} at level {level}"));
        }
        let missed = self.graph.local.neighbors(vertex).iter().find(|&&target| {
            let found = self.levels[target as usize];
            found > level + 1 && !(level == self.limit && found == UNREACHED)
        });
        missed.map(|&target| {
            let (found, target) = (self.levels[target as usize], self.graph.global(target));
            format!("an edge leads from vertex {name} at level {level} to {target} at {found}")
        })
    }

    fn is_parent(&self, parent: u64, vertex: u32, level: u32) -> bool {
        self.entering.local(parent).is_some_and(|parent| {
            self.entering_levels[parent as usize] == level - 1
                && self.entering.local.neighbors(vertex).binary_search(&parent).is_ok()
        })
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
