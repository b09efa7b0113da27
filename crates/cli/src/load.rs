//! The graph, matrix or tensor that a user names.

use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};

use equipoise::graph::{
    Error, Graph, Matrix, SparseTensor, Value, VertexIds, Weights,
    io::{Format, Progress, ReadOptions},
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, LoadArguments},
    edges,
    failure::{Failure, Result},
    files::GraphName,
    numbers,
    progress::Bar,
    screen::Screen,
};

/// Only what lies in a mapped file is left to be checked; nothing is said of the rest.
const SHORTEST_CHECK: Duration = Duration::from_micros(100);

/// How long it took to get the input.
#[derive(Clone, Copy, Debug)]
pub struct LoadTimes {
    load: Duration,
    check: Duration,
}

/// A graph, and how it was called.
pub struct LoadedGraph {
    pub graph: Graph,
    name: String,
    times: LoadTimes,
}

/// A matrix, the names of its rows, and how it was called.
pub struct LoadedMatrix<T: Value> {
    pub matrix: Matrix<T>,
    pub rows: VertexIds,
    name: String,
    times: LoadTimes,
}

/// A tensor, and how it was called.
pub struct LoadedTensor {
    pub tensor: SparseTensor,
    /// The first coordinate, as the input counts.
    pub first: u64,
    name: String,
    load: Duration,
}

/// What a JSON document says of its graph.
#[derive(Serialize)]
pub struct GraphFacts<'a> {
    name: &'a str,
    vertices: u32,
    directed_edges: u64,
    undirected: bool,
    weights: Option<&'static str>,
    load_seconds: f64,
    check_seconds: f64,
}

/// What a JSON document says of a matrix.
#[derive(Serialize)]
pub struct MatrixFacts<'a> {
    name: &'a str,
    rows: u32,
    columns: u32,
    entries: u64,
    load_seconds: f64,
    check_seconds: f64,
}

/// What a JSON document says of a tensor.
#[derive(Serialize)]
pub struct TensorFacts<'a> {
    name: &'a str,
    shape: [u32; 3],
    nonzeros: u64,
    load_seconds: f64,
}

/// What helps a newcomer who names no file.
const GRAPH_HINT: &str = "a graph is a file or a generator's spec such as rmat:scale=18; \
                          `equipoise generate --help` lists the generators";
const TENSOR_HINT: &str = "a tensor is a .tns file or a spec such as \
                           tensor:i=300,j=200,k=100,nonzeros=5000; `equipoise mttkrp --help` lists \
                           the keys";

/// Loads the graph.
pub fn graph(arguments: &GraphArguments, screen: &mut Screen) -> Result<LoadedGraph> {
    let name = &arguments.graph;
    let start = Instant::now();
    let graph = with_bar(name, GRAPH_HINT, screen, |progress| {
        name.load(&arguments.load.options(progress))
    })?;
    let times = LoadTimes::checked(start, || graph.check())?;
    Ok(LoadedGraph { graph, name: name.text().into_owned(), times })
}

/// Loads a matrix. What is not Matrix Market holds a graph, and its rows are called as there.
pub fn matrix<T: Value>(
    name: &GraphName,
    arguments: &LoadArguments,
    screen: &mut Screen,
) -> Result<LoadedMatrix<T>> {
    let start = Instant::now();
    let format = name.exists().then(|| arguments.format.or_else(|| Format::of_path(name)));
    let load = |options: &ReadOptions| match format.flatten() {
        Some(Format::MatrixMarket) => {
            Ok((name.load_matrix(options)?, VertexIds::Dense { first: 1 }))
        }
        Some(Format::Eqp) => {
            let rows = name.load(options).map(|graph| graph.ids().clone());
            Ok((name.load_matrix(options)?, rows.unwrap_or_default()))
        }
        _ if name.spec().is_some_and(|spec| spec.shape().is_some()) => {
            Ok((name.load_matrix(options)?, VertexIds::default()))
        }
        _ => {
            let graph = name.load(options)?;
            Ok((Matrix::from_graph(&graph)?, graph.ids().clone()))
        }
    };
    let (matrix, rows) =
        with_bar(name, GRAPH_HINT, screen, |progress| load(&arguments.options(progress)))?;
    let times = LoadTimes::checked(start, || matrix.check())?;
    Ok(LoadedMatrix { matrix, rows, name: name.text().into_owned(), times })
}

