//! A graph whose mapped file is overwritten in place while algorithms run.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use equipoise::{
    Error, LoadedGraph, LoadedMatrix,
    algorithm::{Algorithm, Visitor, each},
    device::OpenDevice,
    graph::{
        Error as GraphError, Graph,
        io::{ReadOptions, read_graph, read_matrix, write_graph},
    },
    sparse::SparseOptions,
};
use tempfile::TempDir;

use crate::graphs::generated;

const AN_HOUR: Duration = Duration::from_secs(3600);

struct MappedFile {
    path: PathBuf,
    bytes: Vec<u8>,
    _folder: TempDir,
}

impl MappedFile {
    fn new(spec: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.eqp");
        write_graph(&generated(spec), &path, None).unwrap();
        Self { bytes: std::fs::read(&path).unwrap(), path, _folder: folder }
    }

    /// Reads the file with its first content.
    fn restore(&self) -> Graph {
        let file = File::options().write(true).open(&self.path).unwrap();
        file.write_all_at(&self.bytes, 0).unwrap();
        // Clocks of file systems are slow.
        file.set_modified(SystemTime::now() - AN_HOUR).unwrap();
        read_graph(&self.path, &ReadOptions::default()).unwrap()
    }

    /// Overwrites the file with numbers that are no offsets and no vertices.
    fn overwrite(&self) {
        let file = File::options().write(true).open(&self.path).unwrap();
        file.write_all_at(&vec![0xff; self.bytes.len() - 64], 64).unwrap();
    }
}

fn is_changed<T>(name: &str, result: Result<T, Error>) {
    match result.err() {
        Some(Error::Graph(GraphError::Changed { .. })) => {}
        other => panic!("{name}: not an error that the file has changed: {other:?}"),
    }
}

/// Runs each algorithm before and after its graph is overwritten.
struct Overwritten(MappedFile);

impl Visitor for Overwritten {
    fn visit<A: Algorithm>(&mut self) {
        let graph = self.0.restore();
        let loaded = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
        A::find(&loaded, &A::Options::default()).unwrap();
        self.0.overwrite();
        is_changed(A::NAME, A::find(&loaded, &A::Options::default()));
        let loaded = graph.while_unchanged(|| LoadedGraph::new(&OpenDevice::Cpu, &graph));
        is_changed(A::NAME, loaded);
    }
}

/// An algorithm fails by an error if its graph was valid when it was loaded and was overwritten since.
#[test]
fn an_overwritten_file_is_an_error() {
    let mut file = Overwritten(MappedFile::new("er:n=300,m=1500,weights=1..9"));
    each(&mut file);
    let Overwritten(file) = file;

    let graph = file.restore();
    let loaded = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
    let matrix = read_matrix::<f32>(&file.path, &ReadOptions::default()).unwrap();
    let loaded_matrix = LoadedMatrix::new(&OpenDevice::Cpu, &matrix).unwrap();
    let (spmv, x) = (loaded_matrix.spmv(&SparseOptions::default()).unwrap(), vec![1.0; 300]);
    spmv.run(&x).unwrap();
    file.overwrite();
    is_changed("spmv", spmv.run(&x));
    is_changed("bfs_batch", loaded.bfs_batch(&[0, 1], &Default::default()));
}

/// Overwrites the file while each algorithm runs.
struct OverwrittenMeanwhile(MappedFile);

impl Visitor for OverwrittenMeanwhile {
    fn visit<A: Algorithm>(&mut self) {
        // They take minutes, or a number per pair of vertices.
        if ["paths", "betweenness", "apsp"].contains(&A::NAME) {
            return;
        }
        for micros in [50, 400, 3000] {
            let graph = self.0.restore();
            let result = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_micros(micros));
                    self.0.overwrite();
                });
                LoadedGraph::new(&OpenDevice::Cpu, &graph)
                    .and_then(|loaded| A::find(&loaded, &A::Options::default()))
            });
            if result.is_err() {
                is_changed(A::NAME, result);
            }
        }
    }
}

#[test]
fn a_file_may_be_overwritten_at_any_time() {
    each(&mut OverwrittenMeanwhile(MappedFile::new("er:n=20000,m=200000,weights=1..9")));
}
