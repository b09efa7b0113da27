//! Files and arrays that are modified while they are read: the result is always an error.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use equipoise_graph::{
    Csr, Error, Graph, Matrix, Storage,
    generate::Spec,
    io::{Format, TextFile, write_matrix},
    io::{ReadOptions, check_files_unchanged, print_graph, read_graph, read_matrix, write_graph},
    stats::Statistics,
};
use tempfile::TempDir;

/// A graph's file with a modification time an hour ago, because file systems' clocks are coarse.
fn file(folder: &TempDir, name: &str) -> std::path::PathBuf {
    let path = folder.path().join(name);
    let spec: Spec = "er:n=2000,m=10000,weights=1..9".parse().unwrap();
    write_graph(&spec.generate().unwrap(), &path, None).unwrap();
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    File::options().write(true).open(&path).unwrap().set_modified(an_hour_ago).unwrap();
    path
}

/// Overwrites all of a file except its header with a byte.
fn overwrite(path: &Path, byte: u8) {
    let file = File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len() as usize;
    file.write_all_at(&vec![byte; length - 64], 64).unwrap();
}

#[track_caller]
fn is_changed<T>(result: Result<T, Error>, path: &Path) {
    match result.err() {
        Some(Error::Changed { what }) => assert_eq!(what, path.display().to_string()),
        other => panic!("not an error that the file has changed: {other:?}"),
    }
}

/// For any contents: numbers far out of range, equal numbers, or a graph that would be valid.
#[test]
fn a_graph_whose_file_is_overwritten_is_refused() {
    for (byte, checked_before) in [(0xff, true), (0, true), (0xff, false), (1, true)] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, "graph.eqp");
        let graph = read_graph(&path, &ReadOptions::default()).unwrap();
        let matrix = read_matrix::<f64>(&path, &ReadOptions::default()).unwrap();
        if checked_before {
            graph.check().unwrap();
        }
        overwrite(&path, byte);
        is_changed(graph.check(), &path);
        is_changed(matrix.check(), &path);
        is_changed(Statistics::new(&graph), &path);
        is_changed(print_graph(&graph, Format::EdgeList, &mut Vec::new()), &path);
        let output = folder.path().join("output.mtx");
        is_changed(write_matrix(&matrix, &output, None), &path);
        assert!(!output.exists());
        is_changed(graph.while_unchanged(|| graph.transpose().map(drop)), &path);
        // Other tests map files, too.
        assert!(matches!(check_files_unchanged(), Err(Error::Changed { .. })));
    }
}

/// As if it happened just after the check.
#[test]
fn work_that_panics_or_ends_on_a_changed_file_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "graph.eqp");
    let graph = read_graph(&path, &ReadOptions::default()).unwrap();
    graph.check().unwrap();
    let degrees = || -> Result<usize, Error> {
        overwrite(&path, 0xff);
        Ok((0..graph.vertices()).map(|vertex| graph.degree(vertex)).sum())
    };
    is_changed(graph.while_unchanged(degrees), &path);
    is_changed(graph.while_unchanged(|| Ok::<_, Error>(graph.neighbors(5).len())), &path);
    is_changed(graph.csr().row_of_each_entry().and_then(|_| graph.check()), &path);
}

/// This is the safe way to update files, and Equipoise's way.
#[test]
fn a_replaced_file_stays_readable() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "graph.eqp");
    let graph = read_graph(&path, &ReadOptions::default()).unwrap();
    write_graph(&"path:n=3".parse::<Spec>().unwrap().generate().unwrap(), &path, None).unwrap();
    graph.check().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(Statistics::new(&graph).unwrap().vertices, 2000);
}

#[test]
fn a_text_file_that_is_overwritten_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "graph.wel");
    let text = TextFile::open(&path, &ReadOptions::default()).unwrap();
    let piece = text.piece(0, 2).unwrap();
    assert!(piece.read().is_ok());
    overwrite(&path, b'\n');
    is_changed(piece.read(), &path);
}

/// Rows whose arrays are in memory that a test modifies, as another Python thread can.
fn rows_of_words(offsets: &Arc<Words<u64>>, indices: &Arc<Words<u32>>, columns: u32) -> Csr {
    // SAFETY: the words stay in place. Their modification is what is tested: numbers are written
    // one at a time, between two calls that read.
    let storages = unsafe {
        let (o, i) = (offsets.numbers(), indices.numbers());
        (Storage::shared(o, offsets.clone()), Storage::shared(i, indices.clone()))
    };
    Csr::from_storage(columns, storages.0, storages.1).unwrap()
}

struct Words<T>(Box<[std::cell::UnsafeCell<T>]>);
// SAFETY: the tests use them on one thread at a time.
unsafe impl<T: Send> Sync for Words<T> {}

impl<T: Copy + Send + 'static> Words<T> {
    fn new(numbers: &[T]) -> Arc<Self> {
        Arc::new(Self(numbers.iter().map(|&number| number.into()).collect()))
    }

    fn set(&self, index: usize, number: T) {
        // SAFETY: nothing reads concurrently.
        unsafe { *self.0[index].get() = number };
    }

    fn numbers(&self) -> &[T] {
        // SAFETY: the array has that many numbers.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }
}

#[test]
fn shared_arrays_that_change_give_an_error_or_a_result() {
    for (row, offset) in [(0, 1), (1, u64::MAX), (1, 0), (2, 5), (3, 0), (3, 9)] {
        let (offsets, indices) = (Words::new(&[0, 2, 2, 3]), Words::new(&[0, 2, 1]));
        let csr = rows_of_words(&offsets, &indices, 3);
        assert!(csr.may_change());
        let graph = Graph::from_csr(csr.clone(), None, false).unwrap();
        let matrix = Matrix::from_csr(csr.clone(), vec![1.0f32, 2.0, 3.0]).unwrap();
        offsets.set(row, offset);
        let found = graph.while_unchanged(|| graph.transpose().map(drop));
        assert!(matches!(found, Ok(()) | Err(Error::Changed { .. })), "{row}: {found:?}");
        let found = matrix.while_unchanged(|| matrix.transpose().map(drop));
        assert!(matches!(found, Ok(()) | Err(Error::Changed { .. })), "{row}: {found:?}");
        let found = csr.row_of_each_entry();
        assert!(matches!(found, Ok(_) | Err(Error::Changed { .. })), "{row}: {found:?}");
    }
    let (offsets, indices) = (Words::new(&[0, 2, 2, 3]), Words::new(&[0, 2, 1]));
    let graph = Graph::from_csr(rows_of_words(&offsets, &indices, 3), None, false).unwrap();
    indices.set(1, 3);
    assert!(matches!(graph.transpose(), Err(Error::Changed { .. })));
}
