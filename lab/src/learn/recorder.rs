//! Incremental recording of measurements, with resumption.

use std::{
    collections::{HashMap, HashSet},
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::learn::{
    Error, Result, Run, Schema, Table,
    csv_file::{header, parse_torn, rows},
    table::origin_text,
};

/// Appends runs to a CSV file. On reopening, it detects the complete runs and their graphs, and
/// truncates an unfinished run or line.
///
/// ```
/// use equipoise_lab::learn::{Recorder, Run, Schema, Step};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("bfs.csv");
/// let mut recorder = Recorder::open(&path, &Schema::new(&["frontier"], &["push"]))?;
/// for source in ["0", "1"] {
///     if !recorder.is_complete("star", source) {
///         let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
///         let run = Run { graph: "star".into(), family: "star".into(), id: source.into(), steps, origin: None };
///         recorder.append(&run)?;
///     }
/// }
/// assert_eq!(recorder.complete(), 2);
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    file: File,
    path: PathBuf,
    schema: Schema,
    complete: HashSet<(String, String)>,
    /// The origin of each graph, by name.
    origins: HashMap<String, Option<String>>,
    /// The length of the file in bytes.
    length: u64,
    cut_off: u64,
}

impl Recorder {
    /// Opens a file for appending, or creates it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is being written by another program, is not a table, has
    /// other features or candidates, or has no origins of its graphs.
    pub fn open(path: &Path, schema: &Schema) -> Result<Self> {
        schema.check()?;
        let io = |source| Error::Io { path: path.to_owned(), source };
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).to_owned();
        let mut file = options.open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let header = header(schema, true);
        let (mut complete, mut origins) = (HashSet::new(), HashMap::new());
        // A torn header is rewritten, but no other file is mistaken for one.
        let kept_bytes = if header.as_bytes().starts_with(&bytes) && !bytes.ends_with(b"\n") {
            0
        } else {
            let contents = parse_torn(path, &bytes)?;
            same_schema(path, &contents.schema, schema)?;
            if !contents.has_origins {
                let message = "it does not say which graphs its runs are of".to_owned();
                return Err(Error::OtherSchema { path: path.to_owned(), message });
            }
            let table = Table::new(contents.schema, contents.runs)?;
            for run in table.runs() {
                origins.insert(run.graph.clone(), run.origin.clone());
                complete.insert((run.graph.clone(), run.id.clone()));
            }
            contents.complete
        };
        let mut recorder = Self {
            file,
            path: path.to_owned(),
            schema: schema.clone(),
            complete,
            origins,
            length: kept_bytes,
            cut_off: bytes.len() as u64 - kept_bytes,
        };
        recorder.take_back().map_err(io)?;
        if kept_bytes == 0 {
            recorder.write(&header)?;
        }
        Ok(recorder)
    }

    /// Whether the file contains all steps of this run.
    pub fn is_complete(&self, graph: &str, run: &str) -> bool {
        self.complete.contains(&(graph.to_owned(), run.to_owned()))
    }

    /// The number of bytes of an unfinished run that were truncated.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// Rejects a graph that differs from the one of this name in the file.
    ///
    /// # Errors
    ///
    /// If the file has runs of a graph of this name with another or an unknown origin.
    ///
    /// ```
    /// use equipoise_lab::learn::{Recorder, Run, Schema, Step};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("bfs.csv");
    /// let mut recorder = Recorder::open(&path, &Schema::new(&["frontier"], &["push"]))?;
    /// let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
    /// let origin = Some("star:n=9".into());
    /// recorder.append(&Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin })?;
    /// assert!(recorder.check_origin("star", "star:n=9").is_ok());
    /// assert!(recorder.check_origin("star", "star:n=10").is_err());
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn check_origin(&self, graph: &str, origin: &str) -> Result<()> {
        self.same_origin(graph, &Some(origin.to_owned()))
    }

    fn same_origin(&self, graph: &str, origin: &Option<String>) -> Result<()> {
        match self.origins.get(graph) {
            Some(found) if found != origin => Err(Error::OtherOrigin {
                path: self.path.clone(),
                graph: graph.to_owned(),
                found: origin_text(found).to_owned(),
                wanted: origin_text(origin).to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// The number of complete runs in the file.
    pub fn complete(&self) -> usize {
        self.complete.len()
    }

    /// Appends a run. On return, the operating system has all of it.
    ///
    /// # Errors
    ///
    /// If the run does not fit the schema or is already in the file, if the file has another
    /// origin for its graph, or if writing fails.
    pub fn append(&mut self, run: &Run) -> Result<()> {
        run.check(&self.schema)?;
        if self.is_complete(&run.graph, &run.id) {
            let message = format!("graph `{}` has the run `{}` already", run.graph, run.id);
            return Err(Error::Table(message));
        }
        self.same_origin(&run.graph, &run.origin)?;
        self.write(&rows(run, true))?;
        self.origins.insert(run.graph.clone(), run.origin.clone());
        self.complete.insert((run.graph.clone(), run.id.clone()));
        Ok(())
    }

    /// Appends all of the text, or nothing.
    fn write(&mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        if let Err(source) = written {
            // The first failure is reported.
            let _ = self.take_back();
            return Err(Error::Io { path: self.path.clone(), source });
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Truncates the file after the last complete run.
    fn take_back(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }
}

fn same_schema(path: &Path, found: &Schema, expected: &Schema) -> Result<()> {
    let pairs = [
        ("features", &found.features, &expected.features),
        ("candidates", &found.candidates, &expected.candidates),
    ];
    for (what, found, expected) in pairs {
        if found != expected {
            let (found, expected) = (found.join(", "), expected.join(", "));
            let message =
                format!("its {what} are {found}, but those to be measured are {expected}");
            return Err(Error::OtherSchema { path: path.to_owned(), message });
        }
    }
    Ok(())
}
