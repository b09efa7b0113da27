//! The levels of Louvain and Leiden.

use equipoise_graph::{memory, parallel::*};

use super::{
    CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy, initial,
    local_moves::{LITTLE, Moved, all_gains, move_all},
    objective::quality,
    partition::{Level, Partition, numbered},
    refinement::{connected_parts, refine},
    undirected::UndirectedGraph,
};
use crate::{Result, Step, times::Clock};

/// Gains of modularity that may be nothing but rounding.
const ROUNDING: f64 = 1e-12;
/// Leiden starts again from the communities that it found, so that single vertices may move again, as long as the last such pass
/// raised the objective by more than this share of all weight.
const ENOUGH: f64 = 5e-3;
/// The most passes, with that of Louvain.
const MOST_PASSES: u32 = 10;

/// A pass from the vertices of the input down to the last level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pass {
    /// Whether communities are built anew from connected parts.
    pub refines: bool,
    /// The sweeps of a level end when one raises the objective by no more than this share of the level's rise.
    pub little: f64,
}

impl Pass {
    const LOUVAIN: Self = Self { refines: false, little: LITTLE };
    /// Leiden starts from the communities of a rough Louvain: what that leaves to gain, the next pass gains as well.
    const ROUGH: Self = Self { refines: false, little: 3e-2 };
    const REFINED: Self = Self { refines: true, little: LITTLE };

    /// Makes the passes of Louvain or Leiden. `descend` makes one, and returns by what share of all weight the objective rose.
    pub fn make_all(
        options: &CommunitiesOptions,
        mut descend: impl FnMut(Self) -> Result<f64>,
    ) -> Result<()> {
        if options.strategy != CommunitiesStrategy::Leiden {
            return descend(Self::LOUVAIN).map(drop);
        }
        descend(Self::ROUGH)?;
        for _ in 1..MOST_PASSES {
            if descend(Self::REFINED)? <= options.tolerance.max(ENOUGH) {
                break;
            }
        }
        Ok(())
    }
}

/// Runs Louvain or Leiden on the cpu.
pub(super) fn run(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Partition> {
    let mut start = match &options.initial {
        Some(initial) => Some(initial::labelled(initial, options.max_community_size)?),
        None => None,
    };
    let mut run = Run::new(graph, options, start.as_deref());
    Pass::make_all(options, |pass| {
        let before = run.last;
        run.descend(graph, start.take(), pass)?;
        start = Some(run.communities.clone());
        Ok(share(graph, run.last - before, options))
    })?;
    Ok(run.finish())
}

/// Goes on with a pass from a level, from communities that are labelled with vertices, or from vertices alone.
pub(super) fn go_on(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: Option<Vec<u32>>,
    pass: Pass,
) -> Result<Partition> {
    let mut run = Run::new(graph, options, start.as_deref());
    run.descend(graph, start, pass)?;
    Ok(run.finish())
}

/// A run over levels.
struct Run<'o> {
    options: &'o CommunitiesOptions,
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

impl NextLevel {
    fn of_communities(moved: &Moved) -> Self {
        let (parts, count) = numbered(&moved.communities);
        Self { parts, count, start: None }
    }
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
        Self { options, clock, communities, last, levels, steps, converged: true }
    }

    /// Goes from level to level, until no two communities gain by joining. Starts from communities that are labelled with
    /// vertices, or from vertices alone.
    fn descend(
        &mut self,
        graph: &UndirectedGraph,
        mut start: Option<Vec<u32>>,
        pass: Pass,
    ) -> Result<()> {
        let tolerance = self.options.tolerance.max(ROUNDING);
        // The vertex of the level for each vertex of the input.
        let mut members: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
        let mut aggregated: Option<UndirectedGraph> = None;
        self.converged = true;
        loop {
            let level = aggregated.as_ref().unwrap_or(graph);
            let moved = move_all(level, self.options, start.as_deref(), self.last, pass.little)?;
            let rise = share(level, moved.modularity - self.last, self.options);
            let starts_alone = start.is_none();
            // Only where sweeps from single vertices gain next to nothing can all gains be that small.
            if starts_alone && rise <= tolerance && all_gains(level, self.options) <= tolerance {
                self.communities = members;
                return Ok(());
            }
            // Parts of communities are worth moving where vertices were.
            let worth = rise > tolerance || aggregated.is_none();
            let next = if pass.refines {
                self.refined_level(level, &moved, worth)?
            } else {
                NextLevel::of_communities(&moved)
            };
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
            if pass.refines && start.is_none() {
                // Communities that fell apart are better than they were.
                let singletons: Vec<u32> = (0..next.count).into_par_iter().collect();
                self.last = quality(&smaller, &singletons, self.options);
                self.correct_level(&members);
            }
            aggregated = Some(smaller);
        }
    }

    /// The next level of a pass that refines. Parts of communities are its vertices where `worth` says that they are worth moving;
    /// otherwise what is connected of communities.
    fn refined_level(
        &self,
        level: &UndirectedGraph,
        moved: &Moved,
        worth: bool,
    ) -> Result<NextLevel> {
        let vertices = level.neighbors.rows();
        let (communities, communities_count) = numbered(&moved.communities);
        if communities_count == vertices {
            return Ok(NextLevel { parts: communities, count: communities_count, start: None });
        }
        let refined =
            if worth { Some(refine(level, &moved.communities, self.options)?) } else { None };
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
