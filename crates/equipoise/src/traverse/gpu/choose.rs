//! What picks a strategy for each turn.

use equipoise_graph::Graph;
use equipoise_select::features::Step;

use super::{
    learned::{Following, Learned},
    search::Frontier,
};
use crate::{
    BfsOptions, BfsStrategy, Error, Result, SsspOptions, SsspStrategy, TraversalSettings, TurnPlan,
    Way,
};

/// What is known of a search when the strategy of its next turn is picked.
pub(crate) struct Seen {
    vertices: u64,
    /// Edges that leave vertices not reached yet, at most.
    unexplored: u64,
    /// Vertices reached so far.
    discovered: u64,
    frontier: Frontier,
    previous: u32,
}

impl Seen {
    pub fn new(graph: &Graph) -> Self {
        let (vertices, unexplored) = (graph.vertices().into(), graph.edges());
        Self { vertices, unexplored, discovered: 0, frontier: Frontier::default(), previous: 0 }
    }

    /// Takes note of the next frontier.
    pub fn see(&mut self, frontier: Frontier) {
        self.previous = self.frontier.vertices;
        self.frontier = frontier;
        self.unexplored = self.unexplored.saturating_sub(frontier.edges.into());
        self.discovered += u64::from(frontier.vertices);
    }

    /// Where a search stands that finds each vertex once.
    pub fn step(&self) -> Step {
        let Frontier { vertices, edges } = self.frontier;
        Step {
            frontier: vertices.into(),
            frontier_edges: edges.into(),
            discovered: self.discovered,
        }
    }
}

/// Picks strategies.
#[derive(Debug)]
pub(crate) enum Chooser {
    /// As planned.
    Plan(TurnPlan),
    /// Push or pull, without those for which there is no memory.
    Direction { without: Vec<Way> },
    /// A list where the frontier is small, equal blocks of edges where it is not; the same.
    Size { without: Vec<Way> },
    /// As a model says.
    Learned(Box<Learned>),
}

/// A growing frontier pulls once this many times its edges are more than those unexplored.
const ALPHA: u64 = 15;
/// A shrinking one pushes again once this many times its vertices are fewer than all.
const BETA: u64 = 20;
/// A frontier whose vertices have more edges on average is divided by edges.
const MANY_EDGES: u32 = 8;

impl Chooser {
    pub fn of_bfs(options: &BfsOptions) -> Result<Self> {
        let chooser = match (&options.plan, options.strategy) {
            (Some(plan), _) => Self::Plan(plan.clone()),
            (None, BfsStrategy::Auto | BfsStrategy::DirectionOptimising) => {
                Self::Direction { without: Vec::new() }
            }
            (None, strategy) => Self::Plan(named(strategy.name())?.into()),
        };
        chooser.without(Way::TwoPhase, "sssp")
    }

    pub fn of_sssp(options: &SsspOptions) -> Result<Self> {
        let chooser = match (&options.plan, options.strategy) {
            (Some(plan), _) => Self::Plan(plan.clone()),
            (None, SsspStrategy::Auto) => Self::Size { without: Vec::new() },
            (None, strategy) => Self::Plan(named(strategy.name())?.into()),
        };
        let mut of_bfs = [Way::Pull, Way::FusedPush, Way::FusedPull].into_iter();
        of_bfs.try_fold(chooser, |chooser, way| chooser.without(way, "bfs"))
    }

    fn without(self, way: Way, command: &str) -> Result<Self> {
        let has_it = self.ways().any(|other| other == way);
        match has_it {
            true => Err(Error::Option(format!("the strategy `{way}` is for {command} only"))),
            false => Ok(self),
        }
    }

    /// The strategies it may pick.
    pub fn ways(&self) -> Box<dyn Iterator<Item = Way> + '_> {
        match self {
            Self::Plan(plan) => Box::new(plan.ways()),
            Self::Direction { without } => {
                let ways = [Way::Node, Way::Decompose, Way::Pull].into_iter();
                Box::new(ways.filter(|way| !without.contains(way)))
            }
            Self::Size { without } => Box::new(
                [Way::Node, Way::Decompose].into_iter().filter(|way| !without.contains(way)),
            ),
            Self::Learned(learned) => Box::new(learned.ways()),
        }
    }

    /// Without what does not fit. Fails where a plan has it, or nothing is left.
    pub fn within(&self, fits: impl Fn(Way) -> Result<()>) -> Result<Self> {
        if let Self::Plan(plan) = self {
            self.ways().try_for_each(&fits)?;
            return Ok(Self::Plan(plan.clone()));
        }
        if let Self::Learned(learned) = self {
            return Ok(Self::Learned(Box::new(learned.within(fits)?)));
        }
        fits(Way::Node)?;
        let without = self.ways().filter(|&way| fits(way).is_err()).collect();
        Ok(match self {
            Self::Direction { .. } => Self::Direction { without },
            _ => Self::Size { without },
        })
    }

    /// What picks for one search.
    pub fn start(&self) -> Result<Picks<'_>> {
        Ok(match self {
            Self::Learned(learned) => Picks::Learned(learned.start()?),
            rule => Picks::Rule(rule),
        })
    }

    fn choose(&self, turn: u32, seen: &Seen) -> Way {
        let way = self.wish(turn, seen);
        match self {
            Self::Direction { without } | Self::Size { without } if without.contains(&way) => {
                Way::Node
            }
            _ => way,
        }
    }

    fn wish(&self, turn: u32, seen: &Seen) -> Way {
        let Frontier { vertices, edges } = seen.frontier;
        let push = match edges / MANY_EDGES > vertices {
            true => Way::Decompose,
            false => Way::Node,
        };
        match self {
            Self::Plan(plan) => plan.way(turn),
            Self::Size { .. } | Self::Learned(_) => push,
            Self::Direction { .. } => {
                let grows = vertices > seen.previous;
                let many = u64::from(edges) * ALPHA > seen.unexplored;
                let wide = u64::from(vertices) * BETA > seen.vertices;
                if (grows && many && u64::from(edges) * BETA > seen.vertices) || (!grows && wide) {
                    Way::Pull
                } else {
                    push
                }
            }
        }
    }
}

/// Picks for one search.
pub(crate) enum Picks<'c> {
    Rule(&'c Chooser),
    Learned(Following<'c>),
}

impl<'c> Picks<'c> {
    /// The strategy of a turn, with settings of its own if it has some.
    pub fn pick(&mut self, turn: u32, seen: &Seen) -> (Way, Option<&'c TraversalSettings>) {
        match self {
            Self::Rule(chooser) => (chooser.choose(turn, seen), None),
            Self::Learned(following) => {
                let (way, settings) = following.choose(seen);
                (way, Some(settings))
            }
        }
    }
}

/// The strategy of that name, if a GPU has it.
fn named(name: &str) -> Result<Way> {
    name.parse().map_err(|_| {
        Error::Option(format!("the strategy `{name}` is for the cpu only: use `--device cpu`"))
    })
}
