//! Graphs, matrices and tensors by recipe: deterministic for a seed whatever the number of threads, and parallel.
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

mod band;
mod bipartite;
mod blocks;
mod cliques;
mod description;
mod erdos_renyi;
mod grid;
mod keys;
mod matrix;
mod permutation;
mod power_law;
mod quadrants;
mod random;
mod rmat;
mod shapes;
mod small_world;
mod spec;
mod spec_blocks;
#[cfg(test)]
mod sweep;
mod tensor;
mod weights;

pub use band::Band;
pub use bipartite::Bipartite;
pub use blocks::Blocks;
pub use cliques::Cliques;
pub use description::Generator;
pub use erdos_renyi::ErdosRenyi;
pub use grid::Grid;
pub use matrix::RandomMatrix;
pub use power_law::PowerLaw;
pub use rmat::{Kronecker, Rmat};
pub use shapes::{Shape, ShapeKind};
pub use small_world::SmallWorld;
pub use spec::help;
pub(crate) use spec::{looks_like_spec, names_generator};
pub use spec_blocks::SpecBlocks;
pub(crate) use tensor::names_tensor;
pub use tensor::{TensorSpec, tensor_help};
pub use weights::WeightRange;

use crate::{
    Edges, Error, Graph, GraphBuilder, MAX_VERTICES, Matrix, Result, Value, assemble,
    memory::{self, bytes_of},
};
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

/// A graph or a matrix to be generated.
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
    /// [`MAX_GENERATED_EDGES`] edges, where it is a matrix that is generated, and where there is
    /// not enough memory.
    pub fn generate(&self) -> Result<Graph> {
        self.generate_by(&self.builder()?)
    }

    /// The graph that `builder` makes of the edges.
    pub(crate) fn generate_by(&self, builder: &GraphBuilder) -> Result<Graph> {
        self.check_memory(self.memory_by(builder))?;
        builder.build(self.edges()?)
    }

    /// The most bytes of memory that [`Spec::generate`] takes, the graph included; of a matrix, what
    /// [`Spec::generate_matrix`] takes for values of 64 bits.
    ///
    /// ```
    /// use equipoise_graph::generate::Spec;
    ///
    /// let spec: Spec = "isolated:n=1000000".parse()?;
    /// assert!((8_000_000..9_000_000).contains(&spec.memory()));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn memory(&self) -> u64 {
        match self.builder() {
            Ok(builder) => self.memory_by(&builder),
            Err(_) => self.memory_of_matrix::<f64>(),
        }
    }

    fn memory_by(&self, builder: &GraphBuilder) -> u64 {
        let (edges, weights) = (self.most_edges(), self.weights.is_some());
        let building = builder.memory_of(self.vertices(), edges, weights);
        Edges::memory_of(edges, weights).saturating_add(building)
    }

    /// The most bytes that [`Spec::generate_matrix`] takes.
    fn memory_of_matrix<T: Value>(&self) -> u64 {
        let (edges, weights) = (self.most_edges(), self.weights.is_some());
        let Ok(builder) = self.builder() else {
            let rows = self.shape().map_or(0, |(rows, _)| rows.into());
            let making = assemble::memory_of::<T>(rows, edges, 0);
            return Edges::memory_of(edges, weights).saturating_add(making);
        };
        let entries = builder.most_entries(edges);
        let graph = bytes_of::<u64>(self.vertices())
            .saturating_add(bytes_of::<u32>(entries).saturating_mul(1 + u64::from(weights)));
        self.memory_by(&builder).max(graph.saturating_add(bytes_of::<T>(entries)))
    }

    fn vertices(&self) -> u64 {
        within_u64(self.generator.family().size().vertices)
    }

    fn most_edges(&self) -> u64 {
        within_u64(self.generator.family().most_edges())
    }

    fn check_memory(&self, bytes: u64) -> Result<()> {
        self.checked()?;
        memory::check(format_args!("generating {self}"), bytes)
    }

    /// Generates the matrix; of a graph, its adjacency matrix. Entries have their weight as value,
    /// or 1.
    ///
    /// Fails as [`Spec::generate`] does.
    ///
    /// ```
    /// use equipoise_graph::generate::Spec;
    ///
    /// let wide: Spec = "blocks:rows=1,columns=4,weights=3..3".parse()?;
    /// assert_eq!(wide.generate_matrix::<f32>()?.row(0).1, [3.0; 4]);
    /// assert!(wide.generate().is_err());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn generate_matrix<T: Value>(&self) -> Result<Matrix<T>> {
        self.check_memory(self.memory_of_matrix::<T>())?;
        match self.shape() {
            None => Matrix::from_graph(&self.generate()?),
            Some((rows, columns)) => Matrix::from_distinct(rows, columns, &self.edges()?),
        }
    }

    /// The rows and columns of what is a matrix and not a graph.
    ///
    /// ```
    /// use equipoise_graph::generate::Spec;
    ///
    /// let shape = |text: &str| text.parse::<Spec>().map(|spec| spec.shape());
    /// assert_eq!(shape("band:rows=3,columns=9,width=2")?, Some((3, 9)));
    /// assert_eq!(shape("path:n=3")?, None);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn shape(&self) -> Option<(u32, u32)> {
        let within = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        self.generator.family().shape().map(|(rows, columns)| (within(rows), within(columns)))
    }

    /// The edges in the order they are generated, each undirected one once, before any is
    /// dropped.
    ///
    /// Fails as [`Spec::generate`] does.
    pub fn edges(&self) -> Result<Edges> {
        self.check_memory(Edges::memory_of(self.most_edges(), self.weights.is_some()))?;
        let family = self.generator.family();
        let (sources, targets) = family.ends(0..family.blocks(), self.seed, self.directed);
        let numbers = 0..sources.len() as u64;
        let weights = self.weights.map(|range| range.draw(numbers, self.seed));
        Edges::new(sources, targets, weights)
    }

    /// The builder that makes the graph of its edges. Fails where they are a matrix' entries.
    pub(crate) fn builder(&self) -> Result<GraphBuilder> {
        let family = self.generator.family();
        if family.shape().is_some() {
            let message = format!("`{}` makes a matrix, not a graph", family.description().name);
            return Err(Error::Spec { spec: self.to_string(), message });
        }
        let (duplicates, self_loops) = family.cleaning();
        Ok(GraphBuilder::new()
            .vertices(family.size().vertices as u64)
            .undirected(!self.directed)
            .duplicates(duplicates)
            .self_loops(self_loops))
    }

    fn checked(&self) -> Result<Size> {
        self.check().map_err(|message| Error::Spec { spec: self.to_string(), message })
    }

    /// The size of the graph, if it can be generated.
    fn check(&self) -> Result<Size, String> {
        let family = self.generator.family();
        let size = family.size();
        let Size { vertices, edges } = size;
        let (lines, links) = match family.shape() {
            Some(_) => ("rows or columns", "entries"),
            None => ("vertices", "edges"),
        };
        if vertices > MAX_VERTICES.into() {
            return Err(format!(
                "{vertices} {lines} are too many: the limit is {MAX_VERTICES}, as ids have 32 bits"
            ));
        }
        if edges > MAX_GENERATED_EDGES.into() {
            return Err(format!(
                "{edges} {links} are too many to generate: the limit is {MAX_GENERATED_EDGES}"
            ));
        }
        if family.shape().is_some() && self.directed {
            return Err("directed=true: a matrix has entries, not edges that lead one way".into());
        }
        family.check(self.directed)?;
        self.weights.map_or(Ok(()), |range| range.check())?;
        Ok(size)
    }
}

fn within_u64(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
