//! A graph: compressed rows of neighbours, with weights and the vertex ids of the input file.

use std::sync::{Arc, OnceLock};

use crate::{
    Csr, Error, Result, VertexId, VertexIds, WeightType, Weights, integrity::Integrity,
    parallel::*, symmetry::find_one_way_edge, weights::of_any_type,
};

/// The number of rows per parallel task.
const ROWS_AT_ONCE: usize = 1 << 12;

/// A directed or undirected graph over the vertices `0..n`, with optional weights.
///
/// An undirected graph stores each edge in both directions (a self-loop once), so that
/// [`Graph::edges`] counts directed edges in either case. Cloning is cheap.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 2, 9u32), (0, 1, 4)]))?;
/// assert_eq!(graph.neighbors(0), [1, 2]);
/// assert_eq!(graph.transpose()?.neighbors(2), [0]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    csr: Csr,
    weights: Option<Weights>,
    undirected: bool,
    ids: VertexIds,
    transpose: Arc<OnceLock<Graph>>,
    shape: Arc<OnceLock<Shape>>,
    integrity: Integrity,
}

/// Properties computed from all rows in a single pass.
#[derive(Clone, Copy, Debug)]
struct Shape {
    is_simple: bool,
    max_degree: usize,
}

/// A graph's edges in coordinate form: edge `e` goes from `sources[e]` to `targets[e]`.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(1, 0), (0, 1)]))?;
/// let coo = graph.coo()?;
/// assert_eq!((&coo.sources[..], coo.targets), (&[0, 1][..], &[1, 0][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coo<'a> {
    /// The source of each edge, ascending.
    pub sources: Vec<u32>,
    /// The target of each edge.
    pub targets: &'a [u32],
    /// The weight of each edge.
    pub weights: Option<&'a Weights>,
}

