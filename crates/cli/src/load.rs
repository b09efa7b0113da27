//! Loading of the input: a graph, matrix or tensor.

use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};

use equipoise::graph::{
    Error, Graph, Matrix, Remedy, SparseTensor, Value, VertexIds, Weights,
    io::{Progress, ReadOptions, read_matrix_and_rows},
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

/// Checks that take less time are not reported; only mapped files are checked after loading.
const SHORTEST_CHECK: Duration = Duration::from_micros(100);

/// The times to load and check the input.
#[derive(Clone, Copy, Debug)]
pub struct LoadTimes {
    load: Duration,
    check: Duration,
}

/// A graph from a file or a generator, with the name that the user gave.
pub struct InputGraph {
    pub graph: Graph,
    name: String,
    notes: Vec<String>,
    times: LoadTimes,
}

/// A matrix from a file or a generator, with the ids of its rows and the name that the user gave.
pub struct InputMatrix<T: Value> {
    pub matrix: Matrix<T>,
    pub rows: VertexIds,
    name: String,
    notes: Vec<String>,
    times: LoadTimes,
}

/// A tensor from a file or a generator, with the name that the user gave.
pub struct InputTensor {
    pub tensor: SparseTensor,
    /// The number of the first coordinate in the input.
    pub first: u64,
    name: String,
    load: Duration,
}

/// The description of a graph in JSON documents.
#[derive(Serialize)]
pub struct GraphFacts<'a> {
    name: &'a str,
    vertices: u32,
    directed_edges: u64,
    undirected: bool,
    weights: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    read: &'a [String],
    load_seconds: f64,
    check_seconds: f64,
}

/// The description of a matrix in JSON documents.
#[derive(Serialize)]
pub struct MatrixFacts<'a> {
    name: &'a str,
    rows: u32,
    columns: u32,
    entries: u64,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    read: &'a [String],
    load_seconds: f64,
    check_seconds: f64,
}

/// The description of a tensor in JSON documents.
#[derive(Serialize)]
pub struct TensorFacts<'a> {
    name: &'a str,
    shape: [u32; 3],
    nonzeros: u64,
    load_seconds: f64,
}

/// A hint for users who do not know what to pass.
const GRAPH_HINT: &str = "a graph is a file or a generator's spec such as rmat:scale=18; \
                          `equipoise generate --help` lists the generators";
const TENSOR_HINT: &str = "a tensor is a .tns file or a spec such as \
                           tensor:i=300,j=200,k=100,nonzeros=5000; `equipoise mttkrp --help` lists \
                           the keys";

/// Loads the graph.
pub fn graph(arguments: &GraphArguments, screen: &mut Screen) -> Result<InputGraph> {
    let name = &arguments.graph;
    graph_with(name, |progress| name.load(&arguments.options(progress)), screen)
}

/// Loads the graph `name` with `load`, which reports its progress.
pub fn graph_with(
    name: &GraphName,
    load: impl FnOnce(Option<&dyn Progress>) -> equipoise::graph::Result<Graph>,
    screen: &mut Screen,
) -> Result<InputGraph> {
    let start = Instant::now();
    let (graph, notes) = with_bar(name, GRAPH_HINT, screen, load)?;
    let times = LoadTimes::checked(start, || graph.check())?;
    Ok(InputGraph { graph, name: name.text().into_owned(), notes, times })
}

/// Loads a matrix. Other formats than Matrix Market contain graphs, whose vertex ids become the ids
/// of the rows.
pub fn matrix<T: Value>(
    name: &GraphName,
    arguments: &LoadArguments,
    screen: &mut Screen,
) -> Result<InputMatrix<T>> {
    let start = Instant::now();
    let load = |options: &ReadOptions| {
        if name.exists() {
            return read_matrix_and_rows(name, options);
        }
        if name.spec().is_some_and(|spec| spec.shape().is_some()) {
            return Ok((name.load_matrix(options)?, VertexIds::default()));
        }
        let graph = name.load(&ReadOptions { weights: T::WEIGHTS, ..*options })?;
        Ok((Matrix::from_graph(&graph)?, graph.ids().clone()))
    };
    let ((matrix, rows), notes) =
        with_bar(name, GRAPH_HINT, screen, |progress| load(&arguments.options(progress)))?;
    let times = LoadTimes::checked(start, || matrix.check())?;
    Ok(InputMatrix { matrix, rows, name: name.text().into_owned(), notes, times })
}

/// Loads a tensor. Files count coordinates from 1, generators from 0.
pub fn tensor(name: &GraphName, screen: &mut Screen) -> Result<InputTensor> {
    let start = Instant::now();
    let first = u64::from(name.exists());
    let (tensor, _) = with_bar(name, TENSOR_HINT, screen, |progress| name.load_tensor(progress))?;
    Ok(InputTensor { tensor, first, name: name.text().into_owned(), load: start.elapsed() })
}

