//! Writing measurements as they come, and going on where they stopped.

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

/// Appends runs to a CSV file. Opened again, it knows which runs are complete and which graphs they
/// are of; what was written of an unfinished one, or half a line, is gone.
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
    /// What each graph is, by its name.
    origins: HashMap<String, Option<String>>,
    /// The length of the file.
    length: u64,
    cut_off: u64,
}

impl Recorder {
    /// Opens a file to append to, or makes it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is being written by another program, is no table, or is one
    /// of other features or candidates, or one that does not say what its graphs are.
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
        // A header that was torn is written again, but no other file is taken for one.
        let kept = match header.as_bytes().starts_with(&bytes) && !bytes.ends_with(b"\n") {
            true => 0,
            false => {
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
            }
        };
        let mut recorder = Self {
            file,
            path: path.to_owned(),
            schema: schema.clone(),
            complete,
            origins,
            length: kept,
            cut_off: bytes.len() as u64 - kept,
        };
        recorder.take_back().map_err(io)?;
        if kept == 0 {
            recorder.write(&header)?;
        }
        Ok(recorder)
    }

    /// Whether all steps of this run are in the file.
    pub fn is_complete(&self, graph: &str, run: &str) -> bool {
        self.complete.contains(&(graph.to_owned(), run.to_owned()))
    }

    /// How many bytes of an unfinished run the file had at its end, which are gone.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// Refuses a graph that is another than the one of this name in the file.
    ///
    /// # Errors
    ///
    /// If the file has runs of a graph of this name which are of another origin, or of an unknown
    /// one.
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

    /// How many runs are in the file.
    pub fn complete(&self) -> usize {
        self.complete.len()
    }

    /// Appends a run. When this returns, the system has it all.
    ///
    /// # Errors
    ///
    /// If the run does not fit the schema or is in the file already, its graph is another one
    /// there, or writing fails.
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
            // What fails first is what is told.
            let _ = self.take_back();
            return Err(Error::Io { path: self.path.clone(), source });
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Takes back what was written beyond the last complete run.
    fn take_back(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }
}

fn same_schema(path: &Path, found: &Schema, wanted: &Schema) -> Result<()> {
    let pairs = [
        ("features", &found.features, &wanted.features),
        ("candidates", &found.candidates, &wanted.candidates),
    ];
    for (what, found, wanted) in pairs {
        if found != wanted {
            let (found, wanted) = (found.join(", "), wanted.join(", "));
            let message = format!("its {what} are {found}, but those to be measured are {wanted}");
            return Err(Error::OtherSchema { path: path.to_owned(), message });
        }
    }
    Ok(())
}
