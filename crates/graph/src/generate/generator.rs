//! The table of generators.

use std::slice::from_ref;

use super::{
    band::{BAND, Band},
    bipartite::{BIPARTITE, Bipartite},
    blocks::{BLOCKS, Blocks},
    cliques::{CLIQUES, Cliques},
    erdos_renyi::{ERDOS_RENYI, ErdosRenyi},
    family::{Description, Family, Parameters},
    grid::{GRID, Grid},
    keys::Values,
    matrix::{MATRIX, RandomMatrix},
    power_law::{POWER_LAW, PowerLaw},
    rmat::{KRONECKER, Kronecker, RMAT, Rmat},
    shapes::{SHAPES, Shape},
    small_world::{SMALL_WORLD, SmallWorld},
};

pub(super) type Read = fn(&Values) -> Result<Generator, String>;

macro_rules! generators {
    ($( #[doc = $doc:literal] $name:ident($family:ident) = $descriptions:expr, )+) => {
        /// A generator of graphs or matrices, with its parameters.
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
            $( #[doc = $doc] $name($family), )+
        }

        impl Generator {
            pub(super) fn family(&self) -> &dyn Family {
                match self { $( Self::$name(family) => family, )+ }
            }
        }

        /// All generators, in the order of the help text.
        pub(super) fn all() -> impl Iterator<Item = (&'static Description, Read)> {
            let all: [(&[Description], Read); _] = [
                $( ($descriptions, |values| $family::read(values).map(Generator::$name)), )+
            ];
            all.into_iter().flat_map(|(descriptions, read)| {
                descriptions.iter().map(move |description| (description, read))
            })
        }
    };
}

generators! {
    /// RMAT by GTgraph's parameters.
    Rmat(Rmat) = from_ref(&RMAT),
    /// The Kronecker graph of the Graph500 benchmark.
    Kronecker(Kronecker) = from_ref(&KRONECKER),
    /// Erdős–Rényi G(n, m).
    ErdosRenyi(ErdosRenyi) = from_ref(&ERDOS_RENYI),
    /// A grid with missing edges.
    Grid(Grid) = from_ref(&GRID),
    /// A small world.
    SmallWorld(SmallWorld) = from_ref(&SMALL_WORLD),
    /// Degrees by a power law.
    PowerLaw(PowerLaw) = from_ref(&POWER_LAW),
    /// Edges between two sides.
    Bipartite(Bipartite) = from_ref(&BIPARTITE),
    /// A chain of cliques.
    Cliques(Cliques) = from_ref(&CLIQUES),
    /// A path, cycle, star or other small shape.
    Shape(Shape) = &SHAPES,
    /// A matrix with random entries.
    Matrix(RandomMatrix) = from_ref(&MATRIX),
    /// A matrix with entries around its diagonal.
    Band(Band) = from_ref(&BAND),
    /// A matrix of dense blocks.
    Blocks(Blocks) = from_ref(&BLOCKS),
}
