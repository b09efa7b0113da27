//! Breadth-first search on the cpu.

use std::time::{Duration, Instant};

use equipoise_graph::Graph;

use super::{
    Bfs, BfsOptions,
    direction::{Decide, Decider, Direction, LevelState},
    frontier_size::FrontierSize,
    pull::{Bitmaps, Pull},
    push::{Lists, Push},
    shared::SharedTree,
};
use crate::{
    NONE, Result, Step, Times, Trace,
    rows::Rows,
    team::{Team, collect_pair},
    times::{Clock, timed, times_of_steps},
};

/// Searches of one graph, which reuse buffers.
pub(super) struct Searcher<'a> {
    team: &'a Team<'a>,
    graph: &'a Graph,
    options: &'a BfsOptions,
    decide: Decide<'a>,
    lists: Lists,
    bitmaps: Option<Bitmaps>,
    clock: Clock,
}

impl<'a> Searcher<'a> {
    pub fn new(
        team: &'a Team<'a>,
        graph: &'a Graph,
        options: &'a BfsOptions,
        decide: Decide<'a>,
    ) -> Self {
        let clock = Clock::start();
        Self { team, graph, options, decide, lists: Lists::new(team), bitmaps: None, clock }
    }

    /// One search. `source` is a vertex of the graph.
    pub fn run(&mut self, source: u32) -> Result<Bfs> {
        let vertices = self.graph.vertices() as usize;
        let (mut levels, mut parents) = collect_pair(self.team, vertices, |_| (NONE, NONE));
        let tree = SharedTree::new(&mut levels, &mut parents);
        let mut decider = Decider::new(self.decide)?;
        let mut run = BfsRun::start(self, source, tree);
        while run.continues() {
            let direction = decider.decide(&run.state());
            run.advance(direction)?;
        }
        let BfsRun { reached, level: depth, trace, prepare, .. } = run;
        let run = self.clock.lap() - prepare;
        let times = Times { prepare, ..times_of_steps(&trace.steps, run) };
        let (reached, edges) = (reached.vertices as u32, reached.edges);
        let complete = self.options.is_complete(self.graph, &levels);
        Ok(Bfs { source, levels, parents, reached, depth, edges, complete, trace, times })
    }
}

/// The state of one search.
struct BfsRun<'a, 'g> {
    team: &'g Team<'g>,
    graph: &'g Graph,
    options: &'g BfsOptions,
    /// The frontier, if the last direction was push.
    lists: &'a mut Lists,
    bitmaps: &'a mut Option<Bitmaps>,
    tree: SharedTree<'a>,
    /// The level of the frontier.
    level: u32,
    frontier: FrontierSize,
    /// The vertices of the previous frontier.
    previous: u64,
    direction: Direction,
    reached: FrontierSize,
    trace: Trace,
    prepare: Duration,
}

impl<'a, 'g> BfsRun<'a, 'g> {
    fn start(searcher: &'a mut Searcher<'g>, source: u32, tree: SharedTree<'a>) -> Self {
        let Searcher { team, graph, options, lists, bitmaps, .. } = searcher;
        tree.set(source, source, 0);
        lists.start(source);
        let frontier = FrontierSize { vertices: 1, edges: Rows::new(graph).degree(source) };
        Self {
            team,
            graph,
            options,
            lists,
            bitmaps,
            tree,
            level: 0,
            frontier,
            previous: 0,
            direction: Direction::Push,
            reached: frontier,
            trace: Trace::default(),
            prepare: Duration::ZERO,
        }
    }

    /// Whether the next level has to be found.
    fn continues(&self) -> bool {
        let options = self.options;
        options.max_depth.is_none_or(|depth| self.level < depth)
            && !options.target.is_some_and(|target| self.tree.is_reached(target))
            && self.trace.steps.last().is_none_or(|step| step.found > 0)
    }

    fn state(&self) -> LevelState {
        let edges = self.graph.edges();
        let is_undirected = self.graph.is_undirected();
        LevelState {
            level: self.level,
            frontier: self.frontier,
            previous: self.previous,
            direction: self.direction,
            reached: self.reached,
            vertices: self.graph.vertices().into(),
            edges,
            pullable: if is_undirected { edges - self.reached.edges } else { edges },
        }
    }

    /// Finds the next level.
    fn advance(&mut self, direction: Direction) -> Result<()> {
        let strategy = match direction {
            Direction::Push => "push",
            Direction::Pull => "pull",
        };
        let entering = match direction {
            Direction::Push => None,
            Direction::Pull => {
                let (entering, time) = timed(|| self.graph.transpose());
                self.prepare += time;
                Some(entering?)
            }
        };
        let start = Instant::now();
        let (found, edges) = match entering {
            None => self.push(),
            Some(entering) => self.pull(entering),
        };
        self.trace.steps.push(Step {
            frontier: self.frontier.vertices,
            edges,
            found: found.vertices,
            time: start.elapsed(),
            ..Step::new(self.level, strategy)
        });
        self.previous = self.frontier.vertices;
        self.direction = direction;
        self.reached += found;
        self.frontier = found;
        self.level += u32::from(found.vertices > 0);
        Ok(())
    }

    fn push(&mut self) -> (FrontierSize, u64) {
        if let (Direction::Pull, Some(bitmaps)) = (self.direction, &self.bitmaps) {
            bitmaps.list(self.team, self.lists);
        }
        let push = Push { rows: Rows::new(self.graph), tree: self.tree, level: self.level + 1 };
        let found = self.lists.push(self.team, self.frontier, push);
        (found, self.frontier.edges)
    }

    fn pull(&mut self, entering: &Graph) -> (FrontierSize, u64) {
        let Self { team, graph, tree, level, .. } = *self;
        let bitmaps = self.bitmaps.get_or_insert_with(|| Bitmaps::new(team, graph.vertices()));
        let (entering, leaving) = (Rows::new(entering), Rows::new(graph));
        if self.direction == Direction::Push {
            bitmaps.fill(team, tree, entering, level);
        }
        bitmaps.pull(team, Pull { entering, leaving, tree, level: level + 1 })
    }
}
