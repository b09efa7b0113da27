//! The levels of Louvain and Leiden.

use equipoise_graph::{memory, parallel::*};

use super::{
    CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy, initial,
    local_moves::{self, Moved, all_gains},
    objective::quality,
    partition::{Level, Partition, numbered},
    refinement::{connected_parts, refine},
    undirected::UndirectedGraph,
};
use crate::{Result, Step, times::Clock};

/// Gains of modularity that may be nothing but rounding.
const ROUNDING: f64 = 1e-12;
/// Leiden starts from the communities of a Louvain whose sweeps end when one raises the objective by less than this share of the
/// level's rise: what it leaves to gain, the next pass gains as well.
const ROUGHLY: f64 = 3e-2;
/// Leiden starts again from the communities that it found, so that single vertices may move again, as long as the last such pass
/// raised the objective by more than this share of all weight.
const PASS: f64 = 5e-3;
/// The most passes, with that of Louvain.
const PASSES: u32 = 10;

/// Runs Louvain or Leiden on the cpu.
pub(super) fn run(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Partition> {
    let start = match &options.initial {
        Some(initial) => Some(initial::labelled(initial, options.max_community_size)?),
        None => None,
    };
    let mut run = Run::new(graph, options, start.as_deref());
    let move_all = |level: &UndirectedGraph, start: Option<&[u32]>, first: f64| {
        local_moves::move_all(level, options, start, first)
    };
    if options.strategy != CommunitiesStrategy::Leiden {
        run.descend(graph, start, move_all)?;
        return Ok(run.finish());
    }
    run.descend(graph, start, |level, start, first| {
        local_moves::move_until(level, options, start, first, ROUGHLY)
    })?;
    run.refines = true;
    for _ in 1..PASSES {
        let before = run.last;
        run.descend(graph, Some(run.communities.clone()), move_all)?;
        if share(graph, run.last - before, options) <= options.tolerance.max(PASS) {
            break;
        }
    }
    Ok(run.finish())
}

/// A run over levels.
struct Run<'o> {
    options: &'o CommunitiesOptions,
    /// Whether communities are built anew from connected parts.
    refines: bool,
    clock: Clock,
    /// The community of each vertex of the input.
    communities: Vec<u32>,
    /// The value of the objective.
    last: f64,
    levels: Vec<Level>,
    steps: Vec<Step>,
    converged: bool,
}

/// The vertices of the next level.
struct NextLevel {
    /// The vertex of the next level for each vertex of this one.
    parts: Vec<u32>,
    count: u32,
    /// The communities that they start from, if they do not start alone.
    start: Option<Vec<u32>>,
}

impl<'o> Run<'o> {
    fn new(
        graph: &UndirectedGraph,
        options: &'o CommunitiesOptions,
        start: Option<&[u32]>,
    ) -> Self {
        let clock = Clock::start();
        let singletons = || (0..graph.neighbors.rows()).into_par_iter().collect();
        let communities: Vec<u32> = start.map_or_else(singletons, <[u32]>::to_vec);
        let last = quality(graph, &communities, options);
        let (levels, steps) = (Vec::new(), Vec::new());
        Self { options, refines: false, clock, communities, last, levels, steps, converged: true }
    }

    /// Goes from level to level, until no two communities gain by joining. Starts from communities that are labelled with
    /// vertices, or from vertices alone.
    fn descend(
        &mut self,
        graph: &UndirectedGraph,
        mut start: Option<Vec<u32>>,
        mut move_all: impl FnMut(&UndirectedGraph, Option<&[u32]>, f64) -> Result<Moved>,
    ) -> Result<()> {
        let tolerance = self.options.tolerance.max(ROUNDING);
        // The vertex of the level for each vertex of the input.
        let mut members: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
        let mut aggregated: Option<UndirectedGraph> = None;
        self.converged = true;
        loop {
            let level = aggregated.as_ref().unwrap_or(graph);
            let moved = move_all(level, start.as_deref(), self.last)?;
            let rise = share(level, moved.modularity - self.last, self.options);
            let starts_alone = start.is_none();
            // Only where sweeps from single vertices gain next to nothing can all gains be that small.
            if starts_alone && rise <= tolerance && all_gains(level, self.options) <= tolerance {
                self.communities = members;
                return Ok(());
            }
            // Parts of communities are worth moving where vertices were.
            let refines = self.refines && (rise > tolerance || aggregated.is_none());
            let next = self.next_level(level, &moved, refines)?;
            self.record(level, &moved, &members, next.count)?;
            members.par_iter_mut().for_each(|member| *member = next.parts[*member as usize]);
            let has_shrunk = next.count < level.neighbors.rows();
            if starts_alone && (!has_shrunk || moved.modularity <= self.last) {
                self.correct_level(&members);
                (self.communities, self.converged) = (members, false);
                return Ok(());
            }
            let smaller = level.aggregated(&next.parts, next.count)?;
            self.last = moved.modularity;
            start = next.start;
            if self.refines && start.is_none() {
                // Communities that fell apart are better than they were.
                let singletons: Vec<u32> = (0..next.count).into_par_iter().collect();
                self.last = quality(&smaller, &singletons, self.options);
                self.correct_level(&members);
            }
            aggregated = Some(smaller);
        }
    }

