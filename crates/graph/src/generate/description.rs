//! The table of generators, and what each of them must say of itself.

use std::ops::Range;

use super::{
    Band, Bipartite, Blocks, Cliques, ErdosRenyi, Grid, Kronecker, PowerLaw, RandomMatrix, Rmat,
    Shape, SmallWorld, band, bipartite, blocks, cliques, erdos_renyi, grid,
    keys::{Key, Table, Values},
    matrix, power_law,
    random::{BLOCK, Ends},
    rmat, shapes, small_world, within_u64,
};
use crate::{Duplicates, SelfLoops};

/// What a graph or a matrix is made by, with its parameters.
///
/// ```
/// use equipoise_graph::generate::{Generator, Grid, Spec};
///
/// let spec: Spec = "grid:width=3,height=2".parse()?;
/// assert_eq!(spec.generator, Generator::Grid(Grid { width: 3, height: 2, drop: 0.0 }));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Generator {
    /// RMAT by GTgraph's parameters.
    Rmat(Rmat),
    /// The Kronecker graph of the Graph500 benchmark.
    Kronecker(Kronecker),
    /// Erdős–Rényi G(n, m).
    ErdosRenyi(ErdosRenyi),
    /// A grid with missing edges.
    Grid(Grid),
    /// A small world.
    SmallWorld(SmallWorld),
    /// Degrees by a power law.
    PowerLaw(PowerLaw),
    /// Edges between two sides.
    Bipartite(Bipartite),
    /// A chain of cliques.
    Cliques(Cliques),
    /// A matrix with random entries.
    Matrix(RandomMatrix),
    /// A matrix with entries around its diagonal.
    Band(Band),
    /// A matrix of dense blocks.
    Blocks(Blocks),
    /// A path, cycle, star or other small shape.
    Shape(Shape),
}

impl Generator {
    pub(super) fn family(&self) -> &dyn Family {
        match self {
            Self::Rmat(family) => family,
            Self::Kronecker(family) => family,
            Self::ErdosRenyi(family) => family,
            Self::Grid(family) => family,
            Self::SmallWorld(family) => family,
            Self::PowerLaw(family) => family,
            Self::Bipartite(family) => family,
            Self::Cliques(family) => family,
            Self::Matrix(family) => family,
            Self::Band(family) => family,
            Self::Blocks(family) => family,
            Self::Shape(family) => family,
        }
    }
}

/// All generators, in the order they are listed to users.
pub(super) fn all() -> impl Iterator<Item = &'static Description> {
    let large = [
        &rmat::RMAT,
        &rmat::KRONECKER,
        &erdos_renyi::ERDOS_RENYI,
        &grid::GRID,
        &small_world::SMALL_WORLD,
        &power_law::POWER_LAW,
        &bipartite::BIPARTITE,
        &cliques::CLIQUES,
    ];
    let matrices = [&matrix::MATRIX, &band::BAND, &blocks::BLOCKS];
    large.into_iter().chain(&shapes::SHAPES).chain(matrices)
}

/// How a generator is named and what can be set.
pub(super) struct Description {
    pub name: &'static str,
    pub about: &'static str,
    pub example: &'static str,
    /// Its own keys, beside [`COMMON_KEYS`].
    pub keys: &'static [Key],
    pub read: fn(&Values) -> Result<Generator, String>,
}

/// The keys of every generator.
pub(super) static COMMON_KEYS: [Key; 3] = [
    Key::default("seed", "1", "the same seed gives the same graph on any number of threads"),
    Key::optional("weights", "LOW..HIGH, ends included: whole numbers, or decimals for f32"),
    Key::default("directed", "false", "whether edges lead one way"),
];

impl Description {
    /// All keys that its specs can give.
    pub(super) fn table(&self) -> Table {
        Table { name: self.name, example: self.example, keys: [self.keys, &COMMON_KEYS] }
    }
}

/// How large a graph or matrix will be.
pub(super) struct Size {
    /// Vertices; of a matrix, rows or columns, whichever are more.
    pub vertices: u128,
    /// How many edges will be generated at most, each counted once.
    pub edges: u128,
}

/// A generator with its parameters.
pub(super) trait Family {
    fn description(&self) -> &'static Description;
    /// Its keys and their values, the common ones aside.
    fn values(&self) -> Vec<(&'static str, String)>;
    /// Whether the parameters make sense.
    fn check(&self, _directed: bool) -> Result<(), String> {
        Ok(())
    }
    fn size(&self) -> Size;
    /// How many edges are generated at most, where [`Family::size`] counts some that chance leaves
    /// out.
    fn most_edges(&self) -> u128 {
        self.size().edges
    }
    /// The rows and columns of what is a matrix and not a graph: the edges are its entries then.
    fn shape(&self) -> Option<(u64, u64)> {
        None
    }
    /// How many blocks the edges are generated in, each without the others.
    fn blocks(&self) -> u64 {
        within_u64(self.size().edges).div_ceil(BLOCK as u64)
    }
    /// The numbers of the edges in some blocks, where [`Family::size`] is exact.
    fn numbers(&self, blocks: Range<u64>) -> Range<u64> {
        let edges = within_u64(self.size().edges);
        let number = |block: u64| block.saturating_mul(BLOCK as u64).min(edges);
        number(blocks.start)..number(blocks.end.max(blocks.start))
    }
    /// How many edges some blocks have at most.
    fn most_edges_of(&self, blocks: Range<u64>) -> u64 {
        let numbers = self.numbers(blocks);
        numbers.end - numbers.start
    }
    /// The edges of some blocks. Only called where [`Family::check`] found nothing and the size is
    /// within the limits.
    fn ends(&self, blocks: Range<u64>, seed: u64, directed: bool) -> Ends;
    /// What to drop of the edges. Nothing, where all are distinct and none is a self-loop.
    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Keep, SelfLoops::Keep)
    }
}
