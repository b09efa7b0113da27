//! The recipe of a graph or matrix.

use super::{
    family::{Size, within_u64},
    generator::Generator,
    weights::WeightRange,
};
use crate::{
    Edges, Error, Graph, GraphBuilder, MAX_VERTICES, Matrix, Result, Value, assemble,
    memory::{self, bytes_of},
};

/// The maximum number of generated edges, each counted once: 2³⁶.
///
/// ```
/// use equipoise_graph::generate::Spec;
///
/// let error = "rmat:scale=31,edge-factor=64".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().contains("137438953472 edges"));
/// ```
pub const MAX_GENERATED_EDGES: u64 = 1 << 36;

/// The recipe of a graph or matrix: a generator with its parameters, and a seed.
///
/// As text it is `NAME:key=value,…`; omitted keys have their defaults.
///
/// ```
/// use equipoise_graph::generate::Spec;
///
/// let spec: Spec = "path:n=5,seed=1".parse()?;
/// assert_eq!(spec.generate()?.edges(), 8);
/// assert_eq!(spec.to_string(), "path:n=5");
///
/// let error = "path:m=5".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().starts_with("path:m=5: unknown key of path `m`"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The generator, with its parameters.
    pub generator: Generator,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The range of the weights; `None` for no weights. An undirected edge has the same weight in
    /// both directions.
    pub weights: Option<WeightRange>,
    /// Whether edges are directed, as generated. Otherwise the graph is undirected.
    pub directed: bool,
}

impl Spec {
    /// The spec of an undirected graph without weights, with seed 1.
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
    /// Fails if the parameters are invalid or exceed [`MAX_VERTICES`] vertices or
    /// [`MAX_GENERATED_EDGES`] edges, if the generator makes matrices, and if memory is
    /// insufficient.
    pub fn generate(&self) -> Result<Graph> {
        self.generate_by(&self.builder()?)
    }

    /// The graph that `builder` builds from the generated edges.
    pub(crate) fn generate_by(&self, builder: &GraphBuilder) -> Result<Graph> {
        self.check_memory(self.memory_by(builder))?;
        builder.build(self.edges()?)
    }

    /// The peak number of bytes of [`Spec::generate`], including the graph; for a matrix, that of
    /// [`Spec::generate_matrix`] with 64-bit values.
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
        let (edges, weights) = (self.most_edges(), self.weight_bytes());
        let building = builder.memory_of(self.vertices(), edges, weights);
        Edges::memory_of(edges, weights).saturating_add(building)
    }

    /// The peak number of bytes of [`Spec::generate_matrix`].
    fn memory_of_matrix<T: Value>(&self) -> u64 {
        let (edges, weights) = (self.most_edges(), self.weight_bytes());
        let Ok(builder) = self.builder() else {
            let rows = self.shape().map_or(0, |(rows, _)| rows.into());
            let making = assemble::memory_of::<T>(rows, edges, 0);
            return Edges::memory_of(edges, weights).saturating_add(making);
        };
        let entries = builder.most_entries(edges);
        let graph = bytes_of::<u64>(self.vertices())
            .saturating_add(entries.saturating_mul(size_of::<u32>() as u64 + weights));
        self.memory_by(&builder).max(graph.saturating_add(bytes_of::<T>(entries)))
    }

    fn weight_bytes(&self) -> u64 {
        self.weights.map_or(0, WeightRange::bytes_each)
    }

    pub(super) fn vertices(&self) -> u64 {
        within_u64(self.generator.family().size().vertices)
    }

    fn most_edges(&self) -> u64 {
        within_u64(self.generator.family().most_edges())
    }

    fn check_memory(&self, bytes: u64) -> Result<()> {
        self.checked()?;
        memory::check(format_args!("generating {self}"), bytes)
    }

    /// Generates the matrix, or the adjacency matrix of a graph. The value of an entry is its
    /// weight, or 1.
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

    /// The rows and columns if the generator makes matrices; `None` for graphs.
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

    /// The edges in the order of generation, each undirected edge once, before any are dropped.
    ///
    /// Fails as [`Spec::generate`] does.
    pub fn edges(&self) -> Result<Edges> {
        self.check_memory(Edges::memory_of(self.most_edges(), self.weight_bytes()))?;
        let family = self.generator.family();
        let (sources, targets) = family.ends(0..family.blocks(), self.seed, self.directed);
        let numbers = 0..sources.len() as u64;
        let weights = self.weights.map(|range| range.draw(numbers, self.seed));
        Edges::new(sources, targets, weights)
    }

    /// The builder of a graph from the edges. Fails if they are the entries of a matrix.
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

    pub(super) fn checked(&self) -> Result<Size> {
        self.check().map_err(|message| Error::Spec { spec: self.to_string(), message })
    }

    /// The size of the graph; fails if the graph cannot be generated.
    pub(super) fn check(&self) -> Result<Size, String> {
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
