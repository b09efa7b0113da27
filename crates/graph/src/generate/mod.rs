//! Graphs by recipe: deterministic for a seed whatever the number of threads, and parallel.
//!
//! A [`Spec`] names a generator and its parameters, in types or as the text that can stand
//! wherever a file name can: `rmat:scale=20,edge-factor=16,seed=7`. [`help`] lists them all.
//!
//! ```
//! use equipoise_graph::generate::Spec;
//!
//! let spec: Spec = "grid:width=20,height=10,drop=0.1,weights=1..1000".parse()?;
//! let graph = spec.generate()?;
//! assert_eq!(graph.vertices(), 200);
//! assert_eq!(graph, spec.generate()?);
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod bipartite;
mod cliques;
mod description;
mod erdos_renyi;
mod grid;
mod keys;
mod nearest;
mod permutation;
mod power_law;
mod quadrants;
mod random;
mod rmat;
mod shapes;
mod small_world;
mod spec;
mod weights;

pub use bipartite::Bipartite;
pub use cliques::Cliques;
pub use description::Generator;
pub use erdos_renyi::ErdosRenyi;
pub use grid::Grid;
pub use power_law::PowerLaw;
pub use rmat::{Kronecker, Rmat};
pub use shapes::{Shape, ShapeKind};
pub use small_world::SmallWorld;
pub use spec::help;
pub(crate) use spec::{looks_like_spec, names_generator};
pub use weights::WeightRange;

use crate::{Edges, Error, Graph, GraphBuilder, MAX_VERTICES, Result};
use description::Size;

/// The most edges that are generated, each counted once: 2³⁶.
///
/// ```
/// use equipoise_graph::generate::Spec;
///
/// let error = "rmat:scale=31,edge-factor=64".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().contains("137438953472 edges"));
/// ```
pub const MAX_GENERATED_EDGES: u64 = 1 << 36;

/// A graph to be generated.
///
/// As text it is `NAME:key=value,…`; keys that are left out have their default.
///
/// ```
/// use equipoise_graph::generate::Spec;
///
/// let spec: Spec = "path:n=5,seed=1".parse()?;
/// assert_eq!(spec.generate()?.edges(), 8);
/// assert_eq!(spec.to_string(), "path:n=5");
///
/// let error = "path:m=5".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().starts_with("path:m=5: there is no key of path `m`"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// What makes the graph.
    pub generator: Generator,
    /// Chooses among the graphs that the generator can make.
    pub seed: u64,
    /// The range of the weights; without it, the graph has none. An edge of an undirected graph
    /// has the same weight both ways.
    pub weights: Option<WeightRange>,
    /// Whether edges lead one way, as they are generated. Otherwise the graph is undirected.
    pub directed: bool,
}

impl Spec {
    /// The undirected graph without weights that `generator` makes with seed 1.
    ///
    /// ```
    /// use equipoise_graph::generate::{ErdosRenyi, Generator, Spec};
    ///
    /// let generator = Generator::ErdosRenyi(ErdosRenyi { n: 10, m: 20 });
    /// let spec = Spec { seed: 7, ..Spec::new(generator) };
    /// assert_eq!(spec.to_string(), "er:n=10,m=20,seed=7");
    /// ```
    pub fn new(generator: Generator) -> Self {
        Self { generator, seed: 1, weights: None, directed: false }
    }

    /// Generates the graph.
    ///
    /// Fails where the parameters make no sense or ask for more than [`MAX_VERTICES`] vertices or
    /// [`MAX_GENERATED_EDGES`] edges.
    pub fn generate(&self) -> Result<Graph> {
        self.builder().build(self.edges()?)
    }

    /// The edges in the order they are generated, each undirected one once, before any is
    /// dropped.
    ///
    /// Fails as [`Spec::generate`] does.
    pub fn edges(&self) -> Result<Edges> {
        let Size { edges, .. } =
            self.check().map_err(|message| Error::Spec { spec: self.to_string(), message })?;
        let family = self.generator.family();
        let (sources, targets) = family.ends(edges as usize, self.seed, self.directed);
        let weights = self.weights.map(|range| range.draw(sources.len(), self.seed));
        Edges::new(sources, targets, weights)
    }

    /// The builder that makes the graph of its edges.
    pub(crate) fn builder(&self) -> GraphBuilder {
        let family = self.generator.family();
        let (duplicates, self_loops) = family.cleaning();
        GraphBuilder::new()
            .vertices(family.size().vertices as u64)
            .undirected(!self.directed)
            .duplicates(duplicates)
            .self_loops(self_loops)
    }

    /// The size of the graph, if it can be generated.
    fn check(&self) -> Result<Size, String> {
        let family = self.generator.family();
        let size = family.size();
        let Size { vertices, edges } = size;
        if vertices > MAX_VERTICES.into() {
            return Err(format!(
                "{vertices} vertices are too many: the limit is {MAX_VERTICES}, as ids have 32 bits"
            ));
        }
        if edges > MAX_GENERATED_EDGES.into() {
            return Err(format!(
                "{edges} edges are too many to generate: the limit is {MAX_GENERATED_EDGES}"
            ));
        }
        family.check(self.directed)?;
        self.weights.map_or(Ok(()), |range| range.check())?;
        Ok(size)
    }
}
