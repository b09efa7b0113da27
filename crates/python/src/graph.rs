//! Graphs on a device.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use equipoise::{
    LoadedGraph,
    device::{Device, OpenDevice},
    graph::{
        Csr, Duplicates, Edges, GraphBuilder, SelfLoops, VertexId, VertexIds, WeightType, Weights,
        generate::Spec,
        io::{Format, IdKind, Progress, ReadOptions, TableOptions, read_graph},
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

/// A graph on a device. Clones share it.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct Graph(Arc<Loaded>);

struct Loaded {
    /// Borrows from `graph` and is dropped before it, because fields are dropped in order.
    on_device: LoadedGraph<'static>,
    graph: Arc<equipoise::graph::Graph>,
    device: Device,
    /// What the reader guessed about the file.
    notes: Vec<String>,
}

/// Keeps what a reader guesses.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn start(&self, _what: &str, _total: u64) {}

    fn advance(&self, _bytes: u64) {}

    fn finish(&self) {}

    fn note(&self, note: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note.to_owned());
    }
}

impl Graph {
    fn new(
        graph: Arc<equipoise::graph::Graph>,
        device: Device,
        notes: Vec<String>,
    ) -> Result<Self, Failure> {
        let open = match device.open()? {
            // Not every GPU adds 64-bit weights, and `auto` must support every algorithm.
            OpenDevice::Gpu(gpu)
                if device == Device::Auto && is_wide(&graph) && !gpu.has_wide_sums() =>
            {
                OpenDevice::Cpu
            }
            open => open,
        };
        // SAFETY: the contents of an `Arc` do not move and are not modified. `Loaded` owns the
        // `Arc`, drops it last, and returns nothing that borrows the graph for longer than itself:
        // see `on_device`.
        let forever: &'static equipoise::graph::Graph = unsafe { &*Arc::as_ptr(&graph) };
        let on_device = LoadedGraph::new(&open, forever)?;
        let device = named(device, &open);
        Ok(Self(Arc::new(Loaded { on_device, graph, device, notes })))
    }

    fn on_cpu(graph: equipoise::graph::Graph) -> Result<Self, Failure> {
        Self::new(Arc::new(graph), Device::Cpu, Vec::new())
    }

    /// Runs `work` on the graph on its device. The lifetime is generic, so that `work` cannot keep
    /// the graph.
    pub fn on_device<T>(&self, work: impl for<'a> FnOnce(&LoadedGraph<'a>) -> T) -> T {
        work(&self.0.on_device)
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// The graph.
    pub fn graph(&self) -> &equipoise::graph::Graph {
        &self.0.graph
    }
}

fn is_wide(graph: &equipoise::graph::Graph) -> bool {
    matches!(graph.weights(), Some(Weights::F64(_)))
}

/// The name of an open device, in which `auto` is resolved.
pub fn named(requested: Device, open: &OpenDevice) -> Device {
    match (requested, open) {
        (_, OpenDevice::Cpu) => Device::Cpu,
        (Device::Auto, OpenDevice::Gpu(gpu)) if gpu.is_cuda() => Device::Cuda(0),
        (Device::Auto, OpenDevice::Gpu(_)) => Device::Wgpu(0),
        (named, _) => named,
    }
}

fn parse_weights(name: &str) -> Result<WeightType, Failure> {
    name.parse().map_err(|error: equipoise::graph::UnknownName| Failure::Value(error.to_string()))
}

/// Parses a device.
pub fn parse_device(name: &str) -> Result<Device, Failure> {
    name.parse().map_err(|error: equipoise::graph::UnknownName| Failure::Value(error.to_string()))
}

#[pymethods]
impl Graph {
    /// Creates a graph from edges in any order.
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

    /// Creates a directed graph from compressed rows, which are shared with Python.
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

    /// Reads a graph from a file.
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
        weights: String,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let unknown = |error: equipoise::graph::UnknownName| Failure::Value(error.to_string());
            let format = format.map(|name| name.parse::<Format>().map_err(unknown)).transpose()?;
            let ids: IdKind = ids.parse().map_err(unknown)?;
            let notes = Notes::default();
            let options = ReadOptions {
                format,
                undirected,
                duplicates: if drop_duplicates { Duplicates::Drop } else { Duplicates::Keep },
                self_loops: if drop_self_loops { SelfLoops::Drop } else { SelfLoops::Keep },
                weights: parse_weights(&weights)?,
                table: TableOptions { ids, header, columns: columns.as_deref() },
                progress: Some(&notes),
            };
            let graph = read_graph(&path, &options)?;
            let notes = notes.0.into_inner().unwrap_or_else(PoisonError::into_inner);
            Self::new(Arc::new(graph), Device::Cpu, notes)
        })
    }

    /// Generates the graph that a spec describes.
    #[staticmethod]
    fn generate(py: Python<'_>, spec: String, weights: String) -> PyResult<Self> {
        work::run(py, move || {
            let weights = parse_weights(&weights)?;
            Self::on_cpu(spec.parse::<Spec>()?.generate()?.with_weight_type(weights)?)
        })
    }

    /// The same graph on another device.
    fn to(&self, py: Python<'_>, device: String) -> PyResult<Self> {
        let (graph, notes) = (self.0.graph.clone(), self.0.notes.clone());
        work::run(py, move || Self::new(graph, parse_device(&device)?, notes))
    }

    /// What the reader guessed about the file.
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    #[getter]
    #[pyo3(name = "device")]
    fn device_name(&self) -> String {
        self.0.device.to_string()
    }

    #[getter]
    fn vertices(&self) -> u32 {
        self.graph().vertices()
    }

    /// The number of edges; each undirected edge counts once.
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

    /// The compressed rows: the start of each, the neighbours and the weights, or `None`.
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

    /// The vertex with an id of the file: a number or a name.
    fn vertex(&self, id: Id) -> Option<u32> {
        match &id {
            Id::Number(number) => self.graph().vertex(*number),
            Id::Name(name) => self.graph().vertex(name.as_str()),
        }
    }

    /// The ids of the vertices in the file: an array of numbers, a list of names, or `None` if they
    /// are counted from 0.
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

#[derive(FromPyObject)]
enum Id {
    Number(u64),
    Name(String),
}
