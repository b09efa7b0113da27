//! Suites: files that list graphs for measurements.

use std::{
    collections::HashSet,
    error::Error,
    fmt, fs,
    path::{Path, PathBuf},
};

use equipoise::graph::{
    Graph, Matrix,
    generate::Spec,
    io::{ReadOptions, descriptor, read_graph, read_matrix},
    load, load_matrix,
};

use crate::{
    failure,
    files::{Files, InputFile, InputFolder, Role},
};

/// Why a suite, or a graph of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError(String);

impl fmt::Display for SuiteError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Error for SuiteError {}

impl From<SuiteError> for failure::Failure {
    fn from(error: SuiteError) -> Self {
        Self::new(error.to_string())
    }
}

/// The result of reading a suite or a graph of it.
pub type Result<T, E = SuiteError> = std::result::Result<T, E>;

/// A graph of a suite.
///
/// ```
/// use equipoise_cli::suite;
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("suite.txt");
/// std::fs::write(&path, "ring  cycles  cycle:n=9  # a comment\n").unwrap();
/// let entry = &suite::read(&path, None)?[0];
/// assert_eq!((&*entry.name, &*entry.family), ("ring", "cycles"));
/// assert_eq!((entry.origin(), entry.file()), ("cycle:n=9".to_owned(), None));
/// assert_eq!(entry.load()?.vertices(), 9);
/// assert_eq!(entry.load_matrix()?.rows(), 9);
/// # Ok::<(), suite::SuiteError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name of the graph.
    pub name: String,
    /// The family of the graph.
    pub family: String,
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq)]
enum Origin {
    /// In canonical form, so that equal graphs have equal specs.
    Spec(String),
    File {
        path: PathBuf,
        undirected: bool,
    },
}

/// Reads a suite: one line per graph, with its name, its family, and a generator's spec or a file
/// in the folder `data`, or else in the suite's folder; a further word `undirected` makes the graph
/// undirected. Text after `#` is ignored. Files must exist, and specs must be valid.
///
/// Fails if the file cannot be read, a line is malformed, two graphs have the same name, or the
/// suite is empty.
pub fn read(path: &Path, data: Option<&Path>) -> Result<Vec<Entry>> {
    let of_file = |problem: &dyn fmt::Display| SuiteError(format!("{}: {problem}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| of_file(&error))?;
    // A suite on standard input has no folder.
    let parent = path.parent().filter(|_| descriptor(path).is_none());
    let folder = data.or(parent).unwrap_or(Path::new(""));
    let mut entries: Vec<Entry> = Vec::new();
    let mut names = HashSet::new();
    for (line, number) in text.lines().zip(1u32..) {
        let at = |message: String| SuiteError(format!("{}:{number}: {message}", path.display()));
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let entry = entry(line, folder).map_err(at)?;
        if !names.insert(entry.name.clone()) {
            return Err(at(format!("another graph is named `{}`", entry.name)));
        }
        entries.push(entry);
    }
    if entries.is_empty() { Err(of_file(&"the suite has no graphs")) } else { Ok(entries) }
}

/// Reads a suite, and adds its files to those that the command reads.
pub fn read_with_files(
    path: &InputFile,
    data: Option<&InputFolder>,
    files: &mut Files,
) -> failure::Result<Vec<Entry>> {
    let entries = read(path, data.map(|data| &**data))?;
    for path in entries.iter().filter_map(Entry::file) {
        files.claim(format!("{} of the suite", path.display()), Role::Input, path)?;
    }
    Ok(entries)
}

fn entry(line: &str, folder: &Path) -> Result<Entry, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (name, family, source, undirected) = match words[..] {
        [name, family, source] => (name, family, source, false),
        [name, family, source, "undirected"] => (name, family, source, true),
        _ => {
            return Err(format!(
                "expected a name, a family and a spec or a file, and perhaps `undirected`; found \
                 `{line}`"
            ));
        }
    };
    let path = folder.join(source);
    let origin = match source.parse::<Spec>() {
        Ok(_) if undirected => {
            return Err(format!(
                "{source}: `undirected` is for files, and specs are unless they say \
                 `directed=true`"
            ));
        }
        Ok(spec) => Origin::Spec(spec.to_string()),
        Err(_) if path.is_file() => Origin::File { path, undirected },
        Err(error) if source.contains(':') => return Err(error.to_string()),
        Err(_) => {
            return Err(format!(
                "{}: no such file in the folder of the suite's files",
                path.display()
            ));
        }
    };
    Ok(Entry { name: name.to_owned(), family: family.to_owned(), origin })
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(formatter),
            Self::File { path, undirected } => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
                let undirected = if *undirected { ", undirected" } else { "" };
                write!(formatter, "{name} of {bytes} bytes{undirected}")
            }
        }
    }
}

