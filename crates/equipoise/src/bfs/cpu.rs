//! The search: its levels, and the direction of each.

use std::{
    iter::Sum,
    ops::{Add, AddAssign},
    time::{Duration, Instant},
};

use equipoise_graph::Graph;

use super::{
    Bfs, BfsOptions, BfsStrategy,
    pull::Bitmaps,
    push::{Lists, Push},
    shared::SharedTree,
};
use crate::{
    NONE, Step, Times, Trace,
    rows::Rows,
    times::{Clock, timed},
};

/// A growing frontier pulls once this many times its edges are more than the edges that leave
/// vertices not yet reached. Beamer et al. found 14 good on many graphs, and anything near it.
const ALPHA: u64 = 15;

/// A shrinking frontier pushes again once this many times its vertices are fewer than all
/// vertices. Beamer et al. found 24 good on many graphs, and anything near it. Pulling looks at
/// each vertex, so it does not start either while this many times the frontier's edges are fewer.
const BETA: u64 = 20;

/// How large a frontier is.
#[derive(Clone, Copy, Default)]
pub(super) struct Frontier {
    pub vertices: u64,
    /// The edges that leave those vertices.
    pub edges: u64,
}

impl Frontier {
    /// One vertex more, with `degree` edges.
    #[inline]
    pub fn add(&mut self, degree: u64) {
        self.vertices += 1;
        self.edges += degree;
    }
}

impl Add for Frontier {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { vertices: self.vertices + other.vertices, edges: self.edges + other.edges }
    }
}

impl AddAssign for Frontier {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Frontier {
    fn sum<I: Iterator<Item = Self>>(frontiers: I) -> Self {
        frontiers.fold(Self::default(), Add::add)
    }
}

/// Searches one graph from many sources, in the same buffers.
pub(super) struct Searcher<'a> {
    graph: &'a Graph,
    options: &'a BfsOptions,
    lists: Lists,
    bitmaps: Option<Bitmaps>,
    clock: Clock,
}

impl<'a> Searcher<'a> {
    pub fn new(graph: &'a Graph, options: &'a BfsOptions) -> Self {
        let clock = Clock::start();
        Self { graph, options, lists: Lists::new(), bitmaps: None, clock }
    }

    /// One search. `source` is a vertex of the graph.
    pub fn run(&mut self, source: u32) -> Bfs {
        let vertices = self.graph.vertices() as usize;
        let (mut levels, mut parents) =
            rayon::join(|| vec![NONE; vertices], || vec![NONE; vertices]);
        let tree = SharedTree::new(&mut levels, &mut parents);
        let mut search = Search::start(self, source, tree);
        while let Some(direction) = search.choose() {
            search.advance(direction);
        }
        let Search { reached, level: depth, trace, prepare, .. } = search;
        let kernel = trace.steps.iter().map(|step| step.time).sum();
        let overhead = self.clock.lap() - prepare - kernel;
        let times = Times { prepare, kernel, overhead, ..Times::default() };
        let (reached, edges) = (reached.vertices as u32, reached.edges);
        Bfs { source, levels, parents, reached, depth, edges, trace, times }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Push,
    Pull,
}

/// A search under way.
struct Search<'a, 'g> {
    graph: &'g Graph,
    options: &'g BfsOptions,
    /// The frontier, if the last direction was push.
    lists: &'a mut Lists,
    bitmaps: &'a mut Option<Bitmaps>,
    tree: SharedTree<'a>,
    /// The level of the frontier.
    level: u32,
    frontier: Frontier,
    /// The vertices of the frontier before.
    previous: u64,
    direction: Direction,
    reached: Frontier,
    trace: Trace,
    prepare: Duration,
}

impl<'a, 'g> Search<'a, 'g> {
    fn start(searcher: &'a mut Searcher<'g>, source: u32, tree: SharedTree<'a>) -> Self {
        let Searcher { graph, options, lists, bitmaps, .. } = searcher;
        tree.set(source, source, 0);
        lists.start(source);
        let frontier = Frontier { vertices: 1, edges: Rows::of(graph).degree(source) };
        Self {
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

    /// The direction in which to find the next level, if one is asked for.
    fn choose(&self) -> Option<Direction> {
        let options = self.options;
        if options.max_depth.is_some_and(|depth| self.level >= depth)
            || options.target.is_some_and(|target| self.tree.is_reached(target))
            || self.trace.steps.last().is_some_and(|step| step.found == 0)
        {
            return None;
        }
        if options.strategy == BfsStrategy::Node {
            return Some(Direction::Push);
        }
        let Frontier { vertices, edges } = self.frontier;
        let (all, grows) = (u64::from(self.graph.vertices()), vertices > self.previous);
        let pull = match self.direction {
            Direction::Push => {
                let unexplored = self.graph.edges() - self.reached.edges;
                grows && edges * ALPHA > unexplored && edges * BETA > all
            }
            Direction::Pull => grows || vertices * BETA > all,
        };
        Some(if pull { Direction::Pull } else { Direction::Push })
    }

    /// Finds the next level.
    fn advance(&mut self, direction: Direction) {
        let strategy = match direction {
            Direction::Push => "push",
            Direction::Pull => "pull",
        };
        if direction == Direction::Pull {
            self.prepare += timed(|| self.graph.transpose()).1;
        }
        let start = Instant::now();
        let (found, edges) = match direction {
            Direction::Push => self.push(),
            Direction::Pull => self.pull(),
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
    }

    fn push(&mut self) -> (Frontier, u64) {
        if let (Direction::Pull, Some(bitmaps)) = (self.direction, &self.bitmaps) {
            bitmaps.list(self.lists);
        }
        let push = Push { rows: Rows::of(self.graph), tree: self.tree, level: self.level + 1 };
        let found = self.lists.push(self.frontier, push);
        (found, self.frontier.edges)
    }

    fn pull(&mut self) -> (Frontier, u64) {
        let bitmaps = self.bitmaps.get_or_insert_with(|| Bitmaps::new(self.graph.vertices()));
        if self.direction == Direction::Push {
            bitmaps.fill(self.tree, self.level);
        }
        let (entering, leaving) = (Rows::of(self.graph.transpose()), Rows::of(self.graph));
        bitmaps.pull(entering, leaving, self.tree, self.level + 1)
    }
}