    /// What becomes a vertex of the next level: a community or, after a refinement, a part of one.
    fn next_level(
        &self,
        level: &UndirectedGraph,
        moved: &Moved,
        refines: bool,
    ) -> Result<NextLevel> {
        let vertices = level.neighbors.rows();
        let (communities, communities_count) = numbered(&moved.communities);
        if !self.refines || communities_count == vertices {
            return Ok(NextLevel { parts: communities, count: communities_count, start: None });
        }
        let refined =
            if refines { Some(refine(level, &moved.communities, self.options)?) } else { None };
        let refined = refined.map(|parts| numbered(&parts)).filter(|&(_, count)| count < vertices);
        let Some((parts, count)) = refined else {
            let (parts, count) = numbered(&connected_parts(level, &moved.communities));
            return Ok(NextLevel { parts, count, start: None });
        };
        let mut start = vec![0; count as usize];
        for (&part, &community) in parts.iter().zip(&communities) {
            start[part as usize] = community;
        }
        let start = (count > communities_count).then_some(start);
        Ok(NextLevel { parts, count, start })
    }

    fn record(
        &mut self,
        level: &UndirectedGraph,
        moved: &Moved,
        members: &[u32],
        next: u32,
    ) -> Result<()> {
        let vertices = level.neighbors.rows();
        let name = self.options.objective.name();
        let step = Step {
            frontier: vertices.into(),
            edges: u64::from(moved.sweeps).saturating_mul(level.neighbors.entries()),
            found: (vertices - next).into(),
            sub_steps: moved.sweeps,
            time: self.clock.lap(),
            ..Step::new(self.steps.len() as u32, format!("{name} {:.6}", moved.modularity))
        };
        self.steps.push(step);
        if self.options.levels {
            // Labels, their numbers, and a row of a matrix.
            let bytes = memory::bytes_of::<[u32; 3]>(members.len() as u64);
            memory::check("the communities of a level", bytes)?;
        }
        let communities = self.options.levels.then(|| {
            let label = |&member: &u32| moved.communities[member as usize];
            members.par_iter().map(label).collect()
        });
        self.levels.push(Level { quality: moved.modularity, communities });
        self.converged &= moved.converged;
        Ok(())
    }

    /// Replaces the communities of the last level by the vertices of the next one.
    fn correct_level(&mut self, members: &[u32]) {
        if let Some(level) = self.levels.last_mut() {
            level.quality = self.last;
            if let Some(communities) = &mut level.communities {
                communities.copy_from_slice(members);
            }
        }
    }

    fn finish(mut self) -> Partition {
        if self.levels.is_empty() {
            let communities = self.options.levels.then(|| self.communities.clone());
            self.levels.push(Level { quality: self.last, communities });
        }
        let Self { communities: labels, levels, converged, steps, .. } = self;
        Partition { labels, levels, converged, steps }
    }
}

/// A difference of the objective as a share of all weight: that of modularity itself.
fn share(graph: &UndirectedGraph, difference: f64, options: &CommunitiesOptions) -> f64 {
    match options.objective {
        CommunitiesObjective::Modularity | CommunitiesObjective::DirectedModularity => difference,
        CommunitiesObjective::Cpm => graph.rise(difference),
    }
}