impl Entry {
    /// The identity of the graph, independent of its name: the spec, or the file's name and length.
    pub fn origin(&self) -> String {
        self.origin.to_string()
    }

    /// The file that it is read from, if it is not generated.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Spec(_) => None,
            Origin::File { path, .. } => Some(path),
        }
    }

    /// Generates or reads the graph.
    pub fn load(&self) -> Result<Graph> {
        let graph = match &self.origin {
            Origin::Spec(spec) => load(spec, &ReadOptions::default()),
            Origin::File { path, undirected } => read_graph(path, &file_options(*undirected)),
        };
        self.named(graph.and_then(|graph| graph.check().map(|()| graph)))
    }

    /// Generates or reads the matrix, or the adjacency matrix of a graph.
    pub fn load_matrix(&self) -> Result<Matrix<f32>> {
        let matrix = match &self.origin {
            Origin::Spec(spec) => load_matrix(spec, &ReadOptions::default()),
            Origin::File { path, undirected } => read_matrix(path, &file_options(*undirected)),
        };
        self.named(matrix.and_then(|matrix| matrix.check().map(|()| matrix)))
    }

    /// Adds the name of the graph to an error.
    fn named<T>(&self, done: equipoise::graph::Result<T>) -> Result<T> {
        done.map_err(|error| SuiteError(format!("{}: {error}", self.name)))
    }
}

fn file_options(undirected: bool) -> ReadOptions<'static> {
    ReadOptions { undirected, ..ReadOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_specs_or_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.el"), "0 1\n").unwrap();
        let read_line = |line: &str| entry(line, folder.path());
        let file = read_line("a real a.el undirected").unwrap();
        assert_eq!(file.load().unwrap().edges(), 2);
        assert_eq!(read_line("a real a.el").unwrap().load().unwrap().edges(), 1);
        assert_eq!(read_line("p path path:n=3").unwrap().load().unwrap().edges(), 4);
        assert_eq!(file.load_matrix().unwrap().entries(), 2);
        let tall = read_line("t tall blocks:rows=3,columns=1").unwrap();
        assert_eq!((tall.load_matrix().unwrap().columns(), tall.load().is_err()), (1, true));
        assert!(read_line("p path pth:n=3").unwrap_err().contains("did you mean `path`?"));
        assert!(read_line("p path path:n=3 undirected").unwrap_err().contains("is for files"));
        assert!(read_line("p path b.el").unwrap_err().contains("no such file in the folder"));
        assert!(read_line("p path:n=3").unwrap_err().contains("expected a name, a family"));
    }

    /// Lines with a byte removed, repeated or replaced, as a fuzzer would do.
    #[test]
    fn torn_lines_are_refused_or_read() {
        let texts = ["", ":", "=", ",", "#", "9", "-", ".", " ", "\0", "é", "\u{2028}"];
        let lines =
            ["p path path:n=3", "r roads a.el undirected", "g rmat rmat:scale=3,weights=1..9"];
        let mut read = 0;
        for line in lines {
            for (at, letter) in line.char_indices() {
                let (before, after) = (&line[..at], &line[at + letter.len_utf8()..]);
                for text in texts.iter().chain([&line]) {
                    match entry(&format!("{before}{text}{after}"), Path::new("nowhere")) {
                        Ok(entry) => {
                            read += 1;
                            assert!(!entry.name.is_empty() && !entry.origin().is_empty());
                        }
                        Err(message) => assert!(!message.is_empty()),
                    }
                }
            }
        }
        assert!(read > 100, "{read}");
    }
}
