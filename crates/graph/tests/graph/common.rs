//! Helpers shared by the tests.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use equipoise_graph::{
    Error, Graph, Remedy, Result, VertexIds, Weights,
    io::{Format, IdKind, Progress, ReadOptions, TableOptions, parse_graph, print_graph},
};
use tempfile::TempDir;

/// A Matrix Market file with a banner and lines.
macro_rules! mtx {
    ($banner:literal, $rest:literal) => {
        concat!("%%MatrixMarket matrix coordinate ", $banner, "\n", $rest)
    };
}
pub(crate) use mtx;

pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(work)
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

/// Records the progress of a reader.
#[derive(Default)]
pub struct Heard {
    pub phases: Mutex<Vec<String>>,
    pub total: AtomicU64,
    pub steps: AtomicU64,
    pub bytes: AtomicU64,
    pub finished: AtomicU64,
    pub notes: Mutex<Vec<String>>,
}

impl Progress for Heard {
    fn start(&self, what: &str, total: u64) {
        self.phases.lock().unwrap().push(what.to_owned());
        self.total.store(total, Relaxed);
    }

    fn advance(&self, bytes: u64) {
        self.steps.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
    }

    fn finish(&self) {
        self.finished.fetch_add(1, Relaxed);
    }

    fn note(&self, note: &str) {
        self.notes.lock().unwrap().push(note.to_owned());
    }
}

pub fn written(graph: &Graph, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    print_graph(graph, format, &mut bytes).unwrap();
    bytes
}

pub fn read_with(
    text: impl AsRef<[u8]>,
    format: Format,
    table: TableOptions,
) -> Result<Graph, Error> {
    parse_graph(text.as_ref(), format, &ReadOptions { table, ..Default::default() })
}

pub fn read_as(format: Format, text: &str, ids: IdKind, columns: Option<&[&str]>) -> Result<Graph> {
    let columns: Option<Vec<String>> =
        columns.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    let table = TableOptions { ids, columns: columns.as_deref(), ..Default::default() };
    read_with(text, format, table)
}

pub fn read(format: Format, text: &str) -> Graph {
    let read = read_with(text, format, TableOptions::default());
    read.unwrap_or_else(|error| panic!("{format} should read {text:?}: {error}"))
}

/// The edges of a valid text; see [`edges`].
pub fn read_edges(text: &str, format: Format) -> Vec<String> {
    edges(&read(format, text))
}

/// Each edge as a word, in order: `from>to`, followed by the weight, if any.
pub fn edges(graph: &Graph) -> Vec<String> {
    let coo = graph.coo().unwrap();
    let edge = |edge: usize| {
        let [from, to] = [coo.sources[edge], coo.targets[edge]].map(|end| graph.ids().id(end));
        let weight = graph.weights().map(|weights| format!(" {}", weights.get(edge)));
        format!("{from}>{to}{}", weight.unwrap_or_default())
    };
    (0..coo.targets.len()).map(edge).collect()
}

/// The message for a rejected text, and the remedy, if any.
pub fn refused(text: &str, format: Format, table: TableOptions) -> (String, Option<Remedy>) {
    match read_with(text, format, table) {
        Ok(graph) => panic!("{format} should refuse {text:?}, but read {:?}", edges(&graph)),
        Err(error) => {
            let remedy = match &error {
                Error::Unclear { remedy, .. } => Some(*remedy),
                _ => None,
            };
            (error.to_string(), remedy)
        }
    }
}

/// Asserts that a text is rejected, at `line` if given, with a message that contains `part`.
pub fn assert_refused(format: Format, text: &str, line: Option<u64>, part: &str) {
    let (message, _) = refused(text, format, TableOptions::default());
    let start = line.map_or("input: ".to_owned(), |line| format!("input:{line}: "));
    assert!(message.starts_with(&start), "{text:?} should fail at {start:?}: {message}");
    assert!(message.contains(part), "{text:?} should say {part:?}: {message}");
}

/// Asserts that the files that NetworkX wrote in a format mean the same graphs in each format.
pub fn check_files_of_networkx(format: Format, [people, roads, parallel, only]: [&str; 4]) {
    let people = read(format, people);
    assert_eq!(edges(&people), ["Ann>Bob 2.5", "Bob>New York & \"<é>\" 7"]);
    assert!(!people.is_undirected() && people.vertex("Zoë").is_some());
    assert!(matches!(people.weights(), Some(Weights::F64(_))));

    let roads = read(format, roads);
    let expected = ["0>10 3", "2>2 5", "2>10 4000000000", "10>0 3", "10>2 4000000000"];
    assert_eq!(edges(&roads), expected);
    assert!(roads.is_undirected());
    assert!(matches!(roads.weights(), Some(Weights::U32(_))));
    assert_eq!(roads.ids(), &VertexIds::Table(vec![0, 2, 7, 10].into()));

    // Some weights are whole numbers, others are not.
    let parallel = read(format, parallel);
    assert_eq!(edges(&parallel)[..3], ["1>2 1.5", "1>2 3", "2>1 1.5"]);
    assert_eq!(parallel.ids(), &VertexIds::Dense { first: 1 });
    assert_eq!(parallel.weights().unwrap().get(4), f64::INFINITY);

    let only = read(format, only);
    assert_eq!((only.vertices(), only.edges(), only.weights()), (1, 0, None));
    assert_eq!(only.ids().id(0), "only");
}

/// Asserts that a text is rejected wherever it is cut.
pub fn check_cut(format: Format, text: &str) {
    for length in (0..text.trim_end().len()).filter(|&length| text.is_char_boundary(length)) {
        let read = read_with(&text[..length], format, TableOptions::default());
        assert!(read.is_err(), "{:?}", &text[..length]);
    }
}
