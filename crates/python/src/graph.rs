//! Graphs on a device.

use std::{path::PathBuf, sync::Arc};

use equipoise::{
    LoadedGraph,
    device::{Device, OpenDevice},
    graph::{
        Csr, Duplicates, Edges, GraphBuilder, SelfLoops, VertexId, VertexIds, Weights,
        generate::Spec,
        io::{Format, IdKind, ReadOptions, TableOptions, read_graph},
    },
};
use pyo3::{prelude::*, types::PyList};
use rayon::prelude::*;

use crate::{
    array::Array,
    errors::Failure,
    input::{self, Numbers},
    shared::{SharedNumbers, SharedRows},
    work,
};

/// A graph on a device. Clones are the same one.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct Graph(Arc<Loaded>);

struct Loaded {
    /// Looks at `graph` and is dropped before it, as fields are in their order.
    on_device: LoadedGraph<'static>,
    graph: Arc<equipoise::graph::Graph>,
    device: Device,
}

impl Graph {
    fn new(graph: Arc<equipoise::graph::Graph>, device: Device) -> Result<Self, Failure> {
        let open = device.open()?;
        // SAFETY: what an `Arc` holds does not move, and nobody changes it. `Loaded` has the `Arc` and drops it last, and
        // gives out nothing that looks at the graph for longer than itself: see `on_device`.
        let forever: &'static equipoise::graph::Graph = unsafe { &*Arc::as_ptr(&graph) };
        let on_device = LoadedGraph::new(&open, forever)?;
        let device = named(device, &open);
        Ok(Self(Arc::new(Loaded { on_device, graph, device })))
    }

    fn on_cpu(graph: equipoise::graph::Graph) -> Result<Self, Failure> {
        Self::new(Arc::new(graph), Device::Cpu)
    }

    /// Does something with the graph on its device. It is not told how long the graph lives, and so cannot keep it.
    pub fn on_device<T>(&self, work: impl for<'a> FnOnce(&LoadedGraph<'a>) -> T) -> T {
        work(&self.0.on_device)
    }

    /// The graph.
    pub fn graph(&self) -> &equipoise::graph::Graph {
        &self.0.graph
    }
}

/// The name of a device that is open: `auto` has become one.
pub fn named(asked: Device, open: &OpenDevice) -> Device {
    match (asked, open) {
        (_, OpenDevice::Cpu) => Device::Cpu,
        (Device::Auto, OpenDevice::Gpu(gpu)) if gpu.is_cuda() => Device::Cuda(0),
        (Device::Auto, OpenDevice::Gpu(_)) => Device::Wgpu(0),
        (named, _) => named,
    }
}

/// The device of a name.
pub fn device_of(name: &str) -> Result<Device, Failure> {
    name.parse().map_err(|error: equipoise::graph::UnknownName| Failure::Value(error.to_string()))
}