/// Loads a tensor. Files count coordinates from 1, generators from 0.
pub fn tensor(name: &GraphName, screen: &mut Screen) -> Result<LoadedTensor> {
    let start = Instant::now();
    let first = u64::from(name.exists());
    let tensor = with_bar(name, TENSOR_HINT, screen, |progress| name.load_tensor(progress))?;
    Ok(LoadedTensor { tensor, first, name: name.text().into_owned(), load: start.elapsed() })
}

fn with_bar<R>(
    name: &GraphName,
    hint: &'static str,
    screen: &Screen,
    work: impl FnOnce(Option<&dyn Progress>) -> equipoise::graph::Result<R>,
) -> Result<R> {
    if name.is_dir() {
        return Err(Failure::new(format!("{name}: this is a folder, not a file")));
    }
    let bar = Bar::new(&name.text());
    let progress = if screen.is_quiet() { None } else { Some(&bar as _) };
    work(progress).map_err(|error| with_hint(error, name, hint))
}

/// The failure, and what may help a newcomer.
fn with_hint(error: Error, name: &GraphName, hint: &'static str) -> Failure {
    let missing =
        matches!(&error, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound);
    let nameless = matches!(&error, Error::UnknownFormat { .. });
    let failure = match missing {
        true => Failure::new(format!("{name}: there is no such file")),
        false => Failure::from(error),
    };
    match (missing, nameless) {
        (true, _) => failure.hint(hint),
        (_, true) => failure.hint("say which it is with --format"),
        _ => failure,
    }
}

impl LoadTimes {
    /// The time since `start`, and that of the check.
    fn checked(
        start: Instant,
        check: impl FnOnce() -> equipoise::graph::Result<()>,
    ) -> Result<Self> {
        let load = start.elapsed();
        let start = Instant::now();
        check()?;
        Ok(Self { load, check: start.elapsed() })
    }

    fn print(self, screen: &mut Screen) -> Result<()> {
        let load = numbers::time(self.load);
        match self.check < SHORTEST_CHECK && !screen.is_verbose() {
            true => screen.fact("loaded", format_args!("in {load}")),
            false => {
                let check = numbers::time(self.check);
                screen.fact("loaded", format_args!("in {load}, checked in {check}"))
            }
        }
    }
}

impl LoadedGraph {
    /// Prints what was loaded.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        if screen.shows_text() {
            let graph = &self.graph;
            let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
            let edges = numbers::counted(edges::count(graph, |_| true), "edge", "edges");
            let direction = if graph.is_undirected() { "undirected" } else { "directed" };
            let weights = graph
                .weights()
                .map_or(String::new(), |weights| format!(", {} weights", weights.type_name()));
            let name = &self.name;
            screen
                .fact("graph", format_args!("{name}: {vertices}, {edges}, {direction}{weights}"))?;
        }
        self.times.print(screen)
    }

    /// The same for programs.
    pub fn facts(&self) -> GraphFacts<'_> {
        GraphFacts {
            name: &self.name,
            vertices: self.graph.vertices(),
            directed_edges: self.graph.edges(),
            undirected: self.graph.is_undirected(),
            weights: self.graph.weights().map(Weights::type_name),
            load_seconds: self.times.load.as_secs_f64(),
            check_seconds: self.times.check.as_secs_f64(),
        }
    }
}

impl LoadedTensor {
    /// Prints what was loaded.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let [i, j, k] = self.tensor.shape();
        let nonzeros = numbers::counted(self.tensor.nonzeros(), "nonzero", "nonzeros");
        screen.fact("tensor", format_args!("{}: {i} × {j} × {k}, {nonzeros}", self.name))?;
        screen.fact("loaded", format_args!("in {}", numbers::time(self.load)))
    }

    /// The same for programs.
    pub fn facts(&self) -> TensorFacts<'_> {
        TensorFacts {
            name: &self.name,
            shape: self.tensor.shape(),
            nonzeros: self.tensor.nonzeros(),
            load_seconds: self.load.as_secs_f64(),
        }
    }
}

impl<T: Value> LoadedMatrix<T> {
    /// Prints what was loaded.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let (rows, columns) = (self.matrix.rows(), self.matrix.columns());
        let entries = numbers::counted(self.matrix.entries(), "entry", "entries");
        let name = &self.name;
        screen.fact("matrix", format_args!("{name}: {rows} × {columns}, {entries}"))?;
        self.times.print(screen)
    }

    /// The same for programs.
    pub fn facts(&self) -> MatrixFacts<'_> {
        MatrixFacts {
            name: &self.name,
            rows: self.matrix.rows(),
            columns: self.matrix.columns(),
            entries: self.matrix.entries(),
            load_seconds: self.times.load.as_secs_f64(),
            check_seconds: self.times.check.as_secs_f64(),
        }
    }
}