impl Graph {
    /// Creates a graph from compressed rows, one per vertex, and a weight per entry.
    ///
    /// Fails if the rows are not square, the lengths differ, or `undirected` is true though an edge
    /// has no reverse of the same weight.
    ///
    /// ```
    /// use equipoise_graph::{Csr, Graph};
    ///
    /// let one_way = Csr::new(2, vec![0, 1, 1], vec![1])?;
    /// assert!(Graph::from_csr(one_way.clone(), None, false).is_ok());
    /// assert!(Graph::from_csr(one_way, None, true).is_err());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_csr(csr: Csr, weights: Option<Weights>, undirected: bool) -> Result<Self> {
        if csr.rows() != csr.columns() {
            return Err(Error::NotSquare { rows: csr.rows(), columns: csr.columns() });
        }
        if let Some(weights) = &weights
            && weights.len() as u64 != csr.entries()
        {
            let (expected, found) = (csr.entries(), weights.len() as u64);
            return Err(Error::Length { what: "weights of edges", expected, found });
        }
        let graph = Self::from_parts(csr, weights, undirected);
        graph.check_symmetry()?;
        Ok(graph)
    }

    /// A graph from parts that are known to be consistent.
    pub(crate) fn from_parts(csr: Csr, weights: Option<Weights>, undirected: bool) -> Self {
        Self {
            csr,
            weights,
            undirected,
            ids: VertexIds::default(),
            transpose: Arc::default(),
            shape: Arc::default(),
            integrity: Integrity::Sound,
        }
    }

    /// The same graph with vertex ids; `integrity` is checked on first use.
    pub(crate) fn with_integrity(mut self, ids: VertexIds, integrity: Integrity) -> Self {
        self.ids = ids;
        self.integrity = integrity;
        self
    }

    /// The pending or completed check of the graph.
    pub(crate) fn integrity(&self) -> &Integrity {
        &self.integrity
    }

    /// The same graph with other vertex ids.
    ///
    /// Fails if a table is not ascending or has not one id per vertex, and if ids exceed 64 bits.
    pub fn with_ids(mut self, ids: VertexIds) -> Result<Self> {
        ids.check(self.vertices())?;
        self.ids = ids;
        self.transpose = Arc::default();
        Ok(self)
    }

    /// The same graph with other weights, one per edge, or without weights.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder, Weights};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let weighted = graph.with_weights(Some(Weights::from(vec![1u32, 1])))?;
    /// assert_eq!(weighted.weights().unwrap().len(), 2);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn with_weights(self, weights: Option<Weights>) -> Result<Self> {
        self.check()?;
        let undirected = self.undirected;
        Self::from_csr(self.csr, weights, undirected)?.with_ids(self.ids)
    }

    /// The same graph with its weights in another type. Fails as [`Weights::converted`] does.
    ///
    /// ```
    /// use equipoise_graph::{WeightType, generate::Spec};
    ///
    /// let graph = "path:n=3,weights=0.1..0.1".parse::<Spec>()?.generate()?;
    /// let narrow = graph.with_weight_type(WeightType::F32)?;
    /// assert_eq!(narrow.weights().unwrap().get(0), f64::from(0.1f32));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn with_weight_type(mut self, weights: WeightType) -> Result<Self> {
        let has_it =
            |stored: &Weights| weights == WeightType::Auto || stored.type_name() == weights.name();
        if self.weights.as_ref().is_none_or(has_it) {
            return Ok(self);
        }
        self.check()?;
        let converted = self.weights.take().map(|all| all.converted(weights)).transpose()?;
        self.with_weights(converted)
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.csr.rows()
    }

    /// The number of directed edges: each edge of an undirected graph counts twice, except
    /// self-loops.
    pub fn edges(&self) -> u64 {
        self.csr.entries()
    }

    /// The targets of the edges of `vertex`, ascending.
    #[inline]
    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        self.csr.row(vertex)
    }

    /// The out-degree of `vertex`.
    #[inline]
    pub fn degree(&self, vertex: u32) -> usize {
        self.csr.row_len(vertex)
    }

    /// The weight of each edge, in the order of [`Csr::indices`].
    pub fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }

    /// Whether the graph was built as undirected, with each edge in both directions.
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The ids of the vertices in the input file.
    pub fn ids(&self) -> &VertexIds {
        &self.ids
    }

    /// The vertex with the id `id` in the input file.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder, VertexIds};
    ///
    /// let ids = VertexIds::Dense { first: 1 };
    /// let graph = GraphBuilder::new().ids(ids).build(Edges::from(vec![(0, 1)]))?;
    /// assert_eq!(graph.vertex(2), Some(1));
    /// assert_eq!(graph.vertex(0), None);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn vertex<'i>(&self, id: impl Into<VertexId<'i>>) -> Option<u32> {
        self.ids.vertex(id, self.vertices())
    }

    /// Whether the graph has neither self-loops nor parallel edges. Computed on the first call and
    /// cached.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    ///
    /// let graph = |edges| GraphBuilder::new().build(Edges::from(edges));
    /// assert!(graph(vec![(0, 1), (1, 2)])?.is_simple());
    /// assert!(!graph(vec![(0, 1), (1, 2), (0, 1)])?.is_simple());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn is_simple(&self) -> bool {
        self.shape().is_simple
    }

    /// The largest out-degree. Computed on the first call and cached.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (1, 0)]))?;
    /// assert_eq!(graph.max_degree(), 2);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn max_degree(&self) -> usize {
        self.shape().max_degree
    }

    fn shape(&self) -> Shape {
        let (offsets, targets) = (self.csr.offsets(), self.csr.indices());
        let of_vertex = |vertex: u32| {
            let range = offsets[vertex as usize] as usize..offsets[vertex as usize + 1] as usize;
            let row = &targets[range];
            let is_simple = row.is_sorted_by(|a, b| a < b) && !row.contains(&vertex);
            Shape { is_simple, max_degree: row.len() }
        };
        let and = |a: Shape, b: Shape| Shape {
            is_simple: a.is_simple && b.is_simple,
            max_degree: a.max_degree.max(b.max_degree),
        };
        *self.shape.get_or_init(|| {
            let vertices = (0..self.vertices()).into_par_iter().with_min_len(ROWS_AT_ONCE);
            let empty = || Shape { is_simple: true, max_degree: 0 };
            vertices.map(of_vertex).reduce(empty, and)
        })
    }

    /// The rows of neighbours.
    pub fn csr(&self) -> &Csr {
        &self.csr
    }

    /// The graph with every edge reversed: itself if it is undirected, otherwise computed on the
    /// first call and cached.
    ///
    /// Fails if memory is insufficient.
    pub fn transpose(&self) -> Result<&Graph> {
        if self.undirected {
            return Ok(self);
        }
        if let Some(cached) = self.transpose.get() {
            return Ok(cached);
        }
        let (csr, weights) = match &self.weights {
            None => {
                let none = vec![(); self.csr.indices().len()];
                (self.csr.transpose(&none)?.0, None)
            }
            Some(weights) => of_any_type!(weights, all => {
                let (csr, weights) = self.csr.transpose(all)?;
                (csr, Some(weights.into()))
            }),
        };
        let reversed = Graph { ids: self.ids.clone(), ..Graph::from_parts(csr, weights, false) };
        Ok(self.transpose.get_or_init(|| reversed))
    }

    /// The edges in coordinate form.
    ///
    /// Fails if memory is insufficient.
    pub fn coo(&self) -> Result<Coo<'_>> {
        Ok(Coo {
            sources: self.csr.row_of_each_entry()?,
            targets: self.csr.indices(),
            weights: self.weights(),
        })
    }

    /// Checks the integrity of the graph.
    ///
    /// Graphs that were built or parsed are valid. For a graph in a memory-mapped file, the first
    /// call compares the checksum and validates the structure; every algorithm of Equipoise makes
    /// that call. Other methods may panic on an invalid graph. Each call fails if the file was
    /// written to since it was opened.
    pub fn check(&self) -> Result<()> {
        self.integrity.check(|| {
            self.csr.check()?;
            self.ids.check(self.vertices())?;
            self.check_symmetry()
        })
    }

    /// Runs `work` on the graph. Fails if the graph is in a memory-mapped file that was written to
    /// since it was opened, whether `work` returned a result, an error or panicked; and, for
    /// [shared](crate::Storage::shared) memory, if `work` panics because of a concurrent write.
    /// Methods of a graph on a device call it themselves.
    ///
    /// ```
    /// use equipoise_graph::{Edges, Error, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let degree = graph.while_unchanged(|| Ok::<_, Error>(graph.degree(0)))?;
    /// assert_eq!(degree, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn while_unchanged<T, E: From<Error>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.integrity.while_unchanged(|| self.csr.while_sound(work))
    }

    fn check_symmetry(&self) -> Result<()> {
        if !self.undirected {
            return Ok(());
        }
        match find_one_way_edge(&self.csr, self.weights.as_ref()) {
            None => Ok(()),
            Some((source, target)) => Err(Error::Structure(format!(
                "the graph is said to be undirected, but the edge from {} to {} has no reverse of \
                 the same weight",
                self.ids.id(source),
                self.ids.id(target)
            ))),
        }
    }
}

impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        self.csr == other.csr
            && self.weights == other.weights
            && self.undirected == other.undirected
            && self.ids == other.ids
    }
}