#[pymethods]
impl Graph {
    /// A graph of edges in any order.
    #[staticmethod]
    fn from_edges(
        py: Python<'_>,
        sources: Numbers,
        targets: Numbers,
        weights: Option<Numbers>,
        undirected: bool,
        vertices: Option<u64>,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let sources = input::vertices(sources, "source")?;
            let targets = input::vertices(targets, "target")?;
            let weights = weights.map(input::weights).transpose()?;
            let builder = GraphBuilder::new().undirected(undirected);
            let builder = match vertices {
                Some(vertices) => builder.vertices(vertices),
                None => builder,
            };
            Self::on_cpu(builder.build(Edges::new(sources, targets, weights)?)?)
        })
    }

    /// A directed graph of compressed rows, which are shared with Python.
    #[staticmethod]
    fn from_shared_rows(
        py: Python<'_>,
        rows: SharedRows,
        weights: Option<SharedNumbers>,
        vertices: u32,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let csr = Csr::from_storage(vertices, rows.offsets, rows.columns)?;
            let weights = weights.map(SharedNumbers::weights).transpose()?;
            Self::on_cpu(equipoise::graph::Graph::from_csr(csr, weights, false)?)
        })
    }

    /// A graph from a file.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of `equipoise.read`")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        format: Option<String>,
        undirected: bool,
        drop_duplicates: bool,
        drop_self_loops: bool,
        ids: String,
        header: Option<bool>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let unknown = |error: equipoise::graph::UnknownName| Failure::Value(error.to_string());
            let format = format.map(|name| name.parse::<Format>().map_err(unknown)).transpose()?;
            let ids: IdKind = ids.parse().map_err(unknown)?;
            let options = ReadOptions {
                format,
                undirected,
                duplicates: if drop_duplicates { Duplicates::Drop } else { Duplicates::Keep },
                self_loops: if drop_self_loops { SelfLoops::Drop } else { SelfLoops::Keep },
                table: TableOptions { ids, header, columns: columns.as_deref() },
                progress: None,
            };
            Self::on_cpu(read_graph(&path, &options)?)
        })
    }

    /// A graph that a spec describes.
    #[staticmethod]
    fn generate(py: Python<'_>, spec: String) -> PyResult<Self> {
        work::run(py, move || Self::on_cpu(spec.parse::<Spec>()?.generate()?))
    }

    /// The same graph on another device.
    fn to(&self, py: Python<'_>, device: String) -> PyResult<Self> {
        let graph = self.0.graph.clone();
        work::run(py, move || Self::new(graph, device_of(&device)?))
    }

    #[getter]
    fn device(&self) -> String {
        self.0.device.to_string()
    }

    #[getter]
    fn vertices(&self) -> u32 {
        self.graph().vertices()
    }

    /// How many edges there are: those of an undirected graph once.
    #[getter]
    fn edges(&self) -> u64 {
        let graph = self.graph();
        let is_once = |vertex: u32, other: u32| !graph.is_undirected() || vertex <= other;
        let of_row = |vertex: u32| {
            graph.neighbors(vertex).iter().filter(|&&other| is_once(vertex, other)).count() as u64
        };
        (0..graph.vertices()).into_par_iter().map(of_row).sum()
    }

    #[getter]
    fn undirected(&self) -> bool {
        self.graph().is_undirected()
    }

    /// The rows of neighbours: where each starts, the neighbours and the weights, or nothing.
    fn rows(&self) -> (Array, Array, Option<Array>) {
        let graph = &self.0.graph;
        let weights = graph.weights().map(|weights| match weights {
            Weights::U32(weights) => Array::of(&Arc::new(weights.clone()), |all| all),
            Weights::F32(weights) => Array::of(&Arc::new(weights.clone()), |all| all),
            Weights::F64(weights) => Array::of(&Arc::new(weights.clone()), |all| all),
        });
        let offsets = Array::of(graph, |graph| graph.csr().offsets());
        (offsets, Array::of(graph, |graph| graph.csr().indices()), weights)
    }

    /// The vertex of an id of the file: a number or a name.
    fn vertex(&self, id: Id) -> Option<u32> {
        match &id {
            Id::Number(number) => self.graph().vertex(*number),
            Id::Name(name) => self.graph().vertex(name.as_str()),
        }
    }

    /// What a file calls the vertices: an array of numbers, a list of names, or nothing where they are numbered from 0.
    fn ids(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let numbers = |numbers: Vec<u64>| Ok(Some(Py::new(py, Array::from(numbers))?.into_any()));
        let vertices = 0..self.graph().vertices();
        match self.graph().ids() {
            VertexIds::Dense { first: 0 } => Ok(None),
            VertexIds::Dense { first } => {
                numbers(vertices.map(|vertex| first + u64::from(vertex)).collect())
            }
            VertexIds::Table(table) => numbers(table.to_vec()),
            ids @ VertexIds::Names(_) => {
                let names = vertices.map(|vertex| match ids.id(vertex) {
                    VertexId::Name(name) => name.to_owned(),
                    VertexId::Number(number) => number.to_string(),
                });
                Ok(Some(PyList::new(py, names.collect::<Vec<_>>())?.into_any().unbind()))
            }
        }
    }
}

/// What a vertex is called.
#[derive(FromPyObject)]
enum Id {
    Number(u64),
    Name(String),
}