/// Runs `work` with a progress bar; returns its result and the reader's notes.
fn with_bar<R>(
    name: &GraphName,
    hint: &'static str,
    screen: &Screen,
    work: impl FnOnce(Option<&dyn Progress>) -> equipoise::graph::Result<R>,
) -> Result<(R, Vec<String>)> {
    if name.is_dir() {
        return Err(Failure::new(format!("{name}: this is a folder, not a file")));
    }
    let bar = Bar::new(&name.text());
    let progress = if screen.is_quiet() { None } else { Some(&bar as _) };
    let loaded = work(progress).map_err(|error| with_hint(error, name, hint))?;
    Ok((loaded, bar.notes()))
}

/// Converts an error to a failure, with a hint for newcomers.
fn with_hint(error: Error, name: &GraphName, hint: &'static str) -> Failure {
    let missing =
        matches!(&error, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound);
    let nameless = matches!(&error, Error::UnknownFormat { .. });
    if let Error::Unclear { remedy, .. } = &error
        && let Some(advice) = advice(*remedy)
    {
        return Failure::from(error).hint(advice);
    }
    let failure =
        if missing { Failure::new(format!("{name}: no such file")) } else { Failure::from(error) };
    match (missing, nameless) {
        (true, _) => failure.hint(hint),
        (_, true) => failure.hint("say which it is with --format"),
        _ => failure,
    }
}

/// The option that resolves an ambiguity of a file.
fn advice(remedy: Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Header => {
            "say whether the first line is a header, with --header yes or --header no".into()
        }
        Remedy::Columns => "name the columns to read, such as --edge-columns 1,2".into(),
        Remedy::Ids => "--ids names keeps them, --ids numbers leaves them out".into(),
        Remedy::Names => "if vertices are called by names, say so with --ids names".into(),
        Remedy::Numbers => "--ids numbers calls vertices by their ids instead".into(),
        Remedy::Format(format) => format!("--format {format} reads it as such"),
        _ => return None,
    })
}

impl LoadTimes {
    /// The times since `start` and of the check.
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
        if self.check < SHORTEST_CHECK && !screen.is_verbose() {
            screen.fact("loaded", format_args!("in {load}"))
        } else {
            let check = numbers::time(self.check);
            screen.fact("loaded", format_args!("in {load}, checked in {check}"))
        }
    }
}

fn print_notes(notes: &[String], screen: &mut Screen) -> Result<()> {
    notes.iter().try_for_each(|note| screen.fact("read", note))
}

impl InputGraph {
    /// Prints the description of the graph.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        if screen.shows_text() {
            let graph = &self.graph;
            let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
            let edges = numbers::counted(edges::count(graph), "edge", "edges");
            let direction = if graph.is_undirected() { "undirected" } else { "directed" };
            let weights = graph
                .weights()
                .map_or(String::new(), |weights| format!(", {} weights", weights.type_name()));
            let name = &self.name;
            screen
                .fact("graph", format_args!("{name}: {vertices}, {edges}, {direction}{weights}"))?;
        }
        print_notes(&self.notes, screen)?;
        self.times.print(screen)
    }

    /// The description for JSON documents.
    pub fn facts(&self) -> GraphFacts<'_> {
        GraphFacts {
            name: &self.name,
            vertices: self.graph.vertices(),
            directed_edges: self.graph.edges(),
            undirected: self.graph.is_undirected(),
            weights: self.graph.weights().map(Weights::type_name),
            read: &self.notes,
            load_seconds: self.times.load.as_secs_f64(),
            check_seconds: self.times.check.as_secs_f64(),
        }
    }
}

impl InputTensor {
    /// Prints the description of the tensor.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let [i, j, k] = self.tensor.shape();
        let nonzeros = numbers::counted(self.tensor.nonzeros(), "nonzero", "nonzeros");
        screen.fact("tensor", format_args!("{}: {i} × {j} × {k}, {nonzeros}", self.name))?;
        screen.fact("loaded", format_args!("in {}", numbers::time(self.load)))
    }

    /// The description for JSON documents.
    pub fn facts(&self) -> TensorFacts<'_> {
        TensorFacts {
            name: &self.name,
            shape: self.tensor.shape(),
            nonzeros: self.tensor.nonzeros(),
            load_seconds: self.load.as_secs_f64(),
        }
    }
}

impl<T: Value> InputMatrix<T> {
    /// Prints the description of the matrix.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let (rows, columns) = (self.matrix.rows(), self.matrix.columns());
        let entries = numbers::counted(self.matrix.entries(), "entry", "entries");
        let name = &self.name;
        screen.fact("matrix", format_args!("{name}: {rows} × {columns}, {entries}"))?;
        print_notes(&self.notes, screen)?;
        self.times.print(screen)
    }

    /// The description for JSON documents.
    pub fn facts(&self) -> MatrixFacts<'_> {
        MatrixFacts {
            name: &self.name,
            rows: self.matrix.rows(),
            columns: self.matrix.columns(),
            entries: self.matrix.entries(),
            read: &self.notes,
            load_seconds: self.times.load.as_secs_f64(),
            check_seconds: self.times.check.as_secs_f64(),
        }
    }
}
