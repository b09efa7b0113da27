//! A graph: compressed rows of neighbours, with weights and the input file's vertex ids.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::{
    Csr, Error, MAX_ON_DEVICE, Result, VertexId, VertexIds, Weights, integrity::Integrity,
    symmetry::find_one_way_edge,
};

/// Rows that a thread looks at at once.
const ROWS_AT_ONCE: usize = 1 << 12;

/// A directed or undirected graph over the vertices `0..n`, with optional weights.
///
/// An undirected graph holds each edge in both directions (a self-loop once), so that
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

/// What is found out of all rows at once.
#[derive(Clone, Copy, Debug)]
struct Shape {
    is_simple: bool,
    max_degree: usize,
}

impl Default for Shape {
    /// Of no rows.
    fn default() -> Self {
        Self { is_simple: true, max_degree: 0 }
    }
}

impl Shape {
    fn and(self, other: Self) -> Self {
        let is_simple = self.is_simple && other.is_simple;
        Self { is_simple, max_degree: self.max_degree.max(other.max_degree) }
    }
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
    /// Where each edge starts, ascending.
    pub sources: Vec<u32>,
    /// Where each edge ends.
    pub targets: &'a [u32],
    /// The weight of each edge.
    pub weights: Option<&'a Weights>,
}

impl Graph {
    /// A graph from compressed rows, one a vertex, and a weight for each entry.
    ///
    /// Fails where the rows are not square, the lengths differ, or `undirected` is claimed though
    /// some edge has no reverse of the same weight.
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

    /// A graph from parts that are known to fit together.
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

    /// The same graph with the ids of its vertices, all to be checked when it is first worked with.
    pub(crate) fn with_integrity(mut self, ids: VertexIds, integrity: Integrity) -> Self {
        self.ids = ids;
        self.integrity = integrity;
        self
    }

    /// What says whether the graph is sound.
    pub(crate) fn integrity(&self) -> &Integrity {
        &self.integrity
    }

    /// The same graph with other names for its vertices.
    ///
    /// Fails where a table does not ascend or has not one id a vertex, and where ids do not fit
    /// into 64 bits.
    pub fn with_ids(mut self, ids: VertexIds) -> Result<Self> {
        ids.check(self.vertices())?;
        self.ids = ids;
        self.transpose = Arc::default();
        Ok(self)
    }

    /// The same graph with other weights, one an edge, or none.
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

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.csr.rows()
    }

    /// The number of directed edges: each edge of an undirected graph counts twice, self-loops
    /// aside.
    pub fn edges(&self) -> u64 {
        self.csr.entries()
    }

    /// The vertices that `vertex` has an edge to, ascending.
    #[inline]
    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        self.csr.row(vertex)
    }

    /// The number of edges that leave `vertex`.
    #[inline]
    pub fn degree(&self, vertex: u32) -> usize {
        self.csr.row_len(vertex)
    }

    /// The weight of each edge, in the order of [`Csr::indices`].
    pub fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }

    /// Whether each edge is there in both directions because the graph was built so.
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The names of the vertices in the input file.
    pub fn ids(&self) -> &VertexIds {
        &self.ids
    }

    /// The vertex that the input file calls `id`.
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

    /// Whether no vertex has an edge to itself, or two to the same other one. Found out at the first call and kept.
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

    /// The most edges that leave a vertex. Found out at the first call and kept.
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
            let row = offsets[vertex as usize] as usize..offsets[vertex as usize + 1] as usize;
            let row = &targets[row];
            let is_simple = row.is_sorted_by(|a, b| a < b) && !row.contains(&vertex);
            Shape { is_simple, max_degree: row.len() }
        };
        *self.shape.get_or_init(|| {
            let vertices = (0..self.vertices()).into_par_iter().with_min_len(ROWS_AT_ONCE);
            vertices.map(of_vertex).reduce(Shape::default, Shape::and)
        })
    }

    /// The rows of neighbours.
    pub fn csr(&self) -> &Csr {
        &self.csr
    }

    /// The graph with every edge reversed: itself where it is undirected, otherwise made at the
    /// first call and kept.
    ///
    /// Fails where there is not enough memory to make it.
    pub fn transpose(&self) -> Result<&Graph> {
        if self.undirected {
            return Ok(self);
        }
        if let Some(made) = self.transpose.get() {
            return Ok(made);
        }
        let (csr, weights) = match &self.weights {
            None => {
                let none = vec![(); self.csr.indices().len()];
                (self.csr.transpose(&none)?.0, None)
            }
            Some(Weights::U32(weights)) => {
                let (csr, weights) = self.csr.transpose(weights)?;
                (csr, Some(weights.into()))
            }
            Some(Weights::F32(weights)) => {
                let (csr, weights) = self.csr.transpose(weights)?;
                (csr, Some(weights.into()))
            }
            Some(Weights::F64(weights)) => {
                let (csr, weights) = self.csr.transpose(weights)?;
                (csr, Some(weights.into()))
            }
        };
        let made = Graph { ids: self.ids.clone(), ..Graph::from_parts(csr, weights, false) };
        Ok(self.transpose.get_or_init(|| made))
    }

    /// The edges in coordinate form.
    ///
    /// Fails where there is not enough memory.
    pub fn coo(&self) -> Result<Coo<'_>> {
        Ok(Coo {
            sources: self.csr.row_of_each_entry()?,
            targets: self.csr.indices(),
            weights: self.weights(),
        })
    }

    /// Makes sure that the graph is what it claims to be.
    ///
    /// Nothing is left to check in a graph that was built or parsed. One that lies in a
    /// memory-mapped file is compared with its checksum and its structure is checked at the first
    /// call; every algorithm of Equipoise makes that call. Other methods may panic on a graph
    /// that fails it.
    pub fn check(&self) -> Result<()> {
        self.integrity.check(|| {
            self.csr.check()?;
            self.ids.check(self.vertices())?;
            self.check_symmetry()
        })
    }

    /// Whether devices can hold the graph: they number vertices and edges together by 32 bits, some
    /// of which are left for the strides of their loops.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// assert!(graph.check_fits_device().is_ok());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn check_fits_device(&self) -> Result<()> {
        fits_device(self.vertices().into(), self.edges())
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
fn fits_device(vertices: u64, edges: u64) -> Result<()> {
    match vertices.saturating_add(edges) < MAX_ON_DEVICE {
        true => Ok(()),
        false => Err(Error::TooManyForDevice { vertices, edges }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_edges_fit_a_device_together() {
        assert!(fits_device(1 << 20, MAX_ON_DEVICE - (1 << 20) - 1).is_ok());
        let error = fits_device(1 << 20, MAX_ON_DEVICE - (1 << 20)).unwrap_err().to_string();
        assert_eq!(
            error,
            "1048576 vertices and 4277141503 edges are too many for a device: together they must be \
             fewer than 4278190079"
        );
        assert!(fits_device(u64::MAX, u64::MAX).is_err());
    }
}
